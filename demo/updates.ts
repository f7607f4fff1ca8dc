/** Server-sent events that notify open pages of changes. A notified page fetches itself again. */

import { PassThrough } from 'node:stream';

import type { Context } from 'koa';

import type { Order, Orders } from './orders.ts';

/** Each open page holds a socket. Pages beyond this limit do not update themselves. */
const STREAMS_MAX = 200;
/** Proxies drop a silent connection after 30 to 60 seconds. */
const HEARTBEAT_MS = 15_000;
/** How long a browser waits before it reconnects, for example after a restart of the shop. */
const RECONNECT_MS = 1_000;

export class Updates {
  readonly #orders: Orders;
  readonly #streams = new Set<PassThrough>();

  constructor(orders: Orders) {
    this.#orders = orders;
  }

  /**
   * Responds with a stream of revisions: of `order`, or of all orders if it is left out. The stream
   * ends when the page is left or the shop closes.
   */
  open(ctx: Context, order?: Order): void {
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'text/event-stream';
    ctx.status = 200;
    // A HEAD request gets no body, so a stream made for it would never end.
    if (ctx.method === 'HEAD') return;
    if (this.#streams.size >= STREAMS_MAX) ctx.throw(503, 'too many open pages');
    const stream = new PassThrough();
    const send = (text: string): void => {
      // A page that does not read is disconnected, so that nothing piles up. It reconnects.
      if (stream.writableNeedDrain) stream.destroy();
      else stream.write(text);
    };
    const sendRevision = (): void =>
      send(`data: ${order ? order.history.length : this.#orders.revision}\n\n`);
    const unsubscribe = this.#orders.onChange((changed) => {
      if (!order || changed === order) sendRevision();
    });
    const heartbeat = setInterval(() => send(': heartbeat\n\n'), HEARTBEAT_MS);
    this.#streams.add(stream);
    stream.once('close', () => {
      clearInterval(heartbeat);
      unsubscribe();
      this.#streams.delete(stream);
    });
    send(`retry: ${RECONNECT_MS}\n`);
    // The order may have changed after the page was rendered.
    sendRevision();
    ctx.body = stream;
  }

  /** Ends every stream. */
  close(): void {
    for (const stream of this.#streams) stream.end();
  }
}
