import { request } from 'node:http';
import { mkdtemp } from 'node:fs/promises';
import { connect } from 'node:net';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { webhooks } from '../../sdk/index.ts';
import { exampleObject } from '../../domain/example.ts';
import { mintId } from '../../store/mint.ts';
import { examineAll } from '../check/takes.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { RECEIVERS, isRunnable, openShop, startReceiver } from './shop.ts';
import type { RunningReceiver } from './shop.ts';
import { until } from '../support/until.ts';

const SECRET = makeWebhookSecret();
/** A setting as read from a file, with a space after the comma and a line break. */
const COPIED = `${makeWebhookSecret()}, ${SECRET}\n`;
const API_KEY = 'sk_test_of_the_shop';
/** A body that is larger than a receiver accepts. */
const TOO_LARGE = Buffer.alloc(1_600_000, 'x');

let shop: Awaited<ReturnType<typeof openShop>>;
/** The server at the API's address, and the one that it redirects to. */
let api: Receiver;
let elsewhere: Receiver;
const runnable = RECEIVERS.filter(isRunnable);

beforeAll(async () => {
  [shop, api, elsewhere] = await Promise.all([openShop(), openReceiver(), openReceiver()]);
  api.respond = () => ({ status: 302, headers: { location: elsewhere.url } });
});
afterAll(async () => Promise.all([shop.close(), api.close(), elsewhere.close()]));

async function start(file: string, secrets: string): Promise<RunningReceiver> {
  return startReceiver(shop.folder, file, {
    TOLLGATE_API_URL: `http://127.0.0.1:${api.port}`,
    TOLLGATE_API_KEY: API_KEY,
    TOLLGATE_WEBHOOK_SECRET: secrets,
    TOLLGATE_HANDLED_DIR: await mkdtemp(path.join(shop.folder, 'handled-')),
  });
}

let count = 0;

/** Sends a genuine event, and returns the status. */
async function deliver(receiver: RunningReceiver, event: object): Promise<number> {
  count += 1;
  const id = `evt_${count}`;
  const body = JSON.stringify({ id, type: 'payment.completed', livemode: false, ...event });
  const headers = webhooks.signTest({ body, secret: SECRET, id });
  return (await post(receiver, { headers, body })) ?? 0;
}

interface RawRequest {
  method?: string;
  headers?: Record<string, string>;
  body?: string | Buffer;
  /** True to send no Content-Length. */
  isChunked?: boolean;
}

/** Returns the status; null if the connection was closed instead. */
async function post(receiver: RunningReceiver, raw: RawRequest): Promise<number | null> {
  const { method = 'POST', headers = {}, body, isChunked = false } = raw;
  const length =
    body === undefined || isChunked ? {} : { 'content-length': Buffer.byteLength(body) };
  return new Promise((resolve) => {
    const options = { method, headers: { ...headers, ...length }, agent: false };
    const sent = request(receiver.url, options, (response) => {
      response.resume();
      resolve(response.statusCode ?? null);
    });
    sent.on('error', () => resolve(null));
    if (isChunked) sent.write('{');
    sent.end(body);
  });
}

const signed = (more: Record<string, string> = {}) => ({
  ...webhooks.signTest({ body: 'something else', secret: SECRET }),
  ...more,
});

const MALFORMED: readonly (readonly [string, RawRequest])[] = [
  ['nothing', {}],
  ['signatures and no body', { headers: signed() }],
  ['an empty JSON body', { headers: signed({ 'content-length': '0' }) }],
  ['broken JSON', { headers: signed(), body: '{"a":' }],
  ['an unknown content type', { headers: signed({ 'content-type': 'a/b' }), body: '{}' }],
  ['no content type', { headers: { 'service-signature': 'v1=' }, body: '{}' }],
  ['an unknown charset', { headers: signed({ 'content-type': 'text/x; charset=zz' }), body: '{}' }],
  ['a form', { headers: signed({ 'content-type': 'multipart/form-data' }), body: '--' }],
  ['a body that is not gzip', { headers: signed({ 'content-encoding': 'gzip' }), body: 'x' }],
  ['chunks', { headers: signed(), body: '}', isChunked: true }],
  ['odd bytes in a signature', { headers: signed({ 'service-signature': 'v1=\u00e9,\u00ff' }) }],
  ['another method', { method: 'GET' }],
];

/** Closes the connection before the end of the body. */
async function hangUp({ url }: RunningReceiver): Promise<void> {
  const { hostname, port } = new URL(url);
  const socket = connect(Number(port), hostname);
  socket.on('error', () => undefined);
  const head = 'POST /webhooks HTTP/1.1\r\nHost: shop\r\nContent-Type: a/b\r\nContent-Length: 99';
  await new Promise<void>((resolve) => {
    socket.write(`${head}\r\n\r\nhalf`, () => resolve());
  });
  socket.destroy();
}

describe.each(runnable)('%s', (file) => {
  let receiver: RunningReceiver;
  beforeAll(async () => {
    receiver = await start(file, COPIED);
  });
  afterAll(async () => receiver.stop());

  it('has no fault by tollgate check, but does not find made-up payments', async () => {
    const findings = await examineAll(receiver.url, { secrets: [SECRET] });
    const faults = findings.filter(({ verdict }) => verdict === 'fail');
    expect(faults).toEqual([]);
    expect(findings.some(({ cause }) => cause === 'unreal')).toBe(true);
    expect(findings.length).toBeGreaterThan(15);
  });

  it('does not follow a redirect with its key, and responds with 500', async () => {
    const before = api.requests.length;
    const object = exampleObject('payment.completed', { now: new Date(), mintId });
    expect(await deliver(receiver, { data: { object } })).toBe(500);
    expect(api.requests.length).toBeGreaterThan(before);
    expect(api.requests.at(-1)?.headers.authorization).toBe(`Bearer ${API_KEY}`);
    expect(elsewhere.requests).toEqual([]);
    expect(receiver.printed()).not.toContain('paid:');
  });

  it('refuses malformed requests with 4xx, and keeps running', async () => {
    for (const [name, malformed] of MALFORMED) {
      const status = await post(receiver, malformed);
      expect({ name, isRefused: status !== null && status >= 400 && status < 500 }).toEqual({
        name,
        isRefused: true,
      });
    }
    expect([null, 413]).toContain(await post(receiver, { body: TOO_LARGE }));
    await hangUp(receiver);
    expect(await deliver(receiver, { type: 'payment.failed' })).toBe(200);
  });
});

describe.each(runnable)('%s with a malformed secret', (file) => {
  const hasNoStart = ['next.mjs', 'verify.php'].includes(file);

  it.each([
    ['', /(?:secret|SECRET) is missing/],
    [`${SECRET},whsec_two words`, /number 2 of 2|is not whsec_ and base64/],
  ])('reports the fault, and accepts nothing: %j', async (secrets, sentence) => {
    if (!hasNoStart) return expect(start(file, secrets)).rejects.toThrow(sentence);
    // These read the setting for each request.
    const receiver = await start(file, secrets);
    try {
      expect(await deliver(receiver, { type: 'payment.failed' })).toBe(500);
      // The output may arrive after the response.
      await until(
        () => receiver.printed(),
        (printed) => sentence.test(printed),
      );
      expect(receiver.printed()).not.toContain('two words');
    } finally {
      await receiver.stop();
    }
    return undefined;
  });
});
