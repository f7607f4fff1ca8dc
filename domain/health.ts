/** The health of an endpoint, from its newest deliveries. */
import type { DeliveryAttempt, DeliveryState } from './delivery.ts';

/** The part of a delivery that its endpoint's health depends on. */
interface Outcome {
  readonly state: DeliveryState;
  readonly created_at: Date;
  readonly attempts: readonly Pick<DeliveryAttempt, 'at' | 'duration_ms'>[];
}

export interface Health {
  /** The number of deliveries in each state. */
  readonly counts: Readonly<Record<DeliveryState, number>>;
  /** Whole percents of the deliveries that have ended, rounded down. Null if none has. */
  readonly acceptedPercent: number | null;
  /** The median time until acceptance, in milliseconds. Null if none was accepted. */
  readonly medianMs: number | null;
}

/** Returns the health that the deliveries show. */
export function healthOf(deliveries: readonly Outcome[]): Health {
  const counts = { pending: 0, succeeded: 0, failed: 0, skipped: 0, stopped: 0 };
  for (const { state } of deliveries) counts[state] += 1;
  const ended = counts.succeeded + counts.failed;
  const delays = deliveries
    .flatMap((each) => (each.state === 'succeeded' ? [delayOf(each)] : []))
    .toSorted((a, b) => a - b);
  return {
    counts,
    acceptedPercent: ended === 0 ? null : Math.floor((100 * counts.succeeded) / ended),
    medianMs: delays[Math.floor((delays.length - 1) / 2)] ?? null,
  };
}

/** Returns the time from a delivery's creation to the end of its last attempt, in milliseconds. */
export function delayOf({ created_at, attempts }: Outcome): number {
  const last = attempts.at(-1);
  // The clocks of two machines can differ, so that the attempt seems to precede the event.
  return last ? Math.max(0, last.at.getTime() + last.duration_ms - created_at.getTime()) : 0;
}
