/** A delivery is one event for one endpoint. Its row has the attempts and the time of the next. */
import type { TenantRow } from './merchant.ts';

/**
 * `skipped`: the endpoint was disabled when the event was created. `stopped`: the endpoint was
 * disabled or deleted, or the replay stopped, before the delivery succeeded.
 */
export const DELIVERY_STATES = ['pending', 'succeeded', 'failed', 'skipped', 'stopped'] as const;
export type DeliveryState = (typeof DELIVERY_STATES)[number];

/** The cause of a delivery: the event itself, a person who resends it, a replay, or a test. */
export type DeliveryTrigger = 'automatic' | 'manual' | 'replay' | 'test';

/** The reason why an attempt failed. */
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
  | 'planned'
  | 'status';

/** Names and values, in the order in which they were sent. */
type HeaderList = (readonly [name: string, value: string])[];

/** The part of a response that is stored for people. */
export interface DeliveryResponse {
  headers: HeaderList;
  /** The beginning of the body as text. Bytes that are not UTF-8 are replaced. */
  body: string;
  /** True if the body was longer than the part that was read. */
  truncated: boolean;
}

/** Durations in milliseconds. A step that did not happen has null, as on an open connection. */
export interface DeliveryTimings {
  dns: number | null;
  connect: number | null;
  tls: number | null;
  /** From the beginning of the attempt to the first byte of the response. */
  first_byte: number | null;
}

export interface DeliveryAttempt {
  number: number;
  at: Date;
  duration_ms: number;
  /** The HTTP status, or null without a response. */
  status: number | null;
  /** Null after a 2xx response. */
  error: DeliveryError | null;
  /** The request without its body. Absent on attempts of earlier versions. */
  request?: { url: string; headers: HeaderList };
  response?: DeliveryResponse | null;
  timings?: DeliveryTimings;
}

export interface Delivery extends TenantRow {
  _id: string;
  endpoint_id: string;
  event_id: string;
  state: DeliveryState;
  /** Absent on automatic deliveries. */
  trigger?: DeliveryTrigger;
  /** True for an example: it is not retried, because its payment does not exist. */
  once?: true;
  /** The replay that created it. */
  replay_id?: string;
  /** How often a person has sent its event again from here. Absent until then. */
  resends?: number;
  attempts: DeliveryAttempt[];
  /** Null if no attempt will follow. */
  next_attempt_at: Date | null;
  /** The attempt that somebody asked to make at once, and the request. Test mode only. */
  hastened?: { number: number; request_id: string };
  created_at: Date;
}

/** The part of a pending delivery that starts its activity. */
export type DueDelivery = Pick<Delivery, '_id' | 'm' | 'endpoint_id'> & { next_attempt_at: Date };

interface NewDelivery {
  readonly id: string;
  readonly tenant: string;
  readonly endpointId: string;
  readonly eventId: string;
  readonly state: 'pending' | 'skipped';
  readonly trigger: DeliveryTrigger;
  readonly once?: boolean;
  readonly now: Date;
}

/** Returns a delivery without attempts. A pending one is due at once. */
export function newDelivery(delivery: NewDelivery): Delivery {
  const { id, tenant, endpointId, eventId, state, trigger, once = false, now } = delivery;
  return {
    _id: id,
    m: tenant,
    endpoint_id: endpointId,
    event_id: eventId,
    state,
    ...(trigger === 'automatic' ? {} : { trigger }),
    ...(once && { once }),
    attempts: [],
    next_attempt_at: state === 'pending' ? now : null,
    created_at: now,
  };
}

/**
 * The delay of each of the 12 attempts after the previous one: 0, 5 s, 30 s, 2 min, 10 min, 30 min,
 * 2 h, 5 h, 10 h, 14 h, 20 h and 24 h; 75 h 42 min 35 s in all.
 */
export const DEFAULT_SCHEDULE_SECONDS: readonly number[] = [
  0, 5, 30, 120, 600, 1_800, 7_200, 18_000, 36_000, 50_400, 72_000, 86_400,
];

/** Delays vary by this share in both directions, so that retries after an outage are spread. */
export const JITTER = 0.2;
/** The longest delay that a receiver can ask for (`Retry-After`). */
const MAX_RETRY_AFTER_MS = 24 * 60 * 60 * 1000;

export type AttemptVerdict =
  | { readonly kind: 'succeeded' }
  /** 410: the receiver does not exist any more. */
  | { readonly kind: 'gone' }
  | { readonly kind: 'failed' }
  | { readonly kind: 'retry'; readonly delayMs: number };

/**
 * Judges the attempt of that number (from 1). `random` is in [0, 1). The delay is at least that of
 * the schedule minus the jitter, and at least `retryAfterMs` up to a day.
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

/** Judges an attempt that has failed, whatever its status. */
export function judgeFailure(
  attempt: Omit<Parameters<typeof judgeAttempt>[0], 'status'>,
): AttemptVerdict {
  const seconds = attempt.scheduleSeconds[attempt.number];
  if (seconds === undefined) return { kind: 'failed' };
  const jittered = seconds * 1000 * (1 - JITTER + 2 * JITTER * attempt.random);
  const asked = Math.min(attempt.retryAfterMs ?? 0, MAX_RETRY_AFTER_MS);
  return { kind: 'retry', delayMs: Math.max(Math.round(jittered), asked) };
}

/** The metadata of a payment or refund in test mode that plans failures of its deliveries. */
export const FAILURES_KEY = 'test_webhook_failures';
/** The most failures that can be planned. `tollgate listen` makes four attempts in all. */
export const MAX_PLANNED_FAILURES = 3;

/**
 * Returns how many first attempts of an event's deliveries count as failed, whatever the receiver
 * responds. `body` is the event as it is sent. Returns 0 in live mode.
 */
export function plannedFailures(body: string): number {
  if (!body.includes(FAILURES_KEY)) return 0;
  const { livemode, data } = JSON.parse(body) as {
    livemode: boolean;
    data: { object: { metadata?: Readonly<Record<string, string>> } };
  };
  const planned = Number(data.object.metadata?.[FAILURES_KEY]);
  return !livemode && planned >= 1 && planned <= MAX_PLANNED_FAILURES ? Math.floor(planned) : 0;
}

/** The form of an HTTP date. `Date.parse` would also accept "tomorrow 5". */
const HTTP_DATE = /^[A-Z][a-z]{2,8}, .* GMT$/;

/**
 * Returns the delay in a `Retry-After` header (seconds or an HTTP date), in milliseconds. Returns
 * null if the header is missing or malformed.
 */
export function readRetryAfter(header: string | undefined, nowMs: number): number | null {
  if (header === undefined) return null;
  const text = header.trim();
  if (/^\d+$/.test(text)) return Number(text) * 1000;
  const date = HTTP_DATE.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(date) ? null : Math.max(0, date - nowMs);
}
