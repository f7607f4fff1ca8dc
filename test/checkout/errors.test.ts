import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../domain/payment.ts';
import { makePayment } from '../support/rows/payment.ts';
import { failing, openWire } from '../support/servers/wire.ts';
import { CARD, openBench } from './harness.ts';

const path = (payment: Payment) => `/c/${payment.checkout_token}`;

describe('without MongoDB', () => {
  /** The longest wait for a response, in milliseconds: the store's own limit and a margin. */
  const BOUND_MS = 6_000;

  it('responds with 503 in time and in the language of the browser, and recovers', async () => {
    const upstream = new URL(process.env['TEST_MONGODB_URI']!.replace(/^mongodb:/, 'http:'));
    const sockets = new Set<Socket>();
    let isAway = false;
    const proxy = createServer((socket) => {
      if (isAway) {
        socket.destroy();
        return;
      }
      const far = connect(Number(upstream.port), upstream.hostname);
      for (const each of [socket, far]) {
        sockets.add(each);
        each.on('error', () => each.destroy());
      }
      socket.pipe(far).pipe(socket);
    });
    await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve));
    const { port } = proxy.address() as AddressInfo;
    const uri = `mongodb://127.0.0.1:${port}/?directConnection=true`;
    const away = await openBench('away', { uri });
    try {
      const payment = await away.put(makePayment());
      isAway = true;
      for (const socket of sockets) socket.destroy();
      const start = performance.now();
      const headers = { 'Accept-Language': 'ru' };
      const response = await away.call(path(payment), { headers });
      expect(response.status).toBe(503);
      expect(performance.now() - start).toBeLessThan(BOUND_MS);
      expect(response.headers.get('retry-after')).toBe('5');
      expect(response.text).toContain('<html lang="ru">');
      expect(response.text).toContain(`href="${path(payment)}" id="again"`);
      expect(away.lines.join('')).not.toContain(payment.checkout_token);
      isAway = false;
      const back = await away.call(path(payment));
      expect(back.status).toBe(200);
    } finally {
      await away.close();
      proxy.close();
      for (const socket of sockets) socket.destroy();
    }
  });
});

describe('while MongoDB changes its primary', () => {
  it('responds with 503 if reads or writes fail, and recovers', async () => {
    const wire = await openWire(process.env['TEST_MONGODB_URI']!);
    const bench = await openBench('election', { uri: wire.uri });
    try {
      const payment = await bench.put(makePayment());
      for (const command of ['find', 'update']) {
        wire.setRules({ commands: [command], reply: failing(10_107, 'NotWritablePrimary') });
        const response = await bench.post(`${path(payment)}/pay`, CARD);
        expect([command, response.status]).toEqual([command, 503]);
        expect(response.headers.get('retry-after')).toBe('5');
      }
      wire.setRules();
      expect((await bench.post(`${path(payment)}/pay`, CARD)).location).toContain('/bank/');
    } finally {
      await bench.close();
      await wire.close();
    }
  });
});
