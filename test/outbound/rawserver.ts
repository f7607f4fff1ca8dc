/** A server below HTTP, for responses that no HTTP server sends. */
import { createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';

export type OnSocket = (socket: Socket) => void;

export interface RawServer {
  readonly port: number;
  readonly url: string;
  /** The number of opened connections, and of those that are closed on both sides. */
  readonly opened: number;
  readonly closed: number;
  close(): Promise<void>;
}

/** Listens on a free port. `onSocket` handles each connection. */
export async function openRawServer(onSocket: OnSocket): Promise<RawServer> {
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer({ noDelay: true }, (socket) => {
    opened += 1;
    sockets.add(socket);
    socket.on('error', () => undefined).on('close', () => sockets.delete(socket));
    onSocket(socket);
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  const { port } = server.address() as AddressInfo;
  return {
    port,
    url: `http://127.0.0.1:${port}/hooks`,
    get opened() {
      return opened;
    },
    get closed() {
      return opened - sockets.size;
    },
    close: async () => {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => {
        server.close(resolve);
      });
    },
  };
}
