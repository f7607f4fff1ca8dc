/** A TCP proxy in front of a database, which can stop forwarding or hold back one message. */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** `request` holds a message before it is forwarded; `answer` holds its response. */
export type HoldAt = 'request' | 'answer';

export interface Proxy {
  readonly port: number;
  readonly address: string;
  /** Stops forwarding in both directions, also on new connections. */
  pause(): void;
  /** Forwards again, first everything that arrived meanwhile. */
  resume(): void;
  /**
   * Waits for the next request with `command` in the wire protocol. Holds back that request or
   * its response for good, with all that follows on the connection. Resolves once it is held.
   */
  hold(command: string, at: HoldAt): Promise<void>;
  /** Breaks every connection. Messages that waited on them are lost. */
  cut(): void;
  close(): Promise<void>;
}

/** Listens on a free loopback port and connects each client to `target`. */
export async function openProxy(target: { host: string; port: number }): Promise<Proxy> {
  const switchboard = new Switchboard();
  const server = createServer((client) => switchboard.join(client, connect(target)));
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    address: `127.0.0.1:${port}`,
    pause: () => switchboard.setPaused(true),
    resume: () => switchboard.setPaused(false),
    hold: async (command, at) => switchboard.hold(command, at),
    cut: () => switchboard.cut(),
    close: async () => {
      switchboard.cut();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Opens a proxy to a MongoDB server. Its `uri` leads to the database of `target`. */
export async function openMongoProxy(target: string): Promise<Proxy & { readonly uri: string }> {
  const { hostname: host, port, pathname } = new URL(target);
  const proxy = await openProxy({ host, port: Number(port) });
  // Without this option, the driver would find the real server and connect to it.
  const uri = `mongodb://${proxy.address}${pathname || '/'}?directConnection=true`;
  return { ...proxy, uri };
}

interface Pipe {
  readonly client: Socket;
  readonly upstream: Socket;
  /** Messages to forward later, in order. */
  readonly waiting: (() => void)[];
  /** True if a message of this connection is held. */
  stuck: boolean;
}

class Switchboard {
  readonly #pipes = new Set<Pipe>();
  #paused = false;
  #watch: { name: string; at: HoldAt; held: () => void } | undefined;

  join(client: Socket, upstream: Socket): void {
    const pipe: Pipe = { client, upstream, waiting: [], stuck: false };
    this.#pipes.add(pipe);
    // The end of either process closes both sides, even while nothing is forwarded.
    const end = (): void => {
      client.destroy();
      upstream.destroy();
      this.#pipes.delete(pipe);
    };
    for (const socket of [client, upstream]) {
      socket.on('error', end);
      socket.on('close', end);
    }
    client.on('data', (message) => {
      this.#inspect(pipe, message);
      this.#pass(pipe, () => upstream.write(message));
    });
    upstream.on('data', (message) => this.#pass(pipe, () => client.write(message)));
  }

  setPaused(paused: boolean): void {
    this.#paused = paused;
    for (const pipe of this.#pipes) {
      if (!paused && !pipe.stuck) for (const send of pipe.waiting.splice(0)) send();
    }
  }

  async hold(command: string, at: HoldAt): Promise<void> {
    return new Promise((held) => {
      // Names in the wire protocol end with a zero byte.
      this.#watch = { name: `${command}\0`, at, held };
    });
  }

  cut(): void {
    for (const pipe of this.#pipes) {
      pipe.waiting.length = 0;
      pipe.client.destroy();
    }
  }

  #pass(pipe: Pipe, send: () => void): void {
    if (this.#paused || pipe.stuck) pipe.waiting.push(send);
    else send();
  }

  /** Finds the watched command. A small command arrives in one piece: drivers write it at once. */
  #inspect(pipe: Pipe, message: Buffer): void {
    const watch = this.#watch;
    if (!watch || !message.includes(watch.name)) return;
    this.#watch = undefined;
    const stick = (): void => {
      pipe.stuck = true;
      watch.held();
    };
    if (watch.at === 'request') stick();
    else pipe.upstream.prependOnceListener('data', stick);
  }
}
