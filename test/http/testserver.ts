/** A server of `http/` on a free port, and raw connections to it. */
import type { IncomingMessage, ServerResponse } from 'node:http';
import net from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { refusePlainly } from '../../http/refuse.ts';
import { serve } from '../../http/serve.ts';
import type { Service } from '../../http/serve.ts';

export interface TestServer {
  readonly port: number;
  /** The paths of the app's requests, in order. */
  readonly seen: string[];
  /** Returns the number of open connections. */
  connections(): Promise<number>;
  readonly drain: (noticeMs?: number) => Promise<void>;
  close(): Promise<void>;
}

type App = (req: IncomingMessage, res: ServerResponse) => Promise<void> | void;

/** Serves `app` on a free port. */
export async function openTestServer(
  app: App,
  service: Pick<Service, 'options' | 'bounds'> = {},
): Promise<TestServer> {
  const seen: string[] = [];
  const handle = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    seen.push(req.url ?? '');
    try {
      await app(req, res);
    } catch {
      // The client is gone, so the app cannot respond.
    }
  };
  const { server, drain } = serve({ handle, refuse: refusePlainly, ...service });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    seen,
    connections: async () =>
      new Promise((resolve, reject) => {
        server.getConnections((error, count) => (error ? reject(error) : resolve(count)));
      }),
    drain,
    close: async () => {
      server.closeAllConnections();
      if (server.listening) await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface RawConnection {
  readonly socket: Socket;
  /** The text received so far. */
  readonly text: string;
  readonly isClosed: boolean;
}

/** Opens a connection and sends `text`. Reads the responses, except if `deaf`. */
export async function dial(port: number, text = '', { deaf = false } = {}): Promise<RawConnection> {
  const socket = net.connect(port, '127.0.0.1');
  let received = '';
  let isClosed = false;
  socket.on('error', () => undefined);
  socket.on('close', () => {
    isClosed = true;
  });
  if (deaf) socket.pause();
  else socket.setEncoding('latin1').on('data', (chunk: string) => void (received += chunk));
  await new Promise((resolve) => socket.once('connect', resolve));
  if (text !== '') socket.write(text);
  return {
    socket,
    get text() {
      return received;
    },
    get isClosed() {
      return isClosed;
    },
  };
}

export const get = (path: string): string => `GET ${path} HTTP/1.1\r\nHost: a\r\n\r\n`;

/** Returns the number of status lines in the text. */
export const responsesIn = (text: string): number => text.split('HTTP/1.1 ').length - 1;
