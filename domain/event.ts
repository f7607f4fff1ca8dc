/** Events: what a merchant hears of, and the text that is stored once and sent as it is. */

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
