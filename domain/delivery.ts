/** A delivery is one event for one endpoint; its row owns the count of attempts and the clock. */

/**
 * `skipped`: its endpoint was disabled when the event was made. `stopped`: it was deleted or
 * disabled before the delivery succeeded.
 */
export const DELIVERY_STATES = ['pending', 'succeeded', 'failed', 'skipped', 'stopped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/**
 * What made a delivery: the event itself, a person who wants it sent again, a replay of events, or
 * a trial.
 */
export type DeliveryTrigger = 'automatic' | 'manual' | 'replay' | 'test';

/** Why an attempt failed, from a fixed list; null for an attempt that was answered with 2xx. */
export type DeliveryError =
  | 'address_blocked'
  | 'dns_failed'
  | 'connect_failed'
  | 'connect_timeout'
  | 'tls_failed'
  | 'timeout'
  | 'connection_reset'
  | 'response_invalid'
  | 'redirect'
  | 'status';

/** Name and value, in the order they were sent. */
type HeaderList = (readonly [name: string, value: string])[];

/** As much of an answer as is kept for people. */
export interface DeliveryResponse {
  headers: HeaderList;
  /** The beginning of the body as text; bytes that are none are replaced. */
  body: string;
  /** Whether the body was longer than what was read of it. */
  truncated: boolean;
}

/** Milliseconds; null for what did not take place, as on a connection that was open already. */
export interface DeliveryTimings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  /** From the beginning of the attempt to the answer's first byte. */
  first_byte: number | null;
}

export interface DeliveryAttempt {
  number: number;
  at: Date;
  duration_ms: number;
  /** The HTTP status of the answer, or null when there was none. */
  status: number | null;
  error: DeliveryError | null;
  /** What was sent, besides the event's bytes; absent on attempts from before it was kept. */
  request?: { url: string; headers: HeaderList };
  response?: DeliveryResponse | null;
  timings?: DeliveryTimings;
}

export interface Delivery {
  _id: string;
  m: string;
  endpoint_id: string;
  event_id: string;
  state: DeliveryState;
  /** Absent on deliveries that the event itself made. */
  trigger?: DeliveryTrigger;
  /** Of the replay that made it, of which there may be many. */
  replay_id?: string;
  attempts: DeliveryAttempt[];
  /** Null when nothing more will be sent. */
  next_attempt_at: Date | null;
  created_at: Date;
}

/** A delivery that was never tried; a pending one is due at once. */
export function newDelivery(made: {
  id: string;
  m: string;
  endpointId: string;
  eventId: string;
  state: 'pending' | 'skipped';
  trigger: DeliveryTrigger;
  now: Date;
}): Delivery {
  const { id, m, endpointId, eventId, state, trigger, now } = made;
  return {
    _id: id,
    m,
    endpoint_id: endpointId,
    event_id: eventId,
    state,
    ...(trigger === 'automatic' ? {} : { trigger }),
    attempts: [],
    next_attempt_at: state === 'pending' ? now : null,
    created_at: now,
  };
}

const SECOND = 1;
const MINUTE = 60;
const HOUR = 3_600;

/** Seconds before each of the 12 attempts, from the one before: 75 h 42 min 35 s in all. */
export const DEFAULT_SCHEDULE_SECONDS: readonly number[] = [
  0,
  5 * SECOND,
  30 * SECOND,
  2 * MINUTE,
  10 * MINUTE,
  30 * MINUTE,
  2 * HOUR,
  5 * HOUR,
  10 * HOUR,
  14 * HOUR,
  20 * HOUR,
  24 * HOUR,
];

/** Delays vary by this share both ways, so that one outage's retries do not come back together. */
export const JITTER = 0.2;
/** A receiver may ask for a later attempt (`Retry-After`), but not for one later than this. */
export const MAX_RETRY_AFTER_MS = 24 * HOUR * 1000;

export type AttemptVerdict =
  | { readonly kind: 'succeeded' }
  /** 410: the receiver says that nobody lives there any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'retry'; readonly delayMs: number };

/**
 * What follows from the attempt of that number (from 1). `random` is in [0, 1); the delay is never
 * shorter than the schedule's less the jitter, and never shorter than `retryAfterMs` asks.
 */
export function judgeAttempt(attempt: {
  number: number;
  status: number | null;
  retryAfterMs: number | null;
  scheduleSeconds: readonly number[];
  random: number;
}): AttemptVerdict {
  const { status } = attempt;
  if (status !== null && status >= 200 && status < 300) return { kind: 'succeeded' };
  if (status === 410) return { kind: 'gone' };
  return judgeFailure(attempt);
}

/** What follows from a failed attempt, whatever it was answered. */
export function judgeFailure(
  attempt: Omit<Parameters<typeof judgeAttempt>[0], 'status'>,
): AttemptVerdict {
  const seconds = attempt.scheduleSeconds[attempt.number];
  if (seconds === undefined) return { kind: 'failed' };
  const jittered = seconds * 1000 * (1 - JITTER + 2 * JITTER * attempt.random);
  const asked = Math.min(attempt.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return { kind: 'retry', delayMs: Math.max(Math.round(jittered), asked) };
}

/** An HTTP date; what else `Date.parse` takes for a date ("tomorrow 5") is none. */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, .* GMT$/;

/**
 * The delay that a `Retry-After` header asks for, in milliseconds: seconds or an HTTP date; null
 * when there is none or it cannot be read.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
