/** A receiver that only notes which payment a webhook is about. */
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

export interface Receiver {
  readonly url: string;
  /** Resolves at the webhook number `count` of the payment. Call it before the first is sent. */
  arrival(paymentId: string, count: number): Promise<void>;
  close(): void;
}

export async function openReceiver(): Promise<Receiver> {
  const waiting = new Map<string, { left: number; readonly done: () => void }>();
  function note(paymentId: string): void {
    const one = waiting.get(paymentId);
    if (!one) return;
    one.left -= 1;
    if (one.left > 0) return;
    waiting.delete(paymentId);
    one.done();
  }
  const server = createServer((request, response) => {
    const parts: Buffer[] = [];
    request.on('data', (part: Buffer) => parts.push(part));
    request.on('end', () => {
      response.end();
      note(/pay_\w{26}/.exec(Buffer.concat(parts).toString())?.[0] ?? '');
    });
  });
  await new Promise<void>((resolve) => {
    server.listen(0, '127.0.0.1', resolve);
  });
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hooks`,
    arrival: async (paymentId, count) =>
      new Promise((done) => waiting.set(paymentId, { left: count, done })),
    close: () => {
      server.closeAllConnections();
      server.close();
    },
  };
}
