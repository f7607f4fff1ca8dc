/**
 * Keeps one receiver from taking the slots of this worker process that others need. A delivery that
 * is turned away is not lost: it returns after a delay.
 */
import { LRUCache } from 'lru-cache';
import type { DeliveryTrigger } from '../domain/delivery.ts';

/** The maximum of requests under way to one receiver, even if all slots are free. */
const MAX_IN_FLIGHT = 20;
/** The share of the free slots that a receiver may take. So it gets fewer from a busy worker. */
const SHARE_OF_FREE = 1 / 4;
/** The share of all slots for the endpoints of one merchant and mode. */
const SHARE_OF_MERCHANT = 1 / 2;
/** After this number of requests in a row without a response, the receiver is only probed. */
const BREAK_AFTER = 5;
/** The delay before a probe of a silent receiver. Each failed probe doubles it. */
const PROBE_MS = 1_000;
const MAX_PROBE_MS = 60_000;
/** The shortest delay of a delivery that is turned away. */
const MIN_WAIT_MS = 500;
/**
 * The longest time between two deliveries that return to the same receiver. A return costs about as
 * much as a delivery, so two a second are affordable. 2,000 deliveries return within 20 min.
 */
const MAX_SPACING_MS = 500;
/** Deliveries that return per probe delay: quickly at first, in case the receiver is restarting. */
const RETURNS_PER_PROBE = 10;
/** The share by which delays vary upwards, so that deliveries of several workers spread out. */
const JITTER = 0.2;
/** A receiver with a longer average is slow: `foresee` reports it even if it has room. */
const SLOW_MS = 1_000;
/** The weight of the newest duration in a receiver's average. */
const NEWEST_SHARE = 0.2;
/**
 * Of exchanges that end within this time, only the longest counts. If this machine pauses, all
 * exchanges under way take longer, but the receiver is no slower.
 */
const MOMENT_MS = 50;
/**
 * The shortest delay that is written to the delivery's row, for people and for the sweep. It is far
 * below the time after which the sweep considers a delivery lost.
 */
export const RECORDED_FROM_MS = 10_000;
/** The number of receivers that are remembered. */
const MAX_RECEIVERS = 10_000;

export interface Exchange {
  /** True if there was any response. */
  readonly responded: boolean;
  /** The time until the response or the time limit, without our own work. */
  readonly tookMs: number;
}

/** The permission for one request. */
export interface Pass {
  /** Ends the request. Call it once; with null if an error of ours prevented the request. */
  leave(exchange: Exchange | null): void;
}

/** The delay of a delivery that is turned away. */
export interface Wait {
  readonly waitMs: number;
}

/** An endpoint with its tenant. */
interface Target {
  readonly _id: string;
  readonly m: string;
}

export interface Gate {
  /**
   * Lets a delivery in, or turns it away. Deliveries of a replay have their own queue, so new
   * events do not wait for them. A test waits for no other delivery and ignores the silence of the
   * receiver, because someone waits for the result.
   */
  enter(endpoint: Target, trigger?: DeliveryTrigger): Pass | Wait;
  /**
   * Returns the delay of a new delivery if it would be turned away now. Otherwise returns a delay
   * of 0 if the receiver is slow, or else null.
   */
  foresee(endpoint: Target): Wait | null;
}

type Receiver = ReturnType<typeof newReceiver>;

