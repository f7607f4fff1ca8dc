/** How long the record of a delivery is kept, from the making of the delivery on. */
import { firstIdAt } from './id.ts';

/** A merchant who asks what was sent asks within a quarter of a year. */
export const DEFAULT_RETENTION_DAYS = 90;

const DAY_MS = 24 * 60 * 60 * 1000;

/**
 * The id below which deliveries are older than `retentionDays` at `nowMs` (unix milliseconds); one
 * of exactly that age is not.
 */
export function oldestKeptDelivery(nowMs: number, retentionDays: number): string {
  return firstIdAt('delivery', nowMs - retentionDays * DAY_MS);
}
