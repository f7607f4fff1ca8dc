/** A TCP proxy between a process of ours and a database: it can fall silent, or hold one message. */
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

/** Where the one message is held: before it is forwarded, or when its answer comes back. */
export type HoldAt = 'request' | 'answer';

export interface Proxy {
  readonly port: number;
  readonly address: string;
  /** From now on nothing goes through, in either direction, and on new connections as well. */
  pause(): void;
  /** Sends on whatever came meanwhile. */
  resume(): void;
  /**
   * Waits for the next request that names `command` in MongoDB's wire protocol, and holds it, or
   * its answer, for good: nothing goes through its connection any more. Resolves when it is held.
   */
  hold(command: string, at: HoldAt): Promise<void>;
  /** Breaks every connection; what waited on them is lost. */
  cut(): void;
  close(): Promise<void>;
}

/** Listens on a free port of the loopback address and connects each caller to `target`. */
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

interface Pipe {
  readonly client: Socket;
  readonly upstream: Socket;
  /** What waits to be sent on, in order. */
  readonly waiting: (() => void)[];
  /** Whether this is the connection of the message that is held. */
  stuck: boolean;
}

class Switchboard {
  readonly #pipes = new Set<Pipe>();
  #paused = false;
  #watch: { name: string; at: HoldAt; held: () => void } | undefined;

  join(client: Socket, upstream: Socket): void {
    const pipe: Pipe = { client, upstream, waiting: [], stuck: false };
    this.#pipes.add(pipe);
    // A process that dies takes its connections with it, also those on which nothing goes through.
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
      this.#look(pipe, message);
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
      // A name in the wire protocol ends with a zero byte.
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

  /** A small command comes in one piece: drivers write each as one buffer. */
  #look(pipe: Pipe, message: Buffer): void {
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
