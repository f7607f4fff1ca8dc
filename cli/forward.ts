/** Forwards one event to the developer's receiver, with a few retries. */
import { setTimeout as sleep } from 'node:timers/promises';
import { plannedFailures } from '../domain/delivery.ts';
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
  /** True if another attempt follows. */
  readonly retrying: boolean;
}

/**
 * Yields the reply of the first attempt if that was not accepted, and of the last one. Sends an
 * event with planned failures again, as the service does. Throws the signal's reason if it aborts
 * between attempts.
 */
export async function* forward(
  event: EventText,
  to: Target,
): AsyncGenerator<Forwarded, void, undefined> {
  const { url, secrets, signal } = to;
  const deliveryId = mintId('delivery');
  const failures = plannedFailures(event.body);
  for (let attempt = 1; ; attempt += 1) {
    const headers = deliveryHeaders(event, { secrets, deliveryId, attempt });
    const reply = await send({ url, headers, body: event.body });
    const delayMs = RETRY_DELAYS_MS[attempt - 1];
    const isTaken = isAccepted(reply);
    const retrying = (!isTaken || attempt <= failures) && delayMs !== undefined;
    if (!retrying || (attempt === 1 && !isTaken)) {
      yield { ...reply, delivery: deliveryId, attempts: attempt, retrying };
    }
    if (!retrying) return;
    await sleep(delayMs, undefined, { signal });
  }
}
