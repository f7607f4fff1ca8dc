/** Server-sent events: tells open pages that what they show has changed, so that they fetch it. */

import { PassThrough } from 'node:stream';

import type { Context } from 'koa';

/** Each open page holds a socket; beyond this a page simply does not turn by itself. */
const STREAMS_MAX = 200;
/** Proxies drop a silent connection after 30 to 60 seconds. */
const HEARTBEAT_MS = 15_000;
/** How soon a browser comes back after the shop was restarted. */
const RECONNECT_MS = 1_000;

interface Feed {
  /** The revision to announce now; a page that shows another one fetches itself anew. */
  revision: () => string;
  /** Calls back on every change until the answered function is called. */
  subscribe: (changed: () => void) => () => void;
}

export class Live {
  readonly #streams = new Set<PassThrough>();

  /** Answers the request with the feed; it ends when the page is left or the shop closes. */
  open(ctx: Context, feed: Feed): void {
    ctx.set('Cache-Control', 'no-store');
    ctx.type = 'text/event-stream';
    ctx.status = 200;
    // A HEAD request gets no body, so a stream made for it would never end.
    if (ctx.method === 'HEAD') return;
    if (this.#streams.size >= STREAMS_MAX) ctx.throw(503, 'too many open pages');
    const stream = new PassThrough();
    const send = (text: string): void => {
      // A page that does not read is cut off instead of being stored for; it will come back.
      if (stream.writableNeedDrain) stream.destroy();
      else stream.write(text);
    };
    const announce = (): void => send(`data: ${feed.revision()}\n\n`);
    const unsubscribe = feed.subscribe(announce);
    const heartbeat = setInterval(() => send(': still here\n\n'), HEARTBEAT_MS);
    this.#streams.add(stream);
    stream.once('close', () => {
      clearInterval(heartbeat);
      unsubscribe();
      this.#streams.delete(stream);
    });
    // A change between drawing the page and now is caught by announcing right away.
    send(`retry: ${RECONNECT_MS}\n`);
    announce();
    ctx.body = stream;
  }

  /** Ends every stream. */
  close(): void {
    for (const stream of this.#streams) stream.end();
  }
}
