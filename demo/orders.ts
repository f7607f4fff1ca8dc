/** The shop's orders, and the ids of the webhook events that it has handled. */

import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';

import { readJson, writeJson } from './file.ts';
import type { Good } from './goods.ts';

/** The file is written as a whole, so it must stay small. The oldest closed orders are deleted. */
const ORDERS_MAX = 10_000;
/** Handling a forgotten event again is harmless: an order is paid only once. */
const EVENTS_MAX = 10_000;
/** 80 bits: anyone with the address of an order's page can see it, so nobody may guess an id. */
const ID_BYTES = 10;

export type ClosedStatus = 'paid' | 'failed' | 'canceled' | 'expired';
export type OrderStatus = 'open' | ClosedStatus;

export interface Order {
  id: string;
  /** The form's token: the same form always means the same order. */
  form_token: string;
  sku: string;
  title: string;
  amount: number;
  currency: Good['currency'];
  status: OrderStatus;
  payment_id: string | null;
  checkout_url: string | null;
  /** Why a person has to check this order before anything is sent. */
  problem: string | null;
  created_at: string;
  /** What happened to the order, for people. */
  history: { at: string; text: string }[];
}

interface OrdersFile {
  version: 1;
  orders: Order[];
  events: string[];
}

function isOrdersFile(value: unknown): value is OrdersFile {
  const file = value as Partial<OrdersFile> | null;
  return file?.version === 1 && Array.isArray(file.orders) && Array.isArray(file.events);
}

export class Orders {
  readonly #byId = new Map<string, Order>();
  readonly #events = new Set<string>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #path: string;
  readonly #now: () => Date;
  #revision = 0;
  #savedRevision = 0;
  #lastSave = Promise.resolve();

  private constructor(path: string, now: () => Date) {
    this.#path = path;
    this.#now = now;
  }

  /** Reads the orders in the file at `path`, if there is one. Throws if the file is damaged. */
  static async open(path: string, now: () => Date): Promise<Orders> {
    const orders = new Orders(path, now);
    const file = await readJson(path);
    if (file === undefined) return orders;
    if (!isOrdersFile(file)) {
      throw new Error(`${path} is not an orders file; move it away to start with a new one`);
    }
    for (const order of file.orders) orders.#byId.set(order.id, order);
    for (const event of file.events) orders.#events.add(event);
    return orders;
  }

  /** The number of changes so far. A page that shows an older revision is out of date. */
  get revision(): number {
    return this.#revision;
  }

  get(id: string): Order | undefined {
    return this.#byId.get(id);
  }

  /** Returns all orders, newest first. */
  list(): Order[] {
    return [...this.#byId.values()].toReversed();
  }

  /** Returns the order that this form has already placed, or a new one. */
  place({ sku, name, amount, currency }: Good, formToken: string): Order {
    const known = this.list().find((order) => order.form_token === formToken);
    if (known) return known;
    const order: Order = {
      id: `ord_${randomBytes(ID_BYTES).toString('hex')}`,
      form_token: formToken,
      sku,
      title: name,
      amount,
      currency,
      status: 'open',
      payment_id: null,
      checkout_url: null,
      problem: null,
      created_at: this.#now().toISOString(),
      history: [],
    };
    this.#byId.set(order.id, order);
    this.#forgetOldest();
    this.#note(order, 'Order placed');
    return order;
  }

  /** Records the order's payment, unless it has one. */
  attach(order: Order, payment: { id: string; checkout_url: string }): void {
    if (order.payment_id !== null) return;
    order.payment_id = payment.id;
    order.checkout_url = payment.checkout_url;
    this.#note(order, `Payment ${payment.id} created`);
  }

  /**
   * Closes the order, and returns true if that changed it. An open order takes any status. A closed
   * one can only become paid, because money may arrive late. A paid one never changes.
   */
  close(order: Order, status: ClosedStatus, reason: string): boolean {
    if (order.status === 'paid') return false;
    if (order.status !== 'open' && status !== 'paid') return false;
    order.status = status;
    order.problem = null;
    this.#note(order, reason);
    return true;
  }

  /** Sets the order aside for a person to check. */
  flag(order: Order, problem: string): void {
    if (order.problem === problem) return;
    order.problem = problem;
    this.#note(order, `Set aside: ${problem}`);
  }

  hasSeen(eventId: string): boolean {
    return this.#events.has(eventId);
  }

  remember(eventId: string): void {
    this.#events.add(eventId);
    this.#revision += 1;
    const [oldest = ''] = this.#events;
    if (this.#events.size > EVENTS_MAX) this.#events.delete(oldest);
  }

  /** Resolves once every change so far is on the disk. If that fails, a later call tries again. */
  async save(): Promise<void> {
    const wanted = this.#revision;
    const write = async (): Promise<void> => {
      // The save before this one may have included the change already.
      if (this.#savedRevision >= wanted) return;
      const revision = this.#revision;
      const orders = [...this.#byId.values()];
      const file: OrdersFile = { version: 1, orders, events: [...this.#events] };
      await writeJson(this.#path, file);
      this.#savedRevision = revision;
    };
    this.#lastSave = this.#lastSave.then(write, write);
    await this.#lastSave;
  }

  /** Calls `listener` with every order that changes, until the returned function is called. */
  onChange(listener: (order: Order) => void): () => void {
    this.#changes.on('order', listener);
    return () => this.#changes.off('order', listener);
  }

  #note(order: Order, text: string): void {
    order.history.push({ at: this.#now().toISOString(), text });
    this.#revision += 1;
    this.#changes.emit('order', order);
  }

  #forgetOldest(): void {
    for (const order of this.#byId.values()) {
      if (this.#byId.size <= ORDERS_MAX) break;
      if (order.status !== 'open') this.#byId.delete(order.id);
    }
  }
}
