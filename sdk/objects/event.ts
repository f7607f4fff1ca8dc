/**
 * Events, by type, and the endpoints that they go to. Written by `npm run sdk:types`: do not edit.
 */
import type { Payment } from './payment.ts';
import type { Refund } from './refund.ts';

/** Something happened. Its bytes never change: lists answer what was delivered. */
export type Event = PaymentEvent | RefundEvent | WebhookEndpointEvent;

export interface PaymentEvent {
  /** The same for every delivery of it: go by this. */
  id: string;
  /** Always `event`. */
  object: 'event';
  type:
    | 'payment.completed'
    | 'payment.attempt_failed'
    | 'payment.failed'
    | 'payment.canceled'
    | 'payment.expired'
    | 'payment.refunded';
  api_version: 'v1';
  /** When it happened. */
  created_at: string;
  /** Whether real money moves; false in test mode. */
  livemode: boolean;
  /** `object` is the resource as it was at that moment; it may have moved on. */
  data: {
    object: Payment;
  };
  /** The API request that caused it; null when no request did. */
  request: {
    id: string;
    idempotency_key: string | null;
  } | null;
}

export interface RefundEvent {
  /** The same for every delivery of it: go by this. */
  id: string;
  /** Always `event`. */
  object: 'event';
  type: 'refund.created' | 'refund.completed' | 'refund.failed' | 'refund.canceled';
  api_version: 'v1';
  /** When it happened. */
  created_at: string;
  /** Whether real money moves; false in test mode. */
  livemode: boolean;
  /** `object` is the resource as it was at that moment; it may have moved on. */
  data: {
    object: Refund;
  };
  /** The API request that caused it; null when no request did. */
  request: {
    id: string;
    idempotency_key: string | null;
  } | null;
}

export interface WebhookEndpointEvent {
  /** The same for every delivery of it: go by this. */
  id: string;
  /** Always `event`. */
  object: 'event';
  type: 'webhook_endpoint.disabled' | 'webhook_endpoint.ping';
  api_version: 'v1';
  /** When it happened. */
  created_at: string;
  /** Whether real money moves; false in test mode. */
  livemode: boolean;
  /** `object` is the resource as it was at that moment; it may have moved on. */
  data: {
    object: WebhookEndpoint;
  };
  /** The API request that caused it; null when no request did. */
  request: {
    id: string;
    idempotency_key: string | null;
  } | null;
}

/**
 * A receiver of your events. It is registered by whoever runs the service; its secret is shown
 * once, then.
 */
export interface WebhookEndpoint {
  /** Sorts by time of creation. */
  id: string;
  /** Always `webhook_endpoint`. */
  object: 'webhook_endpoint';
  /** Where events are POSTed to. */
  url: string;
  description: string | null;
  /** Event types, families such as `payment.*`, or `*` for everything. */
  enabled_events: string[];
  /** Only an `enabled` endpoint is sent anything. Lists leave out deleted ones. */
  status: 'enabled' | 'disabled' | 'deleted';
  /** `gone`: it answered 410. `failing`: nothing but failures for 5 days. `merchant`: you did. */
  disabled_reason: 'gone' | 'failing' | 'merchant' | null;
  /** Whether real money moves; false in test mode. */
  livemode: boolean;
  /** The last characters of its signing secret. */
  secret_hint: string;
  /** When it was registered. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  health: {
    /** When a delivery last succeeded, of those whose record is still kept. */
    last_success_at: string | null;
    /** Since when deliveries fail; null while they succeed. */
    failing_since: string | null;
  };
}
