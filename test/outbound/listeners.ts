/** Listeners on internal addresses of this machine that count and drop connections. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Listener {
  readonly port: number;
  readonly connections: number;
  close(): Promise<void>;
}

export interface Listeners extends Listener {
  /** `port` has a listener at every internal address. The others have one at a single address. */
  readonly ports: readonly number[];
}

/** Opens a listener at one address, by default on a free port. */
export async function openListener(host: string, port = 0): Promise<Listener> {
  let connections = 0;
  const server = createServer((socket) => {
    connections += 1;
    socket.destroy();
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject).listen({ host, port, ipv6Only: host.includes(':') }, resolve);
  });
  return {
    port: (server.address() as AddressInfo).port,
    get connections() {
      return connections;
    },
    close: async () => {
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}

/** Opens a listener for all addresses at one port, and others for single addresses. */
export async function openListeners(): Promise<Listeners> {
  const everywhere = await openListener('0.0.0.0');
  const { port } = everywhere;
  const others = await Promise.all([
    openListener('127.0.0.1'),
    openListener('127.0.0.2'),
    openListener('0.0.0.0'),
    // A machine without IPv6 needs no such listener.
    openListener('::', port).catch(() => undefined),
  ]);
  const all = [everywhere, ...others.filter((listener) => listener !== undefined)];
  return {
    port,
    ports: [...new Set(all.map((listener) => listener.port))],
    get connections() {
      return all.reduce((sum, listener) => sum + listener.connections, 0);
    },
    close: async () => {
      await Promise.all(all.map(async (listener) => listener.close()));
    },
  };
}
