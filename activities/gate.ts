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
/** Turned away for so long at least and at most; how long exactly is a guess at its turn. */
const MIN_WAIT_MS = 500;
const MAX_WAIT_MS = 30_000;
/** Delays vary upwards by this share, so that what was turned away together comes back apart. */
const JITTER = 0.5;
/** How much the newest duration counts in a receiver's average. */
const NEWEST_SHARE = 0.2;
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
  enter(endpointId: string): Pass | Wait;
}

interface Receiver {
  inFlight: number;
  unansweredInARow: number;
  /** When it may be probed next, unix milliseconds; only of interest while it does not answer. */
  probeAt: number;
  averageMs: number;
  /** When those come back who were turned away, unix milliseconds. */
  turnedAway: number[];
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

  function turnAway(receiver: Receiver, atLeastMs: number): Wait {
    const at = now();
    receiver.turnedAway = receiver.turnedAway.filter((back) => back > at);
    const turnMs = (receiver.turnedAway.length * receiver.averageMs) / limitNow();
    const plainMs = Math.min(Math.max(turnMs, MIN_WAIT_MS), MAX_WAIT_MS);
    const waitMs = Math.round(Math.max(plainMs, atLeastMs) * (1 + JITTER * random()));
    receiver.turnedAway.push(at + waitMs);
    return { waitMs };
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
      },
    };
  }

  return {
    enter(endpointId) {
      const receiver = receivers.get(endpointId) ?? newReceiver();
      receivers.set(endpointId, receiver);
      if (receiver.unansweredInARow >= BREAK_AFTER) {
        const untilProbeMs = Math.max(receiver.probeAt - now(), 0);
        const isProbed = receiver.inFlight > 0;
        return isProbed || untilProbeMs > 0 ? turnAway(receiver, untilProbeMs) : letIn(receiver);
      }
      return receiver.inFlight < limitNow() ? letIn(receiver) : turnAway(receiver, 0);
    },
  };
}

function newReceiver(): Receiver {
  return { inFlight: 0, unansweredInARow: 0, probeAt: 0, averageMs: 0, turnedAway: [] };
}
