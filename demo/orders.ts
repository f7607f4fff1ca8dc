/** The shop's own book: its orders and the webhook events it has dealt with. */

import { randomBytes } from 'node:crypto';
import { EventEmitter } from 'node:events';

import { createWriter, readJson } from './file.ts';
import type { Good } from './goods.ts';

/** The book is written as a whole, so it must stay small; the oldest closed orders go first. */
const ORDERS_MAX = 10_000;
/** Forgetting an event is harmless: an order is paid once, whatever is heard. */
const EVENTS_MAX = 10_000;
/** 80 bits: an order page is shown to whoever has its address, so ids must not be guessable. */
const ID_BYTES = 10;

export type OrderStatus = 'open' | 'paid' | 'failed' | 'canceled' | 'expired';

/** One line of what happened to an order, for people. */
export interface Step {
  at: string;
  text: string;
}

export interface Order {
  id: string;
  /** Came with the form: the same form always means the same order. */
  form_token: string;
  sku: string;
  title: string;
  amount: number;
  currency: Good['currency'];
  status: OrderStatus;
  payment_id: string | null;
  checkout_url: string | null;
  /** Why a person has to look at this order; it is not fulfilled until then. */
  problem: string | null;
  created_at: string;
  history: Step[];
}

interface Book {
  version: 1;
  orders: Order[];
  events: string[];
}

function isBook(value: unknown): value is Book {
  if (typeof value !== 'object' || value === null) return false;
  const book = value as Partial<Book>;
  return book.version === 1 && Array.isArray(book.orders) && Array.isArray(book.events);
}

export class Orders {
  readonly #byId = new Map<string, Order>();
  readonly #byToken = new Map<string, Order>();
  readonly #events = new Set<string>();
  readonly #changes = new EventEmitter().setMaxListeners(0);
  readonly #write: () => Promise<void>;
  readonly #now: () => Date;
  #revision = 0;
  #saved = 0;

  private constructor(path: string, now: () => Date) {
    this.#now = now;
    this.#write = createWriter(path, () => this.#book());
  }

  /** The book kept in the file at `path`; empty when there is none. Throws when it is damaged. */
  static async open(path: string, now: () => Date): Promise<Orders> {
    const orders = new Orders(path, now);
    const book = await readJson(path);
    if (book === undefined) return orders;
    if (!isBook(book)) throw new Error(`${path} is not an orders file; move it away to start anew`);
    for (const order of book.orders) orders.#keep(order);
    for (const event of book.events) orders.#events.add(event);
    return orders;
  }

  /** Counts changes; a page drawn at another count is out of date. */
  get revision(): number {
    return this.#revision;
  }

  get(id: string): Order | undefined {
    return this.#byId.get(id);
  }

  /** All orders, newest first. */
  list(): Order[] {
    return [...this.#byId.values()].toReversed();
  }

  /** The order of this form: a new one, or the one that the form has already made. */
  place(good: Good, formToken: string): Order {
    const known = this.#byToken.get(formToken);
    if (known) return known;
    const order: Order = {
      id: `ord_${randomBytes(ID_BYTES).toString('hex')}`,
      form_token: formToken,
      sku: good.sku,
      title: good.name,
      amount: good.amount,
      currency: good.currency,
      status: 'open',
      payment_id: null,
      checkout_url: null,
      problem: null,
      created_at: this.#now().toISOString(),
      history: [],
    };
    this.#keep(order);
    this.#forgetOldest();
    this.#note(order, 'Order placed');
    return order;
  }

  /** Notes which payment pays for the order. The first one stays. */
  attach(order: Order, payment: { id: string; checkout_url: string }): void {
    if (order.payment_id !== null) return;
    order.payment_id = payment.id;
    order.checkout_url = payment.checkout_url;
    this.#note(order, `Payment ${payment.id} created`);
  }

  /**
   * Closes the order; answers whether that changed anything. An open order may become anything, a
   * closed one only paid (money that did arrive outweighs our having given up), a paid one nothing.
   */
  settle(order: Order, status: Exclude<OrderStatus, 'open'>, reason: string): boolean {
    if (order.status === 'paid') return false;
    if (order.status !== 'open' && status !== 'paid') return false;
    order.status = status;
    order.problem = null;
    this.#note(order, reason);
    return true;
  }

  /** Sets the order aside for a person to look at. */
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
    for (const oldest of this.#events) {
      if (this.#events.size <= EVENTS_MAX) break;
      this.#events.delete(oldest);
    }
  }

  /** Keeps its promise once every change so far is on the disk; a later call tries again. */
  async save(): Promise<void> {
    const revision = this.#revision;
    if (this.#saved >= revision) return;
    await this.#write();
    this.#saved = Math.max(this.#saved, revision);
  }

  /** Calls `listener` with every order that changes, until the answered function is called. */
  onChange(listener: (order: Order) => void): () => void {
    this.#changes.on('order', listener);
    return () => this.#changes.off('order', listener);
  }

  #book(): Book {
    return { version: 1, orders: [...this.#byId.values()], events: [...this.#events] };
  }

  #keep(order: Order): void {
    this.#byId.set(order.id, order);
    this.#byToken.set(order.form_token, order);
  }

  #note(order: Order, text: string): void {
    order.history.push({ at: this.#now().toISOString(), text });
    this.#revision += 1;
    this.#changes.emit('order', order);
  }

  #forgetOldest(): void {
    for (const order of this.#byId.values()) {
      if (this.#byId.size <= ORDERS_MAX) break;
      if (order.status === 'open') continue;
      this.#byId.delete(order.id);
      this.#byToken.delete(order.form_token);
    }
  }
}
