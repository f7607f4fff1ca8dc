/** A load balancer in front of the API and the checkout of several servers. */
import { Agent, createServer, request } from 'node:http';
import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

/** Orchestrators poll every few seconds. The tests' servers give less notice than in production. */
const POLL_MS = 100;
const POLL_LIMIT_MS = 1_000;

/** The ports of a server. */
export interface Backend {
  readonly api: number;
  readonly checkout: number;
}

export interface Balancer {
  readonly apiUrl: string;
  readonly checkoutUrl: string;
  /** The requests that a server neither answered nor refused to take, as the balancer saw it. */
  readonly broken: readonly string[];
  /** Sends requests to these servers from now on, as soon as they are ready. */
  serve(backends: readonly Backend[]): void;
  close(): Promise<void>;
}

/**
 * Listens on two free ports. It sends requests in turn to the servers whose `/readyz` returns 2xx,
 * over connections that it keeps. A server that refuses to connect gets no request, so the next one
 * does. Any other failure breaks the client's connection. Without a server it returns 503.
 */
export async function openBalancer(): Promise<Balancer> {
  const agent = new Agent({ keepAlive: true });
  const broken: string[] = [];
  let backends: readonly Backend[] = [];
  const ready = new Set<Backend>();
  let turn = 0;

  const check = async (backend: Backend): Promise<void> => {
    const signal = AbortSignal.timeout(POLL_LIMIT_MS);
    const isReady = await fetch(`http://127.0.0.1:${backend.api}/readyz`, { signal }).then(
      async (response) => (await response.arrayBuffer(), response.ok),
      () => false,
    );
    if (isReady) ready.add(backend);
    else ready.delete(backend);
  };
  const timer = setInterval(() => backends.forEach((each) => void check(each)), POLL_MS);

  /** Returns the ports to try, in order. */
  const portsOf = (service: keyof Backend): number[] => {
    turn += 1;
    const all = backends.filter((each) => ready.has(each));
    return all.map((_, index) => all[(turn + index) % all.length]![service]);
  };

  async function pass(
    service: keyof Backend,
    incoming: IncomingMessage,
    outgoing: ServerResponse,
  ): Promise<void> {
    const body = Buffer.concat(await incoming.toArray());
    const send = ([port, ...others]: readonly number[]): void => {
      if (port === undefined) return void outgoing.writeHead(503, { 'retry-after': '1' }).end();
      const { method, url: path, headers } = incoming;
      const { connection: _, ...kept } = headers;
      const inner = request({ agent, host: '127.0.0.1', port, method, path, headers: kept });
      inner.on('response', (response) => {
        const { connection: __, 'keep-alive': ___, ...own } = response.headers;
        outgoing.writeHead(response.statusCode ?? 502, own);
        response.pipe(outgoing);
        response.on('error', () => outgoing.destroy());
      });
      inner.on('error', (error: NodeJS.ErrnoException) => {
        if (error.code === 'ECONNREFUSED') return send(others);
        broken.push(`${method} ${path}: ${error.message}`);
        return void outgoing.destroy();
      });
      inner.end(body);
    };
    send(portsOf(service));
  }

  const open = async (service: keyof Backend): Promise<Server> => {
    const server = createServer((incoming, outgoing) => void pass(service, incoming, outgoing));
    await new Promise<void>((resolve) => {
      server.listen(0, '127.0.0.1', resolve);
    });
    return server;
  };
  const [api, checkout] = [await open('api'), await open('checkout')];
  return {
    apiUrl: urlOf(api),
    checkoutUrl: urlOf(checkout),
    broken,
    serve(next) {
      backends = next;
    },
    close: async () => {
      clearInterval(timer);
      agent.destroy();
      for (const server of [api, checkout]) {
        server.closeAllConnections();
        await new Promise((resolve) => {
          server.close(resolve);
        });
      }
    },
  };
}

const urlOf = (server: Server): string =>
  `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
