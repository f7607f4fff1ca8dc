/** Connections that are used in odd ways: pipelines, pauses, resets and early ends. */
import net from 'node:net';
import { describe, expect, it } from 'vitest';
import { codeOf, countAll, exchange, expectDocumented, parseAnswers } from './hostile.ts';
import type { Exchange } from './hostile.ts';
import { PAYMENT, serveApi, openStand } from './harness.ts';
import type { RunningApi } from './harness.ts';
import { closeAfterTests } from '../support/close.ts';

const stand = await openStand('hostile_connection');
const { mongo, tenant } = stand;

/** As in production, but with shorter times. */
const QUICK = {
  options: { headersTimeout: 400, requestTimeout: 600, connectionsCheckingInterval: 50 },
};
/** For tests that are not about time. */
let api: RunningApi;
const quick = closeAfterTests(await serveApi(tenant, stand, QUICK));
({ api } = stand);

const BODY = JSON.stringify(PAYMENT);
const CLOSED = 'Connection: close';

function request(line: string, lines: readonly string[] = [], body = ''): string {
  const head = [`${line} HTTP/1.1`, 'Host: a', `Authorization: Bearer ${tenant.secret}`, ...lines];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

const post = (lines: readonly string[] = [], body = BODY): string => {
  const length = `Content-Length: ${BODY.length}`;
  return request('POST /v1/payments', ['Content-Type: application/json', length, ...lines], body);
};

interface Way extends Exchange {
  by?: RunningApi;
}

async function codesOf(sent: string, { by = api, ...how }: Way = {}): Promise<(string | number)[]> {
  const answers = await exchange(by.port, sent, how);
  for (const answer of answers) expectDocumented(answer);
  return answers.map(codeOf);
}

describe('requests one after another on one connection', () => {
  it('get their responses in order, without waiting for each other', async () => {
    const wanted = [
      '/v1/currencies',
      '/v1/nothing',
      '/v1/payments?limit=1',
      '/v1/payments?limit=0',
    ];
    const sent = wanted.map((path) => request(`GET ${path}`)).join('') + request('GET /', [CLOSED]);
    const codes = [200, 'route_missing', 200, 'limit_out_of_range', 'route_missing'];
    expect(await codesOf(sent)).toEqual(codes);
  });

  it('are dropped after a malformed one, and those before it have one effect each', async () => {
    const before = await mongo.payments.countDocuments();
    const keyed = ['first', 'second', 'third'].map((key) => post([`Idempotency-Key: ${key}`]));
    const sent = `${keyed.slice(0, 2).join('')}BROKEN\r\n\r\n${keyed[2]}`;
    expect(await codesOf(sent)).toContain('parameter_invalid');
    // The first two may still have been running, so they are sent again.
    for (const key of ['first', 'second']) {
      expect((await api.send('POST', '/v1/payments', { body: PAYMENT, key })).status).toBe(201);
    }
    expect(await mongo.payments.countDocuments()).toBe(before + 2);
  });

  it('begin where a body ends, so a request inside a body is not served', async () => {
    const inside = request('GET /v1/currencies');
    const length = `Content-Length: ${inside.length}`;
    const sent = request('GET /v1/nothing', [length], inside) + request('GET /', [CLOSED]);
    expect(await codesOf(sent)).toEqual(['route_missing', 'route_missing']);
  });

  it('do not include the unread body of a refused request', async () => {
    const lines = ['Content-Type: application/json', 'Content-Length: 1000000'];
    const sent = request('POST /v1/payments', lines, request('GET /v1/currencies'));
    expect(await codesOf(sent)).toEqual(['body_too_large']);
  });
});

describe('Expect', () => {
  it('100-continue gets a response before the body is sent', async () => {
    const answer = await new Promise<string>((resolve) => {
      let received = '';
      const socket = net.connect(api.port, '127.0.0.1');
      socket.setEncoding('utf8').on('data', (chunk: string) => {
        received += chunk;
        if (received.endsWith('HTTP/1.1 100 Continue\r\n\r\n')) socket.write(BODY);
      });
      socket.on('close', () => resolve(received));
      socket.write(post(['Expect: 100-continue', CLOSED], ''));
    });
    expect(parseAnswers(Buffer.from(answer)).map(codeOf)).toEqual([201]);
  });

  it.each(['200-ok', '100-continue, x', ''])(
    'anything else is ignored: %s',
    async (expectation) => {
      expect(await codesOf(post([`Expect: ${expectation}`, CLOSED]))).toEqual([201]);
    },
  );
});

describe('a sender', () => {
  it.each([
    ['headers', 'GET /v1/currencies HTTP/1.1\r\nHost: a\r\nX-A'],
    ['request line', 'GET'],
  ])('that does not finish its %s gets request_timeout', async (_, sent) => {
    expect(await codesOf(sent, { by: quick })).toEqual(['request_timeout']);
  });

  it.each([
    ['body', () => post([], BODY.slice(0, 20))],
    [
      'chunks',
      () =>
        request(
          'POST /v1/payments',
          ['Content-Type: application/json', 'Transfer-Encoding: chunked'],
          '5\r\n{"a',
        ),
    ],
  ])('that does not finish its %s gets request_timeout, and creates nothing', async (_, sent) => {
    const before = await countAll(mongo);
    expect(await codesOf(sent(), { by: quick })).toEqual(['request_timeout']);
    expect(await countAll(mongo)).toEqual(before);
  });

  it('that sends single bytes gets no more time', async () => {
    const begun = Date.now();
    const codes = await new Promise<(string | number)[]>((resolve) => {
      let received = Buffer.alloc(0);
      const socket = net.connect(quick.port, '127.0.0.1');
      socket.write(post([], '{'));
      const timer = setInterval(() => socket.write(' '), 20);
      socket.on('data', (chunk: Buffer) => {
        received = Buffer.concat([received, chunk]);
      });
      socket.on('error', () => undefined);
      socket.on('close', () => {
        clearInterval(timer);
        resolve(parseAnswers(received).map(codeOf));
      });
    });
    expect(codes).toEqual(['request_timeout']);
    // Only a limit on the whole request ends this.
    expect(Date.now() - begun).toBeLessThan(20_000);
  });

  it.each([
    ['in the middle of its body', () => post([], BODY.slice(0, 20))],
    ['in the middle of its headers', () => 'POST /v1/payments HTTP/1.1\r\nHost: a\r\n'],
  ])('that hangs up %s creates nothing', async (_, sent) => {
    const before = await countAll(mongo);
    const codes = await codesOf(sent(), { hangsUp: true });
    expect(codes).toEqual(codes.filter((code) => typeof code === 'string'));
    expect(await countAll(mongo)).toEqual(before);
  });

  it.each(['CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'BROKEN\r\n\r\n', 'GET /'])(
    'that does not close its side is disconnected: %j',
    async (sent) => {
      const { port } = sent === 'GET /' ? quick : api;
      const socket = net.connect({ port, host: '127.0.0.1', allowHalfOpen: true });
      socket.on('error', () => undefined).resume();
      socket.write(sent);
      await new Promise((resolve) => socket.once('end', resolve));
      // Sending single bytes shows whether the connection is still open.
      const timer = setInterval(() => socket.write('x'), 50);
      await new Promise((resolve) => socket.once('close', resolve));
      clearInterval(timer);
      expect(socket.destroyed).toBe(true);
    },
  );

  it.each(['CONNECT a:443 HTTP/1.1\r\nHost: a\r\n\r\n', 'BROKEN\r\n\r\n'])(
    'that resets its connection does not disturb others: %j',
    async (sent) => {
      for (let i = 0; i < 20; i += 1) {
        await new Promise<void>((resolve) => {
          const socket = net.connect(api.port, '127.0.0.1');
          socket.on('error', () => undefined).on('close', () => resolve());
          socket.write(sent, () => socket.resetAndDestroy());
        });
      }
      expect((await api.send('GET', '/v1/currencies')).status).toBe(200);
    },
  );

  it('that leaves before the response causes one effect', async () => {
    const before = await mongo.payments.countDocuments();
    await new Promise<void>((resolve) => {
      const socket = net.connect(api.port, '127.0.0.1');
      socket.on('close', () => resolve());
      socket.write(post(['Idempotency-Key: gone']), () => socket.destroy());
    });
    const repeat = { body: PAYMENT, key: 'gone' };
    expect((await api.send('POST', '/v1/payments', repeat)).status).toBe(201);
    expect(await mongo.payments.countDocuments()).toBe(before + 1);
  });
});
