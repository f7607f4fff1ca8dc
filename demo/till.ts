/**
 * Taking money: makes an order's payment, and believes in a payment only after retrieving it.
 * A webhook, a customer's return and the mop-up are three reasons to ask; what is done with the
 * answer is the same.
 */

import type { Logger } from 'pino';

import { TollgateApiError, type Payment, type Tollgate } from '../sdk/index.ts';
import { SHOP_NAME } from './goods.ts';
import type { Order, Orders, OrderStatus } from './orders.ts';

/** Retrievals of the mop-up at the same time: quick enough, and no burst for the service. */
const MOP_UP_CONCURRENCY = 5;
/** Long enough to outlast a restart of the service: a customer waits for his checkout page. */
const CREATE_RETRIES = 3;
/** One more try covers a dropped connection; webhooks and the mop-up come again by themselves. */
const RETRIEVE_RETRIES = 1;
/** A page may be reloaded quickly; its order is asked about at most this often. */
const GLANCE_INTERVAL_MS = 2_000;
/** Orders asked about because of a page, at the same time; the mop-up takes what is over. */
const GLANCES_MAX = 20;
/** No customer still waits for a checkout page that could not be made for so long. */
const GIVE_UP_AFTER_MS = 15 * 60 * 1_000;

type Closed = Exclude<OrderStatus, 'open'>;
type Verdict = { status: OrderStatus } | { problem: string };

/** What each final status of a payment makes of its order; the others leave it open. */
const OUTCOMES: Readonly<Partial<Record<Payment['status'], Closed>>> = {
  completed: 'paid',
  failed: 'failed',
  canceled: 'canceled',
  expired: 'expired',
};

/** What the retrieved payment says about the order; anything unlike the order is a problem. */
function judgeOrder(order: Order, payment: Payment): Verdict {
  if (payment.order_id !== order.id) return { problem: 'the payment names another order' };
  if (payment.amount !== order.amount || payment.currency !== order.currency) {
    const paid = `${payment.amount} ${payment.currency}`;
    return { problem: `the payment is over ${paid}, the order over ${order.amount}` };
  }
  return { status: OUTCOMES[payment.status] ?? 'open' };
}

interface TillOptions {
  orders: Orders;
  tollgate: Tollgate;
  /** Aborts when the shop closes: calls under way end. */
  signal: AbortSignal;
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
    const { orders, tollgate, signal } = this.#options;
    if (paymentId === null) return order.status;
    const limits = { signal, maxRetries: RETRIEVE_RETRIES };
    this.#apply(order, await tollgate.payments.retrieve(paymentId, limits), reason);
    await orders.save();
    return order.status;
  }

  /** Lets a payment as it was just retrieved decide about the order; the caller saves. */
  #apply(order: Order, payment: Payment, reason: string): void {
    const { orders, log } = this.#options;
    const verdict = judgeOrder(order, payment);
    if ('problem' in verdict) {
      log.error({ order: order.id, payment: payment.id, ...verdict }, 'order set aside');
      if (order.status !== 'paid') orders.flag(order, verdict.problem);
      return;
    }
    orders.attach(order, payment);
    const { status } = verdict;
    const told = `Payment ${payment.status}; ${reason}`;
    if (status !== 'open' && orders.settle(order, status, told)) {
      // A real shop would hand the goods over here: it happens once per order.
      log.info({ order: order.id, payment: payment.id, status, reason }, 'order closed');
    }
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
    const unpayable = waiting.filter((order) => order.payment_id === null);
    try {
      await Promise.all([this.#reconcile(waiting), this.#startAgain(unpayable)]);
    } catch (error) {
      // They stay open and are taken again next time.
      log.warn({ err: error }, 'mop-up was cut short');
    }
  }

  /** Asks what became of the orders' payments. */
  async #reconcile(waiting: readonly Order[]): Promise<void> {
    const { orders, tollgate, signal, log } = this.#options;
    const byPayment = new Map(waiting.map((order) => [order.payment_id, order]));
    const ids = waiting.flatMap((order) => order.payment_id ?? []);
    const limits = { signal, concurrency: MOP_UP_CONCURRENCY, maxRetries: RETRIEVE_RETRIES };
    const found = await tollgate.payments.reconcile(ids, limits);
    for (const payment of [...found.settled, ...found.open]) {
      const order = byPayment.get(payment.id);
      if (order) this.#apply(order, payment, 'found by the regular check');
    }
    for (const id of found.missing) log.warn({ payment: id }, 'the service knows no such payment');
    for (const { id, error } of found.failed) {
      log.warn({ err: error, payment: id }, 'mop-up could not ask about a payment');
    }
    await orders.save();
  }

  /** Makes the payments that could not be made before, or gives their orders up. */
  async #startAgain(unpayable: readonly Order[]): Promise<void> {
    const next = unpayable.values();
    const work = async (): Promise<void> => {
      // The workers share one iterator, so each order is taken once.
      for (const order of next) {
        try {
          await this.#startOneAgain(order);
        } catch (error) {
          // It stays open and is taken again next time; the others must not wait for it.
          this.#options.log.warn(
            { err: error, order: order.id },
            'mop-up could not settle an order',
          );
        }
      }
    };
    await Promise.all(Array.from({ length: MOP_UP_CONCURRENCY }, work));
  }

  async #startOneAgain(order: Order): Promise<void> {
    const { orders, now } = this.#options;
    // Nobody has its address, so nobody can pay a payment whose creation we did not hear of.
    if (now().getTime() - Date.parse(order.created_at) > GIVE_UP_AFTER_MS) {
      orders.settle(order, 'failed', 'No payment could be made in time');
      await orders.save();
      return;
    }
    await this.pay(order);
  }

  async #createPayment(order: Order): Promise<string> {
    const { orders, tollgate, signal, shopUrl, log } = this.#options;
    const page = `${shopUrl}/orders/${order.id}`;
    try {
      const payment = await tollgate.payments.create(
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
        { idempotencyKey: order.id, signal, maxRetries: CREATE_RETRIES },
      );
      orders.attach(order, payment);
      await orders.save();
      return payment.checkout_url;
    } catch (error) {
      const code = error instanceof TollgateApiError ? error.code : undefined;
      log.warn({ err: error, order: order.id, code }, 'no payment made');
      throw error;
    }
  }
}
