/** A receiver that only notes which payment a webhook is about. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  readonly url: string;
  /** Resolves at the first webhook whose body has the text. Call it before the webhook is sent. */
  arrival(text: string): Promise<void>;
  close(): void;
}

export async function openReceiver(): Promise<Receiver> {
  const waiting = new Map<string, () => void>();
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.end();
      const [id = ''] = /pay_\w{26}/.exec(Buffer.concat(parts).toString()) ?? [];
      waiting.get(id)?.();
      waiting.delete(id);
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    arrival: async (id) => new Promise((resolve) => waiting.set(id, resolve)),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
