/**
 * Creates the payments of orders, and closes an order only after retrieving its payment. Webhooks,
 * returning customers and reconciliation are reasons to retrieve it; none of them is a proof.
 */

import type { Logger } from 'pino';

import { TollgateApiError, type Payment, type Tollgate } from '../sdk/index.ts';
import { SHOP_NAME } from './goods.ts';
import type { ClosedStatus, Order, Orders, OrderStatus } from './orders.ts';

/** Enough to outlast a restart of the service while the customer waits for the checkout page. */
const CREATE_RETRIES = 3;
/** One retry covers a dropped connection. Later webhooks and reconciliation cover the rest. */
export const RETRIEVE_RETRIES = 1;
/** Reloading a page quickly does not retrieve its payment more often than this. */
const REFRESH_INTERVAL_MS = 2_000;
/** The most payments that pages refresh at once. Reconciliation covers the others. */
const REFRESHES_MAX = 20;

/** The order's status for each final status of its payment. */
const OUTCOMES: Readonly<Partial<Record<Payment['status'], ClosedStatus>>> = {
  completed: 'paid',
  failed: 'failed',
  canceled: 'canceled',
  expired: 'expired',
};

/** Returns how the payment differs from what the order needs, or undefined if it does not. */
function mismatch(order: Order, payment: Payment): string | undefined {
  if (payment.order_id !== order.id) return 'the payment names another order';
  if (payment.amount === order.amount && payment.currency === order.currency) return undefined;
  const paid = `${payment.amount} ${payment.currency}`;
  return `the payment is over ${paid}, the order over ${order.amount} ${order.currency}`;
}

export interface PaymentsOptions {
  orders: Orders;
  tollgate: Tollgate;
  /** Aborts calls in progress when the shop closes. */
  signal: AbortSignal;
  /** The shop's public address, without a slash at the end. */
  shopUrl: string;
  log: Logger;
  now: () => Date;
}

export class Payments {
  readonly #options: PaymentsOptions;
  readonly #creating = new Map<string, Promise<string>>();
  readonly #refreshing = new Set<string>();

  constructor(options: PaymentsOptions) {
    this.#options = options;
  }

  /**
   * Returns the checkout URL of an open order. Creates the payment if there is none: the order's id
   * is the idempotency key, so repeated calls create one payment. Throws the SDK's errors.
   */
  async create(order: Order): Promise<string> {
    if (order.checkout_url !== null) return order.checkout_url;
    const creating = this.#creating.get(order.id) ?? this.#request(order);
    this.#creating.set(order.id, creating);
    try {
      return await creating;
    } finally {
      this.#creating.delete(order.id);
    }
  }

  /**
   * Retrieves the payment, updates and saves the order, and returns the order's status. `reason`
   * goes into the order's history. Throws the SDK's errors.
   */
  async confirm(order: Order, reason: string, paymentId = order.payment_id): Promise<OrderStatus> {
    const { orders, tollgate, signal } = this.#options;
    if (paymentId === null) return order.status;
    const limits = { signal, maxRetries: RETRIEVE_RETRIES };
    this.apply(order, await tollgate.payments.retrieve(paymentId, limits), reason);
    await orders.save();
    return order.status;
  }

  /** Updates the order from its retrieved payment. The caller saves it. */
  apply(order: Order, payment: Payment, reason: string): void {
    const { orders, log } = this.#options;
    const problem = mismatch(order, payment);
    if (problem !== undefined) {
      log.error({ order: order.id, payment: payment.id, problem }, 'order set aside for a person');
      if (order.status !== 'paid') orders.flag(order, problem);
      return;
    }
    orders.attach(order, payment);
    const status = OUTCOMES[payment.status];
    if (status && orders.close(order, status, `Payment ${payment.status}; ${reason}`)) {
      // A real shop would send the goods here: this happens once per order.
      log.info({ order: order.id, payment: payment.id, status, reason }, 'order closed');
    }
  }

  /** Confirms an order whose page was opened, in the background and not too often. */
  refresh(order: Order): void {
    if (order.status !== 'open' || order.payment_id === null) return;
    if (this.#refreshing.has(order.id) || this.#refreshing.size >= REFRESHES_MAX) return;
    this.#refreshing.add(order.id);
    const { log } = this.#options;
    this.confirm(order, 'found when its page was opened')
      .catch((error: unknown) =>
        log.warn({ err: error, order: order.id }, 'the payment of an order could not be retrieved'),
      )
      .finally(() => {
        setTimeout(() => this.#refreshing.delete(order.id), REFRESH_INTERVAL_MS).unref();
      });
  }

  async #request(order: Order): Promise<string> {
    const { orders, tollgate, signal, shopUrl, log } = this.#options;
    const page = `${shopUrl}/orders/${order.id}`;
    try {
      const payment = await tollgate.payments.create(
        {
          amount: order.amount,
          currency: order.currency,
          order_id: order.id,
          description: `${order.title} · ${SHOP_NAME}`,
          // The service fills in the placeholder when it sends the customer back.
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
      log.warn({ err: error, order: order.id, code }, 'a payment could not be created');
      throw error;
    }
  }
}
