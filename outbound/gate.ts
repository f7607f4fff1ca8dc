/**
 * Keeps one receiver from taking the slots of this worker process that the others need. Nothing is
 * lost by being turned away: the delivery comes back after the delay it is told.
 */
import { LRUCache } from 'lru-cache';
import type { DeliveryTrigger } from '../domain/delivery.ts';

/** However many slots are free, one receiver gets no more requests at once. */
const MAX_IN_FLIGHT = 20;
/**
 * A receiver may hold this share of what is free, so that many slow ones together still leave
 * room: the fuller the worker, the less each gets.
 */
const SHARE_OF_FREE = 1 / 4;
/**
 * The share of slots for all endpoints of one merchant and mode. The other merchants always find
 * free slots.
 */
const SHARE_OF_MERCHANT = 1 / 2;
/** So many requests in a row without an answer, and the receiver is only probed. */
const BREAK_AFTER = 5;
/** Before a probe of a receiver that does not answer: doubled by each in vain, up to the longest. */
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
/** Those that wait for a receiver which was just heard come closer together: it may be restarting. */
const TURNS_IN_A_GAP = 10;
/** Delays vary upwards by this share, so that what several workers turned away comes back apart. */
const JITTER = 0.2;
/** A receiver that takes longer on average is not noticed to be served after the quick ones. */
const SLOW_MS = 1_000;
/** How much the newest duration counts in a receiver's average. */
const NEWEST_SHARE = 0.2;
/**
 * Of those that end within so long of each other, the longest counts alone: a machine that stands
 * still for a while lengthens all that are under way, which makes the receiver no slower.
 */
const MOMENT_MS = 50;
/**
 * A wait from this on is told by the row of the delivery, for people and for the sweep; a shorter
 * one is not worth a write, and far below what the sweep takes for lost.
 */
export const TOLD_FROM_MS = 10_000;
/** Receivers that are remembered; the one unused for longest is forgotten. */
const MAX_RECEIVERS = 10_000;

/** What came of a request. */
export interface Exchange {
  /** Whether there was any answer. */
  readonly answered: boolean;
  /** From its beginning to the answer or to the end of our patience, without work of our own. */
  readonly tookMs: number;
}

/**
 * Let in; `leave` has to be called once, with what came of it, or null when the receiver was not
 * asked: a fault of ours says nothing about it.
 */
export interface Pass {
  leave(exchange: Exchange | null): void;
}

/** Turned away, for so many milliseconds. */
export interface Wait {
  readonly waitMs: number;
}

/** An endpoint and its tenant `m`. */
interface Addressee {
  readonly _id: string;
  readonly m: string;
}

export interface Gate {
  /**
   * What a replay sends waits in a line of its own: new events do not stand behind it. A trial
   * stands behind nobody and is made while the receiver is silent, since somebody waits to see.
   */
  enter(endpoint: Addressee, trigger?: DeliveryTrigger): Pass | Wait;
  /**
   * The turn of a new delivery that would be turned away now, no wait at all for one whose receiver
   * is slow, and null where nothing speaks against it.
   */
  foresee(endpoint: Addressee): Wait | null;
}

interface Receiver {
  inFlight: number;
  unansweredInARow: number;
  /** When it may be probed next; only of interest while it does not answer. */
  probeAt: number;
  probeGapMs: number;
  averageMs: number;
  /** When the newest exchange ended that made the average longer, and what it was before that. */
  lengthenedAt: number;
  averageBefore: number;
  /** When the last of those comes back who were turned away. */
  lastTurnAt: Record<Line, number>;
}

type Line = 'events' | 'replays';

interface GateOptions {
  /** Deliveries that this process makes at once. */
  readonly slots: number;
  /** Milliseconds of a clock that nobody sets. */
  readonly now: () => number;
  /** In [0, 1). */
  readonly random: () => number;
}

