/** A gate of the test's own, whose clock the test sets. */
import { makeGate } from '../../outbound/gate.ts';
import type { Exchange, Gate, Pass } from '../../outbound/gate.ts';
import type { DeliveryTrigger } from '../../domain/delivery.ts';

export const SLOTS = 100;
export const ANSWERED: Exchange = { answered: true, tookMs: 0 };
export const SILENT: Exchange = { answered: false, tookMs: 0 };

export const house = { nowMs: 0, gate: openGate() };

function openGate(random = 0): Gate {
  return makeGate({ slots: SLOTS, now: () => house.nowMs, random: () => random });
}

/** A gate that has seen nobody yet; delays vary by `random`, in [0, 1). */
export function rebuild(random = 0): void {
  house.nowMs = 1_000_000;
  house.gate = openGate(random);
}

/** Each endpoint is a merchant's own, unless `m` says whose it is. */
export const to = (_id: string, m = _id) => ({ _id, m });

/** Enters as often as it is let in, at most `most` times. */
export function fill(endpointId: string, most = SLOTS, m = endpointId): Pass[] {
  const passes: Pass[] = [];
  while (passes.length < most) {
    const pass = house.gate.enter(to(endpointId, m));
    if ('waitMs' in pass) break;
    passes.push(pass);
  }
  return passes;
}

export function waitOf(endpointId: string, trigger?: DeliveryTrigger): number {
  const turnedAway = house.gate.enter(to(endpointId), trigger);
  if (!('waitMs' in turnedAway)) throw new Error('It was let in.');
  return turnedAway.waitMs;
}

/** One request of that length. */
export function exchange(endpointId: string, { tookMs = 0, answered = true } = {}): void {
  const [pass] = fill(endpointId, 1);
  house.nowMs += tookMs;
  pass!.leave({ answered, tookMs });
}

/** So many requests without an answer, each as soon as it is let in. */
export function silence(count: number): void {
  for (let i = 0; i < count; i += 1) {
    house.nowMs += 60_000;
    exchange('we_1', { answered: false });
  }
}
