/** Webhook endpoints: the merchant's registered receivers. */
import type { WebhookEndpoint } from './objects.ts';
import { Resource } from './resource.ts';

/** The endpoints and their health. An endpoint's secret is shown only when it is registered. */
export class WebhookEndpoints extends Resource<WebhookEndpoint> {}
