/** Everything that the package exports. */
export type { NodeRequest, WebhookRequest } from './body.ts';
export { Tollgate } from './client.ts';
export { Currencies } from './currencies.ts';
export {
  TollgateApiError,
  TollgateConnectionError,
  TollgateError,
  TollgateUsageError,
  WebhookVerificationError,
} from './errors.ts';
export type {
  ApiErrorDetails,
  ConnectionErrorReason,
  TollgateErrorCode,
  TollgateErrorType,
  WebhookRefusal,
} from './errors.ts';
export { Events, WebhookEndpoints } from './events.ts';
export type { EventListParams, EventSelector } from './events.ts';
export type { WebhookHeaders } from './headers.ts';
export { List } from './list.ts';
export type { ListParams, Page } from './list.ts';
export type * from './objects.ts';
export type { RequestOptions, TollgateOptions } from './options.ts';
export { Payments } from './payments.ts';
export type { PaymentListParams } from './payments.ts';
export type { Moment } from './query.ts';
export type { Ids, Reconciled, ReconcileOptions } from './reconcile.ts';
export { Refunds } from './refunds.ts';
export type { RefundListParams } from './refunds.ts';
export { Sandbox } from './sandbox.ts';
export { VERSION } from './version.ts';
export { webhooks } from './webhooks.ts';
export type { ReceiveOptions, TestDelivery, VerifyOptions } from './webhooks.ts';
