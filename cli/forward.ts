/** Forwards one event to the developer's receiver, with a few retries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { mintId } from '../store/mint.ts';
import { deliveryHeaders } from '../check/envelope.ts';
import type { EventText } from '../check/envelope.ts';
import { isAccepted } from '../check/exchange.ts';
import type { Reply } from '../check/exchange.ts';
import { send } from './post.ts';

/** Long enough for a receiver that restarts after each change of its code. */
const RETRY_DELAYS_MS = [300, 1_000, 3_000] as const;

export interface Target {
  readonly url: URL;
  readonly secrets: readonly string[];
  /** Aborts the waits between attempts. An attempt in progress is completed. */
  readonly signal: AbortSignal;
}

export interface Forwarded extends Reply {
  readonly delivery: string;
  readonly attempts: number;
}

/** Returns the last attempt's reply. Throws the signal's reason if it aborts between attempts. */
export async function forward(event: EventText, to: Target): Promise<Forwarded> {
  const { url, secrets, signal } = to;
  const deliveryId = mintId('delivery');
  for (let attempt = 1; ; attempt += 1) {
    const headers = deliveryHeaders(event, { secrets, deliveryId, attempt });
    const reply = await send({ url, headers, body: event.body });
    const delayMs = RETRY_DELAYS_MS[attempt - 1];
    if (isAccepted(reply) || delayMs === undefined) {
      return { ...reply, delivery: deliveryId, attempts: attempt };
    }
    await sleep(delayMs, undefined, { signal });
  }
}
