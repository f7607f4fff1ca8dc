import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { Readable } from 'node:stream';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TollgateUsageError, WebhookVerificationError, webhooks } from '../../sdk/index.ts';
import type { ReceiveOptions, WebhookRequest } from '../../sdk/index.ts';
import { until } from '../support/until.ts';
import { BODY, ID, OTHER, SECRET, sign, unixNow } from './signed.ts';

const MAX_BYTES = 1024 * 1024;

/** The two kinds of request objects that a handler can get. */
const KINDS: readonly [string, (incoming: http.IncomingMessage) => WebhookRequest][] = [
  ["Node's request", (incoming) => incoming],
  [
    'a web Request',
    (incoming) => {
      const headers = new Headers(incoming.headers as Record<string, string>);
      const body = Readable.toWeb(incoming) as ReadableStream<Uint8Array>;
      const url = `http://127.0.0.1${incoming.url}`;
      const init = { method: 'POST', headers, body, duplex: 'half' };
      return new Request(url, init);
    },
  ],
];

/** Returns a signed event whose body has exactly that number of bytes. */
function eventOf(bytes: number): { body: string; headers: Record<string, string> } {
  const empty = JSON.stringify({ id: ID, type: 'payment.completed', note: '' });
  const body = empty.replace('""', `"${'x'.repeat(bytes - empty.length)}"`);
  return { body, headers: webhooks.signTest({ body, secret: SECRET }) };
}

const statusOf = async (sent: http.ClientRequest): Promise<number> =>
  new Promise((resolve, reject) => {
    sent.once('response', (response) => resolve(response.resume().statusCode ?? 0));
    sent.once('error', reject);
  });