/** A gate for one worker process. */
export function makeGate({ slots, now, random }: GateOptions): Gate {
  const receivers = new LRUCache<string, Receiver>({ max: MAX_RECEIVERS });
  /** The number of requests under way, by merchant and mode. */
  const ofMerchants = new Map<string, number>();
  let total = 0;

  const limitNow = (): number =>
    Math.min(MAX_IN_FLIGHT, Math.max(1, Math.floor((slots - total) * SHARE_OF_FREE)));

  function turnAway(receiver: Receiver, trigger: DeliveryTrigger = 'automatic'): Wait {
    const waitMs = trigger === 'test' ? MIN_WAIT_MS : turnOf(receiver, trigger);
    return { waitMs: Math.round(waitMs * (1 + JITTER * random())) };
  }

  function turnOf(receiver: Receiver, trigger: DeliveryTrigger): number {
    const at = now();
    const line: Line = trigger === 'replay' ? 'replays' : 'events';
    const silent = isSilent(receiver);
    const apartMs = silent ? receiver.probeGapMs / TURNS_IN_A_GAP : receiver.averageMs / limitNow();
    const earliest = silent ? Math.max(receiver.probeAt, at) : at;
    const behind = Math.max(receiver.lastTurnAt[line], earliest);
    receiver.lastTurnAt[line] = behind + Math.min(apartMs, MAX_TURN_MS);
    return Math.max(receiver.lastTurnAt[line] - at, MIN_WAIT_MS);
  }

  function count(m: string, change: 1 | -1): void {
    total += change;
    const left = (ofMerchants.get(m) ?? 0) + change;
    if (left > 0) ofMerchants.set(m, left);
    else ofMerchants.delete(m);
  }

  function mayEnter(receiver: Receiver, m: string, trigger?: DeliveryTrigger): boolean {
    // Each endpoint keeps one slot, whatever the merchant's other endpoints take.
    const isCrowding =
      receiver.inFlight > 0 && (ofMerchants.get(m) ?? 0) >= slots * SHARE_OF_MERCHANT;
    if (isCrowding) return false;
    if (trigger === 'test' || !isSilent(receiver)) return receiver.inFlight < limitNow();
    return receiver.inFlight === 0 && receiver.probeAt <= now();
  }

  function letIn(receiver: Receiver, m: string, trigger?: DeliveryTrigger): Pass {
    const isProbe = isSilent(receiver) && trigger !== 'test';
    receiver.inFlight += 1;
    count(m, 1);
    return {
      leave(exchange) {
        receiver.inFlight -= 1;
        count(m, -1);
        if (exchange === null) return;
        noteDuration(receiver, exchange.tookMs, now());
        if (!exchange.answered) return noteSilence(receiver, { isProbe, at: now() });
        receiver.unansweredInARow = 0;
        receiver.probeGapMs = 0;
        // It has room again: who comes new stands behind nobody who is still away.
        if (receiver.inFlight <= limitNow() / 2) receiver.lastTurnAt = { events: 0, replays: 0 };
      },
    };
  }

  return {
    enter({ _id, m }, trigger) {
      const receiver = receivers.get(_id) ?? newReceiver();
      receivers.set(_id, receiver);
      const isFree = mayEnter(receiver, m, trigger);
      return isFree ? letIn(receiver, m, trigger) : turnAway(receiver, trigger);
    },
    foresee({ _id, m }) {
      const receiver = receivers.get(_id);
      if (!receiver) return null;
      if (!mayEnter(receiver, m)) return turnAway(receiver);
      return receiver.averageMs > SLOW_MS ? { waitMs: 0 } : null;
    },
  };
}

function isSilent(receiver: Receiver): boolean {
  return receiver.unansweredInARow >= BREAK_AFTER;
}

function noteDuration(receiver: Receiver, tookMs: number, at: number): void {
  const mix = (average: number): number => average + NEWEST_SHARE * (tookMs - average);
  if (tookMs <= receiver.averageMs) {
    receiver.averageMs = mix(receiver.averageMs);
    return;
  }
  if (at - receiver.lengthenedAt >= MOMENT_MS) {
    receiver.lengthenedAt = at;
    receiver.averageBefore = receiver.averageMs;
  }
  receiver.averageMs = Math.max(receiver.averageMs, mix(receiver.averageBefore));
}

/** Many that fail together are one silence: only a probe in vain makes the next one wait longer. */
function noteSilence(receiver: Receiver, { isProbe, at }: { isProbe: boolean; at: number }): void {
  receiver.unansweredInARow += 1;
  if (!isSilent(receiver)) return;
  const gapMs = isProbe ? receiver.probeGapMs * 2 : receiver.probeGapMs;
  receiver.probeGapMs = Math.min(Math.max(gapMs, PROBE_MS), MAX_PROBE_MS);
  receiver.probeAt = at + receiver.probeGapMs;
}

function newReceiver(): Receiver {
  return {
    inFlight: 0,
    unansweredInARow: 0,
    probeAt: 0,
    probeGapMs: 0,
    averageMs: 0,
    lengthenedAt: Number.NEGATIVE_INFINITY,
    averageBefore: 0,
    lastTurnAt: { events: 0, replays: 0 },
  };
}
