/**
 * Taking money: makes an order's payment, and believes in a payment only after retrieving it.
 * A webhook, a customer's return and the mop-up are three reasons to ask; what is done with the
 * answer is the same.
 */

import type { Logger } from 'pino';

import { SHOP_NAME } from './goods.ts';
import type { Order, Orders, OrderStatus } from './orders.ts';
import { TollgateRefusal, type Payment, type Tollgate } from './tollgate.ts';

/** Retrievals of the mop-up at the same time: quick enough, and no burst for the service. */
const MOP_UP_CONCURRENCY = 5;
/** A page may be reloaded quickly; its order is asked about at most this often. */
const GLANCE_INTERVAL_MS = 2_000;
/** Orders asked about because of a page, at the same time; the mop-up takes what is over. */
const GLANCES_MAX = 20;
/** No customer still waits for a checkout page that could not be made for so long. */
const GIVE_UP_AFTER_MS = 15 * 60 * 1_000;

type Closed = Exclude<OrderStatus, 'open'>;
type Verdict = { status: OrderStatus } | { problem: string };

/** What each final status of a payment makes of its order; the others leave it open. */
const OUTCOMES: Readonly<Record<string, Closed>> = {
  completed: 'paid',
  failed: 'failed',
  canceled: 'canceled',
  expired: 'expired',
};

/** What the retrieved payment says about the order; anything unlike the order is a problem. */
export function judge(order: Order, payment: Payment): Verdict {
  if (payment.order_id !== order.id) return { problem: 'the payment names another order' };
  if (payment.amount !== order.amount || payment.currency !== order.currency) {
    const paid = `${payment.amount} ${payment.currency}`;
    return { problem: `the payment is over ${paid}, the order over ${order.amount}` };
  }
  return { status: OUTCOMES[payment.status] ?? 'open' };
}

export interface TillOptions {
  orders: Orders;
  tollgate: Tollgate;
  /** Where customers reach the shop, without a slash at the end. */
  shopUrl: string;
  log: Logger;
  now: () => Date;
}

export class Till {
  readonly #options: TillOptions;
  readonly #paying = new Map<string, Promise<string>>();
  readonly #glancing = new Set<string>();

  constructor(options: TillOptions) {
    this.#options = options;
  }

  /**
   * Where the customer of this open order pays. Makes the payment if there is none yet; however
   * often it is called, the order id as idempotency key keeps it at one. Throws what the service
   * answered when it made none.
   */
  async pay(order: Order): Promise<string> {
    if (order.checkout_url !== null) return order.checkout_url;
    const underWay = this.#paying.get(order.id) ?? this.#createPayment(order);
    this.#paying.set(order.id, underWay);
    try {
      return await underWay;
    } finally {
      this.#paying.delete(order.id);
    }
  }

  /**
   * Retrieves the payment and lets it decide about the order; `reason` says why we ask, for the
   * order's history. Answers the order's status afterwards, saved. Throws when the service gave
   * no answer.
   */
  async confirm(order: Order, reason: string, paymentId = order.payment_id): Promise<OrderStatus> {
    const { orders, tollgate, log } = this.#options;
    if (paymentId === null) return order.status;
    const payment = await tollgate.retrievePayment(paymentId);
    const verdict = judge(order, payment);
    if ('problem' in verdict) {
      log.error({ order: order.id, payment: payment.id, ...verdict }, 'order set aside');
      if (order.status !== 'paid') orders.flag(order, verdict.problem);
    } else {
      orders.attach(order, payment);
      const { status } = verdict;
      const told = `Payment ${payment.status}; ${reason}`;
      if (status !== 'open' && orders.settle(order, status, told)) {
        // A real shop would hand the goods over here: it happens once per order.
        log.info({ order: order.id, payment: payment.id, status, reason }, 'order closed');
      }
    }
    await orders.save();
    return order.status;
  }

  /** Asks about an order that somebody looks at, in the background and not too often. */
  glance(order: Order): void {
    if (order.status !== 'open' || order.payment_id === null) return;
    if (this.#glancing.has(order.id) || this.#glancing.size >= GLANCES_MAX) return;
    this.#glancing.add(order.id);
    const { log } = this.#options;
    this.confirm(order, 'asked when the customer came by')
      .catch((error: unknown) => log.warn({ err: error, order: order.id }, 'could not ask'))
      .finally(() => {
        setTimeout(() => this.#glancing.delete(order.id), GLANCE_INTERVAL_MS).unref();
      });
  }

  /** Goes through all open orders: covers webhooks that never came and work that was cut off. */
  async mopUp(): Promise<void> {
    const { orders, log } = this.#options;
    const waiting = orders.list().filter((order) => order.status === 'open' && !order.problem);
    const next = waiting.values();
    const work = async (): Promise<void> => {
      // The workers share one iterator, so each order is taken once.
      for (const order of next) {
        try {
          await this.#mopUpOne(order);
        } catch (error) {
          // It stays open and is taken again next time; the others must not wait for it.
          log.warn({ err: error, order: order.id }, 'mop-up could not settle an order');
        }
      }
    };
    await Promise.all(Array.from({ length: MOP_UP_CONCURRENCY }, work));
  }

  async #mopUpOne(order: Order): Promise<void> {
    const { orders, now } = this.#options;
    if (order.payment_id !== null) {
      await this.confirm(order, 'found by the regular check');
      return;
    }
    // Nobody has its address, so nobody can pay a payment whose creation we did not hear of.
    if (now().getTime() - Date.parse(order.created_at) > GIVE_UP_AFTER_MS) {
      orders.settle(order, 'failed', 'No payment could be made in time');
      await orders.save();
      return;
    }
    await this.pay(order);
  }

  async #createPayment(order: Order): Promise<string> {
    const { orders, tollgate, shopUrl, log } = this.#options;
    const page = `${shopUrl}/orders/${order.id}`;
    try {
      const payment = await tollgate.createPayment(
        {
          amount: order.amount,
          currency: order.currency,
          order_id: order.id,
          description: `${order.title} · ${SHOP_NAME}`,
          // The service fills the placeholder when it sends the customer back.
          return_url: `${page}?payment={PAYMENT_ID}`,
          cancel_url: page,
          metadata: { sku: order.sku },
        },
        order.id,
      );
      orders.attach(order, payment);
      await orders.save();
      return payment.checkout_url;
    } catch (error) {
      const code = error instanceof TollgateRefusal ? error.code : undefined;
      log.warn({ err: error, order: order.id, code }, 'no payment made');
      throw error;
    }
  }
}