describe.each(KINDS)('webhooks.receive with %s', (_, requestOf) => {
  let server: http.Server;
  let secret: string | readonly string[] | undefined;
  let options: ReceiveOptions;
  let before: (request: WebhookRequest) => Promise<unknown>;
  let errors: unknown[];
  const handled: string[] = [];

  beforeEach(async () => {
    secret = SECRET;
    options = {};
    before = async () => undefined;
    errors = [];
    handled.length = 0;
    server = http.createServer((incoming, outgoing) => {
      void receive(requestOf(incoming)).then((status) => outgoing.writeHead(status).end());
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  });
  afterEach(async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  });

  /** Handles a request as a merchant does, and returns the status to respond with. */
  async function receive(request: WebhookRequest): Promise<number> {
    try {
      await before(request);
      const event = await webhooks.receive(request, secret, options);
      if (!handled.includes(event.id)) handled.push(event.id);
      return 200;
    } catch (error) {
      errors.push(error);
      return error instanceof WebhookVerificationError ? error.status : 500;
    }
  }

  const open = (headers: object): http.ClientRequest => {
    const { port } = server.address() as AddressInfo;
    return http.request({ port, method: 'POST', headers: { ...headers }, agent: false });
  };

  async function post(body: string | Buffer, headers: object = sign()): Promise<number> {
    const sent = open({ ...headers, 'content-length': Buffer.byteLength(body) });
    const status = statusOf(sent);
    sent.end(body);
    return status;
  }

  const lastReason = () => (errors.at(-1) as WebhookVerificationError).reason;

  it('returns the event, which can then be handled once', async () => {
    expect(await post(BODY)).toBe(200);
    expect(await post(BODY, sign({ timestamp: unixNow() - 1 }))).toBe(200);
    expect(handled).toEqual([ID]);
    expect(errors).toEqual([]);
  });

  it('reads a body in chunks that split a character', async () => {
    const body = Buffer.from(JSON.stringify({ id: ID, type: 'payment.failed', note: 'Երևան' }));
    const sent = open(webhooks.signTest({ body, secret: SECRET }));
    const status = statusOf(sent);
    const middle = body.indexOf('Ե') + 1;
    await new Promise((resolve) => sent.write(body.subarray(0, middle), resolve));
    sent.end(body.subarray(middle));
    expect(await status).toBe(200);
  });

  it.each([
    ['a setting with several secrets', `${OTHER}, ${SECRET}\n`],
    ['an array of secrets', [OTHER, SECRET]],
  ])('accepts %s', async (_name, given) => {
    secret = given;
    expect(await post(BODY)).toBe(200);
  });

  it.each([
    ['a changed body', BODY.replace('completed', 'failed'), sign(), 'signature'],
    ["a stranger's secret", BODY, sign({ secret: OTHER }), 'signature'],
    ['an old timestamp', BODY, sign({ timestamp: unixNow() - 330 }), 'timestamp'],
    ['no signature', BODY, {}, 'headers'],
    ['no body', '', sign(), 'signature'],
    ['a signed body that is not an event', '[]', sign({ body: '[]' }), 'body'],
  ])('refuses %s with 400', async (_name, body, headers, reason) => {
    expect(await post(body, headers)).toBe(400);
    expect(lastReason()).toBe(reason);
  });

  it('accepts 1 MiB, refuses one byte more with 413, and keeps working', async () => {
    const largest = eventOf(MAX_BYTES);
    expect(await post(largest.body, largest.headers)).toBe(200);
    const larger = eventOf(MAX_BYTES + 1);
    expect(await post(larger.body, larger.headers)).toBe(413);
    expect(lastReason()).toBe('too_large');
    expect(await post(BODY)).toBe(200);
  });

  it('refuses a body of unknown length with 413 before it ends', async () => {
    const sent = open(sign());
    const status = statusOf(sent);
    // With more, a slow machine would close the connection before the response is read.
    sent.write(Buffer.alloc(MAX_BYTES + 1, 'x'));
    expect(await status).toBe(413);
    sent.destroy();
  });

  it('refuses a body that stops with 408 after timeoutMs', async () => {
    options = { timeoutMs: 200 };
    const sent = open({ ...sign(), 'content-length': Buffer.byteLength(BODY) });
    const status = statusOf(sent);
    sent.write(BODY.slice(0, 10));
    expect(await status).toBe(408);
    expect(errors).toMatchObject([{ reason: 'incomplete', message: /within 200 ms/ }]);
    sent.destroy();
  });

  it('refuses a body whose sender closes the connection, without waiting', async () => {
    options = { timeoutMs: 2 ** 31 - 1 };
    const sent = open({ ...sign(), 'content-length': Buffer.byteLength(BODY) });
    sent.once('error', () => undefined);
    let isSent = false;
    before = async () => {
      isSent = true;
    };
    sent.write(BODY.slice(0, 10));
    await until(() => isSent, Boolean);
    sent.destroy();
    await until(() => errors.length, Boolean);
    expect(errors).toMatchObject([{ reason: 'incomplete', message: /closed the connection/ }]);
  });

  it('throws TollgateUsageError if something has read the body', async () => {
    before = async (request) =>
      'on' in request
        ? new Promise((resolve) => request.on('data', resolve))
        : request.body?.getReader().read();
    expect(await post(BODY)).toBe(500);
    expect(errors[0]).toBeInstanceOf(TollgateUsageError);
    expect(errors[0]).toMatchObject({ message: expect.stringContaining('before any body parser') });
  });

  it.each([
    ['no secret', undefined],
    ['an empty setting', ' , '],
    ['no secrets', []],
    ['a malformed secret', 'sk_test_abc'],
  ])('throws TollgateUsageError for %s, without showing it', async (_name, given) => {
    secret = given;
    expect(await post(BODY)).toBe(500);
    expect(errors[0]).toBeInstanceOf(TollgateUsageError);
    expect(String(errors[0])).not.toContain('sk_test_abc');
  });

  it.each([{ timeoutMs: 0 }, { timeoutMs: Infinity }, { toleranceSeconds: -1 }])(
    'throws TollgateUsageError for %j',
    async (wrong) => {
      options = wrong;
      expect(await post(BODY)).toBe(500);
      expect(errors[0]).toBeInstanceOf(TollgateUsageError);
    },
  );
});

describe('webhooks.receive', () => {
  it.each([undefined, null, 'text', {}, { headers: {} }, { req: {}, headers: {} }])(
    'throws TollgateUsageError for %j, which is not a request',
    async (request) => {
      const call = webhooks.receive(request as never, SECRET);
      await expect(call).rejects.toThrow(/Pass a Request/);
    },
  );
});
