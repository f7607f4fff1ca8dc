/** Serves an app over HTTP: its limits, connections and shutdown. */
import { createServer } from 'node:http';
import type { Server, ServerOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { Connections } from './connections.ts';
import type { Handle } from './connections.ts';
import { CONNECTION_BOUNDS, serverOptions } from './limits.ts';
import type { Bounds } from './limits.ts';
import { refuseBroken } from './refuse.ts';
import type { Refuse } from './refuse.ts';

/** The time for requests under way to end when the server stops. */
const DRAIN_MS = 6_000;

export interface Service {
  /** The request handler; `app.callback()` of a Koa app. */
  readonly handle: Handle;
  readonly refuse: Refuse;
  /** Limits other than those in production, for tests. */
  readonly options?: ServerOptions;
  readonly bounds?: Partial<Bounds>;
}

/** Creates a server. It does not listen yet. */
export function serve({ handle, refuse, options, bounds }: Service) {
  const server = createServer({ ...serverOptions, ...options });
  const connections = new Connections(server, handle, { ...CONNECTION_BOUNDS, ...bounds });
  refuseBroken(server, refuse);
  return {
    server,
    /**
     * Closes each connection after its next response. After `noticeMs`, stops listening and closes
     * idle connections. Resolves when every request under way has its response, or 6 s later.
     */
    drain: async (noticeMs = 0): Promise<void> => {
      connections.drain();
      await sleep(noticeMs);
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(timer);
    },
  };
}

/**
 * Listens on the port. Rejects with an error that names the variable if it cannot, as when the port
 * is taken.
 */
export async function openPort(
  { server }: { server: Server },
  { variable, port, host }: { variable: string; port: number; host: string | undefined },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`${variable}: cannot listen on port ${port}`, { cause: error }));
    });
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
}
