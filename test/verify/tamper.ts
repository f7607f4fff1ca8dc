/** A proxy before the checkout, which changes what customers get. */
import { createServer } from 'node:http';
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Passing {
  /** The path with its query. */
  readonly path: string;
  status: number;
  headers: Record<string, string>;
  /** Its bytes, one character each. */
  body: string;
}

/** Opens a proxy to `origin`. Set `change` to tamper with responses. */
export async function openTamper(origin: string) {
  const state: { change: (passing: Passing) => void } = { change: () => undefined };
  const pass = async (req: IncomingMessage, res: ServerResponse): Promise<void> => {
    const { url: path = '' } = req;
    const response = await fetch(origin + path, { redirect: 'manual' });
    const headers = Object.fromEntries(response.headers);
    for (const name of ['content-encoding', 'content-length', 'transfer-encoding']) {
      delete headers[name];
    }
    const body = Buffer.from(await response.arrayBuffer()).toString('latin1');
    const passing = { path, status: response.status, headers, body };
    state.change(passing);
    res.writeHead(passing.status, passing.headers).end(passing.body, 'latin1');
  };
  const server = createServer((req, res) => void pass(req, res));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    state,
    origin: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}
