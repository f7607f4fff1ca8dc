/** A delivery as the service makes it: the event's bytes, and the same headers. */
import { signatureHeaders } from '../outbound/sign.ts';
import { VERSION } from '../version.ts';

export interface Parcel {
  readonly id: string;
  /** The exact text. */
  readonly body: string;
}

interface Stamp {
  readonly secrets: readonly string[];
  readonly deliveryId: string;
  /** From 1. */
  readonly attempt: number;
  /** From now to the time of the signature. */
  readonly shiftSeconds?: number;
}

/** All headers of one attempt, signed now. */
export function deliveryHeaders({ id, body }: Parcel, stamp: Stamp): Record<string, string> {
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
