/** What the payment service tells us. A signed request is a reason to ask, not yet a proof. */

import type { IncomingHttpHeaders } from 'node:http';

import type { Logger } from 'pino';
import { Webhook } from 'standardwebhooks';

import { member, parseJson, textMember } from './json.ts';
import type { Orders } from './orders.ts';
import type { Till } from './till.ts';

/** The events that close an order; every other type is taken note of and nothing more. */
const CLOSING_EVENTS = new Set([
  'payment.completed',
  'payment.failed',
  'payment.canceled',
  'payment.expired',
]);

export interface WebhookOptions {
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
): (headers: IncomingHttpHeaders, body: string) => Promise<Receipt> {
  const { orders, log } = options;
  const webhook = new Webhook(options.secret);
  return async (headers, body) => {
    if (!isSigned(webhook, headers, body)) {
      log.warn('webhook with a bad signature');
      return { status: 401, body: { error: 'bad signature' } };
    }
    // The signature covers the id, so it is as good as the body's own.
    const eventId = String(headers['webhook-id']);
    if (orders.hasSeen(eventId)) {
      // An earlier delivery may have failed at exactly this.
      await orders.save();
      return { status: 200, body: { received: true, repeated: true } };
    }
    const event = parseJson(body);
    if (event === undefined) return { status: 400, body: { error: 'not JSON' } };
    await act(options, { id: eventId, content: event });
    orders.remember(eventId);
    await orders.save();
    return { status: 200, body: { received: true } };
  };
}

function isSigned(webhook: Webhook, headers: IncomingHttpHeaders, body: string): boolean {
  const names = ['webhook-id', 'webhook-timestamp', 'webhook-signature'];
  const signed = Object.fromEntries(names.map((name) => [name, String(headers[name] ?? '')]));
  try {
    webhook.verify(body, signed, { jsonParse: false });
    return true;
  } catch {
    // Whatever the library stumbles over in a stranger's headers, it is not a good signature.
    return false;
  }
}

async function act(options: WebhookOptions, event: { id: string; content: unknown }) {
  const { orders, till, log } = options;
  const type = textMember(event.content, 'type');
  if (!CLOSING_EVENTS.has(type)) return;
  const payment = member(member(event.content, 'data'), 'object');
  const paymentId = textMember(payment, 'id');
  const order = orders.get(textMember(payment, 'order_id'));
  // Other programs of the same merchant have payments too, and may even reuse our order ids.
  if (!order || (order.payment_id !== null && order.payment_id !== paymentId)) {
    log.info({ event: event.id, type, payment: paymentId }, 'event about no payment of this shop');
    return;
  }
  const status = await till.confirm(order, `heard by webhook ${event.id}`, paymentId);
  if (status === 'open' && order.problem === null) {
    throw new Error(`${type} was announced, but payment ${paymentId} is not closed yet`);
  }
}