interface GateOptions {
  /** The number of deliveries that this process makes at once. */
  readonly slots: number;
  /** A monotonic clock, in milliseconds. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** Creates the gate of one worker process. */
export function makeGate({ slots, now, random }: GateOptions): Gate {
  const receivers = new LRUCache<string, Receiver>({ max: MAX_RECEIVERS });
  /** The number of requests under way, by merchant and mode. */
  const ofMerchants = new Map<string, number>();
  let total = 0;

  const limitNow = (): number =>
    Math.min(MAX_IN_FLIGHT, Math.max(1, Math.floor((slots - total) * SHARE_OF_FREE)));

  function turnAway(receiver: Receiver, trigger: DeliveryTrigger = 'automatic'): Wait {
    const waitMs = trigger === 'test' ? MIN_WAIT_MS : enqueue(receiver, trigger);
    return { waitMs: Math.round(waitMs * (1 + JITTER * random())) };
  }

  /** Adds a delivery to the queue of its receiver. Returns the milliseconds until its return. */
  function enqueue(receiver: Receiver, trigger: DeliveryTrigger): number {
    const at = now();
    const queue = trigger === 'replay' ? 'replays' : 'events';
    const silent = isSilent(receiver);
    const spacingMs = silent
      ? receiver.probeGapMs / RETURNS_PER_PROBE
      : receiver.averageMs / limitNow();
    const earliest = silent ? Math.max(receiver.probeAt, at) : at;
    const last = Math.max(receiver.lastReturnAt[queue], earliest);
    receiver.lastReturnAt[queue] = last + Math.min(spacingMs, MAX_SPACING_MS);
    return Math.max(receiver.lastReturnAt[queue] - at, MIN_WAIT_MS);
  }

  function count(tenant: string, change: 1 | -1): void {
    total += change;
    const left = (ofMerchants.get(tenant) ?? 0) + change;
    if (left > 0) ofMerchants.set(tenant, left);
    else ofMerchants.delete(tenant);
  }

  function mayEnter(receiver: Receiver, tenant: string, trigger?: DeliveryTrigger): boolean {
    // Each endpoint keeps one slot, even if the merchant's other endpoints use the whole share.
    const isCrowding =
      receiver.inFlight > 0 && (ofMerchants.get(tenant) ?? 0) >= slots * SHARE_OF_MERCHANT;
    if (isCrowding) return false;
    if (trigger === 'test' || !isSilent(receiver)) return receiver.inFlight < limitNow();
    return receiver.inFlight === 0 && receiver.probeAt <= now();
  }

  function letIn(receiver: Receiver, tenant: string, trigger?: DeliveryTrigger): Pass {
    const isProbe = isSilent(receiver) && trigger !== 'test';
    receiver.inFlight += 1;
    count(tenant, 1);
    return {
      leave(exchange) {
        receiver.inFlight -= 1;
        count(tenant, -1);
        if (exchange === null) return;
        recordDuration(receiver, exchange.tookMs, now());
        if (!exchange.responded) return recordSilence(receiver, now(), isProbe);
        receiver.unansweredInARow = 0;
        receiver.probeGapMs = 0;
        // It has room again, so new deliveries no longer queue behind those that were turned away.
        if (receiver.inFlight <= limitNow() / 2) receiver.lastReturnAt = { events: 0, replays: 0 };
      },
    };
  }

  return {
    enter({ _id, m: tenant }, trigger) {
      const receiver = receivers.get(_id) ?? newReceiver();
      receivers.set(_id, receiver);
      const isFree = mayEnter(receiver, tenant, trigger);
      return isFree ? letIn(receiver, tenant, trigger) : turnAway(receiver, trigger);
    },
    foresee({ _id, m: tenant }) {
      const receiver = receivers.get(_id);
      if (!receiver) return null;
      if (!mayEnter(receiver, tenant)) return turnAway(receiver);
      return receiver.averageMs > SLOW_MS ? { waitMs: 0 } : null;
    },
  };
}

const isSilent = ({ unansweredInARow }: Receiver): boolean => unansweredInARow >= BREAK_AFTER;

function recordDuration(receiver: Receiver, tookMs: number, at: number): void {
  const mix = (average: number): number => average + NEWEST_SHARE * (tookMs - average);
  if (tookMs <= receiver.averageMs) {
    receiver.averageMs = mix(receiver.averageMs);
    return;
  }
  if (at - receiver.raisedAt >= MOMENT_MS) {
    receiver.raisedAt = at;
    receiver.averageBefore = receiver.averageMs;
  }
  receiver.averageMs = Math.max(receiver.averageMs, mix(receiver.averageBefore));
}

/** Only a failed probe makes the next delay longer. Requests that fail together count once. */
function recordSilence(receiver: Receiver, at: number, isProbe: boolean): void {
  receiver.unansweredInARow += 1;
  if (!isSilent(receiver)) return;
  const gapMs = isProbe ? receiver.probeGapMs * 2 : receiver.probeGapMs;
  receiver.probeGapMs = Math.min(Math.max(gapMs, PROBE_MS), MAX_PROBE_MS);
  receiver.probeAt = at + receiver.probeGapMs;
}

const newReceiver = () => ({
  inFlight: 0,
  unansweredInARow: 0,
  /** The time of the next probe. It matters only while the receiver is silent. */
  probeAt: 0,
  probeGapMs: 0,
  averageMs: 0,
  /** The end of the newest exchange that raised the average, and the average before it. */
  raisedAt: Number.NEGATIVE_INFINITY,
  averageBefore: 0,
  /** The time at which the last delivery of each queue returns. */
  lastReturnAt: { events: 0, replays: 0 },
});
