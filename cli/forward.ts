/** Forwarding one event to the developer's receiver, a few times if need be. */
import { setTimeout as sleep } from 'node:timers/promises';
import { mintId } from '../store/mint.ts';
import { deliveryHeaders } from './envelope.ts';
import type { Parcel } from './envelope.ts';
import { isAccepted, shoot } from './post.ts';
import type { Reply } from './post.ts';

/** Long enough for a receiver that restarts on every change of its code, short for whoever waits. */
const RETRY_DELAYS_MS = [300, 1_000, 3_000] as const;

export interface Forwarding {
  readonly url: URL;
  readonly secrets: readonly string[];
  /** Aborts the waits between attempts; an attempt that is under way is seen to its end. */
  readonly signal: AbortSignal;
}

export interface Forwarded extends Reply {
  readonly delivery: string;
  readonly attempts: number;
}

/** The last attempt's reply. Throws the signal's reason when it aborts between two attempts. */
export async function forward(parcel: Parcel, to: Forwarding): Promise<Forwarded> {
  const { url, secrets, signal } = to;
  const deliveryId = mintId('delivery');
  for (let attempt = 1; ; attempt += 1) {
    const headers = deliveryHeaders(parcel, { secrets, deliveryId, attempt });
    const reply = await shoot({ url, headers, body: parcel.body });
    const delayMs = RETRY_DELAYS_MS[attempt - 1];
    if (isAccepted(reply) || delayMs === undefined) {
      return { ...reply, delivery: deliveryId, attempts: attempt };
    }
    await sleep(delayMs, undefined, { signal });
  }
}
