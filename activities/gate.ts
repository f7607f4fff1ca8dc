/**
 * Keeps one receiver from taking the slots of this worker process that the others need. Nothing is
 * lost by being turned away: the delivery comes back after the delay it is told.
 */
import { LRUCache } from 'lru-cache';

/** However many slots are free, one receiver gets no more requests at once. */
const MAX_IN_FLIGHT = 20;
/**
 * A receiver may hold this share of what is free, so that many slow ones together still leave
 * room: the fuller the worker, the less each gets.
 */
const SHARE_OF_FREE = 1 / 4;
/** So many requests in a row without an answer, and the receiver is only probed. */
const BREAK_AFTER = 5;
/** Between two probes of a receiver that does not answer: doubled each time, up to the longest. */
const PROBE_MS = 1_000;
const MAX_PROBE_MS = 60_000;
/** Whoever is turned away stays away for so long at least. */
const MIN_WAIT_MS = 500;
/**
 * Those that wait for one receiver come back one after another, this far apart at most, or sooner
 * when it takes them sooner. Being turned away once more costs about as much as a delivery, so
 * however many wait, it happens twice a second; 2,000 are through within 20 min.
 */
const MAX_TURN_MS = 500;
/** Delays vary upwards by this share, so that what several workers turned away comes back apart. */
const JITTER = 0.2;
/** A receiver that takes longer on average is not noticed to be served after the quick ones. */
const SLOW_MS = 1_000;
/** How much the newest duration counts in a receiver's average. */
const NEWEST_SHARE = 0.2;
/**
 * A wait from this on is told by the row of the delivery, for people and for the sweep; a shorter
 * one is not worth a write, and far below what the sweep takes for lost.
 */
export const TOLD_FROM_MS = 10_000;
/** Receivers that are remembered; the one unused for longest is forgotten. */
const MAX_RECEIVERS = 10_000;

/**
 * Let in; `leave` has to be called once, with whether the receiver answered at all, or null when
 * it was not asked: a fault of ours says nothing about it.
 */
export interface Pass {
  leave(answered: boolean | null): void;
}

/** Turned away, for so many milliseconds. */
export interface Wait {
  readonly waitMs: number;
}

export interface Gate {
  /** `isTrial`: somebody waits to see whether the receiver hears, and stands behind nobody. */
  enter(endpointId: string, isTrial?: boolean): Pass | Wait;
  /**
   * The turn of a new delivery that would be turned away now, no wait at all for one whose receiver
   * is slow, and null where nothing speaks against it.
   */
  foresee(endpointId: string): Wait | null;
}

interface Receiver {
  inFlight: number;
  unansweredInARow: number;
  /** When it may be probed next, unix milliseconds; only of interest while it does not answer. */
  probeAt: number;
  averageMs: number;
  /** When the last of those comes back who were turned away, unix milliseconds. */
  lastTurnAt: number;
}

export interface GateOptions {
  /** Deliveries that this process makes at once. */
  readonly slots: number;
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** A gate for one worker process. */
export function makeGate({ slots, now, random }: GateOptions): Gate {
  const receivers = new LRUCache<string, Receiver>({ max: MAX_RECEIVERS });
  let total = 0;

  const limitNow = (): number =>
    Math.min(MAX_IN_FLIGHT, Math.max(1, Math.floor((slots - total) * SHARE_OF_FREE)));

  function turnAway(receiver: Receiver): Wait {
    const at = now();
    const silent = isSilent(receiver);
    const turnMs = silent ? MAX_TURN_MS : Math.min(receiver.averageMs / limitNow(), MAX_TURN_MS);
    const earliest = silent ? Math.max(receiver.probeAt, at) : at;
    receiver.lastTurnAt = Math.max(receiver.lastTurnAt, earliest) + turnMs;
    const waitMs = Math.max(receiver.lastTurnAt - at, MIN_WAIT_MS);
    return { waitMs: Math.round(waitMs * (1 + JITTER * random())) };
  }

  function mayEnter(receiver: Receiver, isTrial = false): boolean {
    if (isTrial || !isSilent(receiver)) return receiver.inFlight < limitNow();
    return receiver.inFlight === 0 && receiver.probeAt <= now();
  }

  function letIn(receiver: Receiver): Pass {
    const begun = now();
    receiver.inFlight += 1;
    total += 1;
    return {
      leave(answered) {
        const at = now();
        receiver.inFlight -= 1;
        total -= 1;
        if (answered === null) return;
        receiver.averageMs += NEWEST_SHARE * (at - begun - receiver.averageMs);
        receiver.unansweredInARow = answered ? 0 : receiver.unansweredInARow + 1;
        const beyond = receiver.unansweredInARow - BREAK_AFTER;
        if (beyond >= 0) receiver.probeAt = at + Math.min(PROBE_MS * 2 ** beyond, MAX_PROBE_MS);
        // It has room again: who comes new stands behind nobody who is still away.
        if (answered && receiver.inFlight === 0) receiver.lastTurnAt = 0;
      },
    };
  }

  return {
    enter(endpointId, isTrial) {
      const receiver = receivers.get(endpointId) ?? newReceiver();
      receivers.set(endpointId, receiver);
      return mayEnter(receiver, isTrial) ? letIn(receiver) : turnAway(receiver);
    },
    foresee(endpointId) {
      const receiver = receivers.get(endpointId);
      if (!receiver) return null;
      if (!mayEnter(receiver)) return turnAway(receiver);
      return receiver.averageMs > SLOW_MS ? { waitMs: 0 } : null;
    },
  };
}

function isSilent(receiver: Receiver): boolean {
  return receiver.unansweredInARow >= BREAK_AFTER;
}

function newReceiver(): Receiver {
  return { inFlight: 0, unansweredInARow: 0, probeAt: 0, averageMs: 0, lastTurnAt: 0 };
}
