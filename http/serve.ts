/** Serving an app over HTTP: its limits, its connections, and how it stops. */
import { createServer } from 'node:http';
import type { Server, ServerOptions } from 'node:http';
import { boundConnections } from './connections.ts';
import type { Handle } from './connections.ts';
import { BOUNDS, serverOptions } from './limits.ts';
import type { Bounds } from './limits.ts';
import { refuseBroken } from './refuse.ts';
import type { Refuse } from './refuse.ts';

/** Requests under way when the server is told to stop are given so long to end. */
const DRAIN_MS = 6_000;

export interface Service {
  /** Of a Koa app: `app.callback()`. */
  readonly handle: Handle;
  readonly refuse: Refuse;
  /** Other limits than those in production, for tests. */
  readonly options?: ServerOptions;
  readonly bounds?: Partial<Bounds>;
}

export interface Serving {
  readonly server: Server;
  /** Stops listening, and resolves when every request under way has its response, or after 6 s. */
  readonly drain: () => Promise<void>;
}

/** A server that does not listen yet. */
export function serve({ handle, refuse, options, bounds }: Service): Serving {
  const server = createServer({ ...serverOptions, ...options });
  const connections = boundConnections(server, handle, { ...BOUNDS, ...bounds });
  refuseBroken(server, refuse);
  return {
    server,
    drain: async () => {
      connections.drain();
      const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS);
      await new Promise((resolve) => server.close(resolve));
      clearTimeout(timer);
    },
  };
}

/** Rejects with an error that names the variable when the port is taken. */
export async function listen(
  { server }: Serving,
  { variable, port, host }: { variable: string; port: number; host: string | undefined },
): Promise<void> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', (error) => {
      reject(new Error(`${variable}: cannot listen on port ${port}`, { cause: error }));
    });
    server.listen({ port, ...(host === undefined ? {} : { host }) }, resolve);
  });
}
