/**
 * Events, by type, and the endpoints that they go to. Written by `npm run sdk:types`: do not edit.
 */
import type { Payment } from './payment.ts';
import type { Refund } from './refund.ts';

/** Something that happened. Its bytes never change: lists return the bytes that were delivered. */
export type Event = PaymentEvent | RefundEvent | WebhookEndpointEvent;

export interface PaymentEvent {
  /** The same for every delivery of the event. Use it to detect repeats. */
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
  /** True if real money moves; false in test mode. */
  livemode: boolean;
  /** `object` is the resource at that moment. It may have changed since. */
  data: {
    object: Payment;
  };
  /** The API request that caused it; null if no request did. */
  request: {
    id: string;
    idempotency_key: string | null;
  } | null;
}

export interface RefundEvent {
  /** The same for every delivery of the event. Use it to detect repeats. */
  id: string;
  /** Always `event`. */
  object: 'event';
  type: 'refund.created' | 'refund.completed' | 'refund.failed' | 'refund.canceled';
  api_version: 'v1';
  /** When it happened. */
  created_at: string;
  /** True if real money moves; false in test mode. */
  livemode: boolean;
  /** `object` is the resource at that moment. It may have changed since. */
  data: {
    object: Refund;
  };
  /** The API request that caused it; null if no request did. */
  request: {
    id: string;
    idempotency_key: string | null;
  } | null;
}

export interface WebhookEndpointEvent {
  /** The same for every delivery of the event. Use it to detect repeats. */
  id: string;
  /** Always `event`. */
  object: 'event';
  type: 'webhook_endpoint.disabled' | 'webhook_endpoint.ping';
  api_version: 'v1';
  /** When it happened. */
  created_at: string;
  /** True if real money moves; false in test mode. */
  livemode: boolean;
  /** `object` is the resource at that moment. It may have changed since. */
  data: {
    object: WebhookEndpoint;
  };
  /** The API request that caused it; null if no request did. */
  request: {
    id: string;
    idempotency_key: string | null;
  } | null;
}

/**
 * A receiver of your events. The operator of the service registers it. Its secret is shown only
 * then.
 */
export interface WebhookEndpoint {
  /** Sorts by time of creation. */
  id: string;
  /** Always `webhook_endpoint`. */
  object: 'webhook_endpoint';
  /** The URL that events are sent to by POST. */
  url: string;
  description: string | null;
  /** Event types, families such as `payment.*`, or `*` for everything. */
  enabled_events: string[];
  /** Events are sent only while it is `enabled`. Lists leave out deleted endpoints. */
  status: 'enabled' | 'disabled' | 'deleted';
  /**
   * `gone`: it responded with 410. `failing`: every delivery failed for 5 days. `merchant`: you
   * disabled it.
   */
  disabled_reason: 'gone' | 'failing' | 'merchant' | null;
  /** True if real money moves; false in test mode. */
  livemode: boolean;
  /** The last characters of its signing secret. */
  secret_hint: string;
  /** When it was registered. */
  created_at: string;
  /** When it last changed. */
  updated_at: string;
  health: {
    /** When a delivery last succeeded. Only deliveries whose records still exist count. */
    last_success_at: string | null;
    /** When deliveries began to fail; null while they succeed. */
    failing_since: string | null;
  };
}
