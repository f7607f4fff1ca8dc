/** Receives webhooks. A signed event is a reason to retrieve the payment, not a proof of it. */

import type { IncomingHttpHeaders } from 'node:http';

import type { Logger } from 'pino';

import { webhooks, WebhookVerificationError, type Event, type Payment } from '../sdk/index.ts';
import type { Orders } from './orders.ts';
import type { Payments } from './payments.ts';

interface WebhookOptions {
  /** `whsec_...`, as Tollgate showed it once. */
  secret: string;
  orders: Orders;
  payments: Payments;
  log: Logger;
}

interface WebhookResponse {
  status: 200 | 400 | 401;
  body: Record<string, unknown>;
}

export type Receive = (headers: IncomingHttpHeaders, body: Buffer) => Promise<WebhookResponse>;

/**
 * Returns a function that handles one webhook request. If it throws, the event was not handled:
 * respond with 500, and it is delivered again. Throws at once if the secret is malformed.
 */
export function createReceiver(options: WebhookOptions): Receive {
  const { orders, secret } = options;
  webhooks.signTest({ body: '', secret });
  return async (headers, body) => {
    const event = verify(options, headers, body);
    if ('status' in event) return event;
    if (orders.hasSeen(event.id)) {
      // An earlier delivery may have failed at exactly this save.
      await orders.save();
      return { status: 200, body: { received: true, repeated: true } };
    }
    await handle(options, event);
    orders.remember(event.id);
    await orders.save();
    return { status: 200, body: { received: true } };
  };
}

/** Returns the event of the request, or the response to one that is not genuine. */
function verify(
  { secret, log }: WebhookOptions,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Event | WebhookResponse {
  try {
    return webhooks.verify(body, headers, secret);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    log.warn({ reason: error.reason }, 'webhook refused');
    if (error.reason === 'body') return { status: 400, body: { error: 'not an event' } };
    return { status: 401, body: { error: 'bad signature' } };
  }
}

/** Returns the payment of an event that closes an order. Other events need no work. */
function closedPayment(event: Event): Payment | undefined {
  switch (event.type) {
    case 'payment.completed':
    case 'payment.failed':
    case 'payment.canceled':
    case 'payment.expired':
      return event.data.object;
    default:
      return undefined;
  }
}

async function handle({ orders, payments, log }: WebhookOptions, event: Event): Promise<void> {
  const payment = closedPayment(event);
  if (!payment) return;
  const { id: paymentId } = payment;
  const order = orders.get(payment.order_id ?? '');
  // Other programs of the same merchant have payments too, and may even use the same order ids.
  if (!order || (order.payment_id !== null && order.payment_id !== paymentId)) {
    const fields = { event: event.id, type: event.type, payment: paymentId };
    log.info(fields, 'event skipped: it is about no payment of this shop');
    return;
  }
  const status = await payments.confirm(order, `reported by webhook ${event.id}`, paymentId);
  if (status === 'open' && order.problem === null) {
    throw new Error(`${event.type} was delivered, but payment ${paymentId} is not closed yet`);
  }
}
