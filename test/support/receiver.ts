/** A webhook receiver: a real HTTP server that records requests and responds as a test sets it. */
import { createServer } from 'node:http';
import type { IncomingHttpHeaders, IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Received {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  /** The body's raw bytes. */
  raw: Buffer;
  /** When the whole request had been read, in unix milliseconds. */
  at: number;
}

export interface Reply {
  status: number;
  headers?: Readonly<Record<string, string>>;
  body?: string;
}

/** `silence`: no response. `reset`: a broken connection. `flood`: 200 and an endless body. */
export type Behaviour = Reply | 'silence' | 'reset' | 'flood';

export interface Receiver {
  readonly url: string;
  readonly port: number;
  readonly requests: readonly Received[];
  /** The number of opened connections, with or without a request. */
  connections: number;
  /** The bytes of a flood that were written, and true if the sender closed the connection. */
  readonly flood: { bytes: number; cutOff: boolean };
  /** Returns the response to a request. The first request has number 1. */
  respond: (number: number, request: Received) => Behaviour | Promise<Behaviour>;
  close(): Promise<void>;
}

const CHUNK = Buffer.alloc(16 * 1024, 'x');

/** Listens on `host`, by default on a free port. Responds with 200 until a test sets otherwise. */
export async function openReceiver(host = '127.0.0.1', at = 0): Promise<Receiver> {
  const requests: Received[] = [];
  const server = createServer((request, response) => void take(request, response));
  await new Promise<void>((resolve) => {
    server.listen(at, host, resolve);
  });
  const { port } = server.address() as AddressInfo;
  const self: Receiver = {
    url: `http://${host.includes(':') ? `[${host}]` : host}:${port}/hooks`,
    port,
    requests,
    connections: 0,
    flood: { bytes: 0, cutOff: false },
    respond: () => ({ status: 200 }),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
  server.on('connection', () => {
    self.connections += 1;
  });

  async function take(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const parts: Buffer[] = [];
    for await (const part of request) parts.push(part as Buffer);
    const { method = '', url = '', headers } = request;
    const received = { method, path: url, headers, raw: Buffer.concat(parts), at: Date.now() };
    requests.push(received);
    const behaviour = await self.respond(requests.length, received);
    if (behaviour === 'silence') return;
    if (behaviour === 'reset') return void request.socket.resetAndDestroy();
    if (behaviour === 'flood') return pour(response);
    response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body ?? '');
  }

  function pour(response: ServerResponse): void {
    response.writeHead(200);
    response.on('close', () => {
      self.flood.cutOff = true;
    });
    const next = (): void => {
      while (!response.destroyed && response.write(CHUNK)) self.flood.bytes += CHUNK.length;
    };
    response.on('drain', next);
    next();
  }

  return self;
}
