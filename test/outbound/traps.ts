/** Listeners on this machine's inner addresses that count who comes, and let nobody in. */
import { createServer } from 'node:net';
import type { AddressInfo } from 'node:net';

export interface Trap {
  readonly port: number;
  readonly connections: number;
  close(): Promise<void>;
}

export interface Traps extends Trap {
  /** `port` is a trap at every inner address, IPv4 and IPv6; the others are at some of them. */
  readonly ports: readonly number[];
}

/** A trap at one address; at a free port unless one is given. */
export async function openTrap(host: string, port = 0): Promise<Trap> {
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

/** All addresses of this machine at one port, and single addresses at ports of their own. */
export async function openTraps(): Promise<Traps> {
  const everywhere = await openTrap('0.0.0.0');
  const { port } = everywhere;
  const others = await Promise.all([
    openTrap('127.0.0.1'),
    openTrap('127.0.0.2'),
    openTrap('0.0.0.0'),
    // A machine without IPv6 has no address of it that could be reached either.
    openTrap('::', port).catch(() => undefined),
  ]);
  const all = [everywhere, ...others.filter((trap) => trap !== undefined)];
  return {
    port,
    ports: [...new Set(all.map((trap) => trap.port))],
    get connections() {
      return all.reduce((sum, trap) => sum + trap.connections, 0);
    },
    close: async () => {
      await Promise.all(all.map(async (trap) => trap.close()));
    },
  };
}
