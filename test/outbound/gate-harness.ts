/** A gate with a clock that the test sets. */
import { makeGate } from '../../outbound/gate.ts';
import type { Exchange, Gate, Pass } from '../../outbound/gate.ts';
import type { DeliveryTrigger } from '../../domain/delivery.ts';

export const SLOTS = 100;
export const RESPONDED: Exchange = { responded: true, tookMs: 0 };
export const SILENT: Exchange = { responded: false, tookMs: 0 };

export const worker = { nowMs: 0, gate: openGate() };

function openGate(random = 0): Gate {
  return makeGate({ slots: SLOTS, now: () => worker.nowMs, random: () => random });
}

/** Replaces the gate by a new one. Its delays vary by `random`, in [0, 1). */
export function resetGate(random = 0): void {
  worker.nowMs = 1_000_000;
  worker.gate = openGate(random);
}

/** Returns an endpoint. By default each one has a merchant of its own. */
export const endpoint = (_id: string, tenant = _id) => ({ _id, m: tenant });

/** Enters the gate until it turns a request away, at most `most` times. */
export function fill(endpointId: string, most = SLOTS, tenant = endpointId): Pass[] {
  const passes: Pass[] = [];
  while (passes.length < most) {
    const pass = worker.gate.enter(endpoint(endpointId, tenant));
    if ('waitMs' in pass) break;
    passes.push(pass);
  }
  return passes;
}

export function waitOf(endpointId: string, trigger?: DeliveryTrigger): number {
  const turnedAway = worker.gate.enter(endpoint(endpointId), trigger);
  if (!('waitMs' in turnedAway)) throw new Error('It was not turned away.');
  return turnedAway.waitMs;
}

/** Makes one request of that duration. */
export function exchange(endpointId: string, { tookMs = 0, responded = true } = {}): void {
  const [pass] = fill(endpointId, 1);
  worker.nowMs += tookMs;
  pass!.leave({ responded, tookMs });
}

/** Makes `count` requests without a response, a minute apart. */
export function failRequests(count: number): void {
  for (let i = 0; i < count; i += 1) {
    worker.nowMs += 60_000;
    exchange('we_1', { responded: false });
  }
}
