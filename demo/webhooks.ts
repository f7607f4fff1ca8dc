/** What the payment service tells us. A signed request is a reason to ask, not yet a proof. */

import type { IncomingHttpHeaders } from 'node:http';

import type { Logger } from 'pino';

import { webhooks, WebhookVerificationError, type Event, type Payment } from '../sdk/index.ts';
import type { Orders } from './orders.ts';
import type { Till } from './till.ts';

interface WebhookOptions {
  /** `whsec_...`, as the service showed it once. */
  secret: string;
  orders: Orders;
  till: Till;
  log: Logger;
}

/** How to answer the request. */
export interface Receipt {
  status: 200 | 400 | 401;
  body: Record<string, unknown>;
}

/**
 * A function that deals with one webhook request, given its headers and its raw body. It throws
 * when something on the way failed and nothing was remembered: answer 500 and it comes again.
 * Throws at once when the secret is unusable.
 */
export function createReceiver(
  options: WebhookOptions,
): (headers: IncomingHttpHeaders, body: Buffer) => Promise<Receipt> {
  const { orders, secret } = options;
  // Better found out now than by the first webhook.
  webhooks.signTest({ body: '', secret });
  return async (headers, body) => {
    const event = read(options, headers, body);
    if ('status' in event) return event;
    if (orders.hasSeen(event.id)) {
      // An earlier delivery may have failed at exactly this.
      await orders.save();
      return { status: 200, body: { received: true, repeated: true } };
    }
    await act(options, event);
    orders.remember(event.id);
    await orders.save();
    return { status: 200, body: { received: true } };
  };
}

/** The event of the request, or the answer to one that is not genuine. */
function read(
  { secret, log }: WebhookOptions,
  headers: IncomingHttpHeaders,
  body: Buffer,
): Event | Receipt {
  try {
    return webhooks.verify(body, headers, secret);
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    log.warn({ reason: error.reason }, 'webhook refused');
    if (error.reason === 'body') return { status: 400, body: { error: 'not an event' } };
    return { status: 401, body: { error: 'bad signature' } };
  }
}

/** The payment of an event that closes an order; other events are taken note of, no more. */
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

async function act({ orders, till, log }: WebhookOptions, event: Event): Promise<void> {
  const payment = closedPayment(event);
  if (!payment) return;
  const { id: paymentId } = payment;
  const order = orders.get(payment.order_id ?? '');
  // Other programs of the same merchant have payments too, and may even reuse our order ids.
  if (!order || (order.payment_id !== null && order.payment_id !== paymentId)) {
    const about = { event: event.id, type: event.type, payment: paymentId };
    log.info(about, 'event about no payment of this shop');
    return;
  }
  const status = await till.confirm(order, `heard by webhook ${event.id}`, paymentId);
  if (status === 'open' && order.problem === null) {
    throw new Error(`${event.type} was announced, but payment ${paymentId} is not closed yet`);
  }
}
