/**
 * The connections of one server. Each has one request under way; pipelined requests wait for it,
 * unread if possible. Clients that keep us waiting too long are disconnected. If others need the
 * room, they are disconnected earlier, the slowest first.
 */
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import type { Bounds } from './limits.ts';

/** Resolves when the response has been handed over for sending. */
export type Handle = (req: IncomingMessage, res: ServerResponse) => Promise<unknown>;

interface Exchange {
  readonly req: IncomingMessage;
  readonly res: ServerResponse;
}

export class Connections {
  readonly #handle: Handle;
  readonly #bounds: Bounds;
  /** Every open connection with the requests that wait on it. */
  readonly #waiting = new Map<Socket, Exchange[]>();
  /** Connections without a request, the longest idle first. */
  readonly #idle = new Set<Socket>();
  /** The request under way on each other connection, the oldest first. */
  readonly #busy = new Map<Socket, Exchange>();
  /** The size of each response that is being sent, the oldest first. */
  readonly #unsent = new Map<Socket, number>();
  #unsentBytes = 0;
  #pipelined = 0;
  #isDraining = false;

  /** Handles the server's connections and requests within `bounds`. */
  constructor(server: Server, handle: Handle, bounds: Bounds) {
    this.#handle = handle;
    this.#bounds = bounds;
    server.on('connection', (socket) => this.#accept(socket));
    server.on('request', (req, res) => this.#receive({ req, res }));
  }

  #accept(socket: Socket): void {
    if (this.#waiting.size >= this.#bounds.connections) {
      const victim = this.#longestWaitedFor();
      this.#drop(victim ?? socket);
      if (!victim) return;
    }
    this.#waiting.set(socket, []);
    this.#idle.add(socket);
    socket.once('close', () => this.#forget(socket));
  }

  #receive(exchange: Exchange): void {
    const { socket } = exchange.req;
    const queue = this.#waiting.get(socket);
    if (!queue || socket.destroyed) return;
    if (!this.#busy.has(socket)) {
      this.#begin(socket, exchange);
    } else if (this.#pipelined >= this.#bounds.pipelined) {
      this.#drop(socket);
    } else {
      queue.push(exchange);
      this.#pipelined += 1;
      // Node parses everything that it has read. Any further bytes stay in the kernel's buffers.
      socket.pause();
    }
  }

  /** Closes every connection after the response that is under way on it. */
  drain(): void {
    this.#isDraining = true;
    for (const { res } of this.#busy.values()) res.shouldKeepAlive = false;
  }

  #begin(socket: Socket, exchange: Exchange): void {
    const { req, res } = exchange;
    this.#idle.delete(socket);
    this.#busy.set(socket, exchange);
    if (this.#isDraining) res.shouldKeepAlive = false;
    res.once('close', () => this.#end(socket));
    void this.#handle(req, res).finally(() => this.#watchSending(socket, res));
  }

  /**
   * Closes the connection if the whole response is not taken in time. The time covers the whole
   * response, because a single byte would restart an inactivity timer.
   */
  #watchSending(socket: Socket, res: ServerResponse): void {
    if (res.closed) return;
    if (!res.writableEnded) {
      this.#watchStream(socket, res);
      return;
    }
    this.#setUnsent(socket);
    const timer = setTimeout(() => this.#drop(socket), this.#bounds.sendMs);
    res.once('close', () => clearTimeout(timer));
    for (const slow of this.#unsent.keys()) {
      if (this.#unsentBytes <= this.#bounds.unsentBytes) return;
      this.#drop(slow);
    }
  }

  /**
   * Closes the connection if a response that the app still writes waits for its client too long. A
   * download may take hours, as long as it is read. If nothing waits, the app is slow.
   */
  #watchStream(socket: Socket, res: ServerResponse): void {
    const { streamMs, streamBytes } = this.#bounds;
    let taken = takenFrom(socket);
    this.#setUnsent(socket);
    const timer = setInterval(() => {
      const before = taken;
      taken = takenFrom(socket);
      this.#setUnsent(socket);
      if (socket.writableLength > 0 && taken - before < streamBytes) this.#drop(socket);
    }, streamMs);
    res.once('close', () => clearInterval(timer));
  }

  #setUnsent(socket: Socket): void {
    const bytes = socket.writableLength;
    this.#unsentBytes += bytes - (this.#unsent.get(socket) ?? 0);
    this.#unsent.set(socket, bytes);
  }

  #end(socket: Socket): void {
    this.#forgetRequest(socket);
    const queue = this.#waiting.get(socket);
    // After a response with `Connection: close` our side has already ended.
    if (!queue || !socket.writable) return;
    const next = queue.shift();
    if (next) {
      this.#pipelined -= 1;
      this.#begin(socket, next);
    } else {
      this.#idle.add(socket);
    }
    if (queue.length === 0) socket.resume();
  }

  /** Returns the connection whose client has kept us waiting longest, idle ones first. */
  #longestWaitedFor(): Socket | undefined {
    const [idle] = this.#idle;
    if (idle) return idle;
    for (const [socket, { req, res }] of this.#busy) {
      // The client has not sent the whole body, or not taken the response. Any other wait is our
      // own work.
      if (!req.complete || res.writableEnded || res.writableNeedDrain) return socket;
    }
    // A client that pipelines requests has only itself to blame for their wait.
    for (const socket of this.#busy.keys()) {
      if ((this.#waiting.get(socket)?.length ?? 0) > 0) return socket;
    }
    return undefined;
  }

  #drop(socket: Socket): void {
    this.#forget(socket);
    socket.destroy();
  }

  #forget(socket: Socket): void {
    this.#pipelined -= this.#waiting.get(socket)?.length ?? 0;
    this.#waiting.delete(socket);
    this.#idle.delete(socket);
    this.#forgetRequest(socket);
  }

  #forgetRequest(socket: Socket): void {
    this.#busy.delete(socket);
    this.#unsentBytes -= this.#unsent.get(socket) ?? 0;
    this.#unsent.delete(socket);
  }
}

/** Returns the bytes that the kernel has taken for the client. */
function takenFrom(socket: Socket): number {
  return socket.bytesWritten - socket.writableLength;
}
