import { signatureHeaders } from '../outbound/sign.ts';
import { VERSION } from '../version.ts';

/** An event as it is delivered. */
export interface EventText {
  readonly id: string;
  /** The exact text. */
  readonly body: string;
}

interface Stamp {
  readonly secrets: readonly string[];
  readonly deliveryId: string;
  /** From 1. */
  readonly attempt: number;
  /** The time of the signature, relative to now. */
  readonly shiftSeconds?: number;
}

/** Returns all headers of one attempt, signed now, as the service sends them. */
export function deliveryHeaders({ id, body }: EventText, stamp: Stamp): Record<string, string> {
  const { secrets, deliveryId, attempt, shiftSeconds = 0 } = stamp;
  const timestamp = Math.floor(Date.now() / 1_000) + shiftSeconds;
  return {
    'Content-Type': 'application/json',
    'User-Agent': `Tollgate/${VERSION}`,
    'Service-Delivery': deliveryId,
    'Service-Attempt': String(attempt),
    ...signatureHeaders({ id, timestamp, body }, secrets),
  };
}
