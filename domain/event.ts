/** Events, which merchants receive. The text of an event is stored once and sent unchanged. */
import { timeOf } from './id.ts';
import { isLive } from './merchant.ts';
import type { TenantRow } from './merchant.ts';
import type { Trace } from './trace.ts';

export const API_VERSION = 'v1';

export const EVENT_TYPES = [
  'payment.completed',
  'payment.attempt_failed',
  'payment.failed',
  'payment.canceled',
  'payment.expired',
  'payment.refunded',
  'refund.created',
  'refund.completed',
  'refund.failed',
  'refund.canceled',
  'webhook_endpoint.disabled',
  'webhook_endpoint.ping',
] as const;
/** `payment.*` means all types that begin with `payment.`. */
const FAMILIES = [...new Set(EVENT_TYPES.map((type) => `${type.split('.')[0]}.*`))];
/** The names of types, of families of types, and of all types. */
export const EVENT_SELECTORS: readonly string[] = [...EVENT_TYPES, ...FAMILIES, '*'];

export type EventType = (typeof EVENT_TYPES)[number];

/** Part of the cause of a test event, which goes to one endpoint only and is never replayed. */
export const TRIAL = ':trial:';

export interface EventRequest {
  readonly id: string;
  readonly idempotency_key: string | null;
}

export interface Event extends TenantRow {
  _id: string;
  type: EventType;
  payment_id: string | null;
  /** The id of what happened. A unique index refuses a second event with the same cause. */
  cause: string;
  /** The JSON text that every delivery sends and `GET /v1/events` returns. It never changes. */
  body: string;
  /** What it belongs to, for its deliveries. Absent without a trace, and in earlier versions. */
  trace?: Trace;
  created_at: Date;
}

/** Returns the body of an event about the public `object`. */
export function eventBody(event: {
  id: string;
  type: EventType;
  createdAt: Date;
  livemode: boolean;
  object: unknown;
  request: EventRequest | null;
}): string {
  return JSON.stringify({
    id: event.id,
    object: 'event',
    type: event.type,
    api_version: API_VERSION,
    created_at: event.createdAt.toISOString(),
    livemode: event.livemode,
    data: { object: event.object },
    request: event.request,
  });
}

interface NewEvent {
  readonly id: string;
  readonly tenant: string;
  readonly type: EventType;
  readonly paymentId: string | null;
  readonly cause: string;
  /** The public object at the time of the event. */
  readonly object: unknown;
  readonly request: EventRequest | null;
  readonly trace?: Trace | undefined;
}

/** Returns an event with its body. Its time is that of its id. */
export function composeEvent(event: NewEvent): Event {
  const { id, tenant, type, paymentId, cause } = event;
  const createdAt = new Date(timeOf(id));
  const body = eventBody({ ...event, createdAt, livemode: isLive(tenant) });
  const row = { _id: id, m: tenant, type, payment_id: paymentId, cause, body };
  return { ...row, ...(event.trace ? { trace: event.trace } : {}), created_at: createdAt };
}

/** Returns the event types of a selector (a name, `payment.*` or `*`), or undefined. */
export function typesOf(selector: string): readonly EventType[] | undefined {
  if (selector === '*') return EVENT_TYPES;
  const family = selector.endsWith('.*') ? selector.slice(0, -1) : undefined;
  const types = EVENT_TYPES.filter((type) =>
    family === undefined ? type === selector : type.startsWith(family),
  );
  return types.length > 0 ? types : undefined;
}
