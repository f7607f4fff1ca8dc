/** Events: what a merchant hears of, and the text that is stored once and sent as it is. */

import { timeOf } from './id.ts';
import { isLive } from './merchant.ts';

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
export type EventType = (typeof EVENT_TYPES)[number];

/**
 * Stands in the cause of an event that was made for one endpoint, to try it out: it concerns no
 * other, and is not sent again together with what really happened.
 */
export const TRIAL = ':trial:';

export interface EventRequest {
  readonly id: string;
  readonly idempotency_key: string | null;
}

export interface Event {
  _id: string;
  m: string;
  type: EventType;
  payment_id: string | null;
  /** What happened, once: a second event of the same cause is refused by a unique index. */
  cause: string;
  /** The exact JSON text that every delivery carries and `GET /v1/events` returns, for ever. */
  body: string;
  created_at: Date;
}

/** The body of an event: `object` is the resource as it is at this moment. */
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
  readonly m: string;
  readonly type: EventType;
  readonly paymentId: string | null;
  readonly cause: string;
  /** The resource as it is at this moment. */
  readonly object: unknown;
  readonly request: EventRequest | null;
}

/** The event of that id, created when the id was minted, with its body. */
export function composeEvent(event: NewEvent): Event {
  const { id, m, type, paymentId, cause, object, request } = event;
  const createdAt = new Date(timeOf(id));
  const body = eventBody({ id, type, createdAt, livemode: isLive(m), object, request });
  return { _id: id, m, type, payment_id: paymentId, cause, body, created_at: createdAt };
}

/**
 * The event types that a selector stands for: a name, `payment.*`, or `*`; undefined when it is
 * none of these.
 */
export function typesOf(selector: string): readonly EventType[] | undefined {
  if (selector === '*') return EVENT_TYPES;
  const family = selector.endsWith('.*') ? selector.slice(0, -1) : undefined;
  const types = EVENT_TYPES.filter((type) =>
    family === undefined ? type === selector : type.startsWith(family),
  );
  return types.length > 0 ? types : undefined;
}
