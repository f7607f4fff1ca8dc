/** How long a delivery is stored after its creation. */
import { firstIdAt } from './id.ts';

/** A quarter of a year: merchants who ask about a delivery do so within this time. */
export const DEFAULT_RETENTION_DAYS = 90;

const DAY_MS = 24 * 60 * 60 * 1000;

/** Returns the lowest id of deliveries that are not older than `retentionDays` at `nowMs`. */
export function oldestKeptDelivery(nowMs: number, retentionDays: number): string {
  return firstIdAt('delivery', nowMs - retentionDays * DAY_MS);
}
