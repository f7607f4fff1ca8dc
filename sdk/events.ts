/** Events, and the webhook endpoints that receive them. */
import type { ListParams } from './list.ts';
import type { Event, EventType, WebhookEndpoint } from './objects.ts';
import { Resource } from './resource.ts';

/** A type, or a family of types such as `payment.*`. */
export type EventSelector = EventType | 'payment.*' | 'refund.*' | 'webhook_endpoint.*';

export interface EventListParams extends ListParams {
  /** One selector or several. */
  type?: EventSelector | readonly EventSelector[] | undefined;
  /** Selects the events of this payment and its refunds. */
  payment_id?: string | undefined;
}

export class Events extends Resource<Event, EventListParams> {}

/** The endpoints and their health. An endpoint's secret is shown only when it is registered. */
export class WebhookEndpoints extends Resource<WebhookEndpoint> {}
