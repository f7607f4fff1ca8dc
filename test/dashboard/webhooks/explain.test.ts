import { describe, expect, it } from 'vitest';
import { createHmac } from 'node:crypto';
import type { Endpoint } from '../../../domain/endpoint.ts';
import { makeWebhookSecret, signatureHeaders } from '../../../outbound/sign.ts';
import { openHooks, secretsIn } from './ground.ts';

const ground = await openHooks('dashboard-explain');
const { mongo } = ground;
const browser = await ground.signIn('support');
const PATH = '/webhooks/explain';

const codesIn = (html: string): string[] =>
  [...html.matchAll(/data-code="(\w+)"/g)].map(([, code = '']) => code);

const secret = makeWebhookSecret();
const body = '{"id":"evt_01ARZ3NDEKTSV4RRFFQ69G5FAV","type":"payment.completed"}';
const timestamp = Math.floor(Date.now() / 1_000);
const headers = signatureHeaders({ id: 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV', timestamp, body }, [
  secret,
]);
const pasted = Object.entries(headers)
  .map(([name, value]) => `${name}: ${value}`)
  .join('\r\n');
const FORM = { body, secret, timestamp: String(timestamp) };
const hex = (key: string, text: string): string =>
  `v1=${createHmac('sha256', key).update(text).digest('hex')}`;

describe('POST /webhooks/explain with a request', () => {
  it('says that the headers are right', async () => {
    const { status, html } = await browser.post(PATH, { body, secret, headers: pasted });
    expect(status).toBe(200);
    expect(new Set(codesIn(html))).toEqual(new Set(['fits']));
    expect(html).toContain(headers['Service-Signature']);
    expect(html).toContain('As received.');
  });

  it.each([
    ['a body without its timestamp', hex(secret, body), 'timestamp_missing'],
    ['milliseconds', hex(secret, `${timestamp}000.${body}`), 'timestamp_ms'],
    ['the secret without whsec_', hex(secret.slice(6), `${timestamp}.${body}`), 'key_prefix_cut'],
    [
      'a body that was parsed and written again',
      hex(secret, `${timestamp}.${JSON.stringify(JSON.parse(body), null, 2)}`),
      'body_differs',
    ],
    ['another text', 'abc', 'value_malformed'],
    ['another secret', hex('whsec_AAAA', `${timestamp}.${body}`), 'unexplained'],
  ])('finds %s', async (_, computed, code) => {
    const { html } = await browser.post(PATH, { ...FORM, computed });
    expect(codesIn(html)).toEqual([code]);
  });

  it('finds a mistake in a body of several lines, which browsers send with CRLF', async () => {
    const pretty = JSON.stringify(JSON.parse(body), null, 2);
    const computed = hex(secret, `${timestamp}.${pretty}`);
    const form = { ...FORM, body: `${pretty.replaceAll('\n', '\r\n')}\r\n`, computed };
    expect(codesIn((await browser.post(PATH, form)).html)).toEqual(['fits']);
  });

  it('never shows a secret, wherever it was pasted, and keeps none', async () => {
    const everywhere = { computed: secret, headers: `X-Secret: ${secret}`, delivery: '' };
    for (const form of [
      { ...FORM, ...everywhere },
      { ...FORM, ...everywhere, timestamp: secret },
      { ...FORM, ...everywhere, body: secret, headers: secret },
    ]) {
      const { html } = await browser.post(PATH, form);
      expect(html).not.toContain(secret.slice(6, 40));
    }
    expect((await browser.get(PATH)).html).not.toContain(secret.slice(6, 40));
  });

  it.each([
    ['no body', { body: '' }, 'body'],
    ['a body without the id of an event', { body: '{}' }, 'body'],
    ['no timestamp', { timestamp: '' }, 'timestamp'],
    ['a timestamp in words', { timestamp: 'now' }, 'timestamp'],
    ['no secret', { secret: '' }, 'secret'],
    ['a part of the secret', { secret: 'abc' }, 'secret'],
    ['headers that are none', { headers: 'hello' }, 'headers'],
  ])('refuses %s', async (_, wrong, param) => {
    const { status, html } = await browser.post(PATH, { ...FORM, ...wrong });
    expect(status).toBe(422);
    expect(html).toContain(`href="#${param}"`);
    expect(html).toContain(`id="${param}"`);
    expect(html).not.toContain('id="findings"');
  });

  it('escapes what was pasted', async () => {
    const evil = '</textarea><script>alert(1)</script>';
    const { html } = await browser.post(PATH, { ...FORM, computed: evil, headers: `a: ${evil}` });
    expect(html).not.toContain('<script>alert');
  });
});

/** Stores a delivery with one attempt as the worker records it. */
async function sent(endpoint: Endpoint & { shown: string }) {
  const made = await ground.delivery(endpoint);
  const event = (await mongo.events.findOne({ _id: made.event_id }))!;
  const at = new Date();
  const message = {
    id: event._id,
    timestamp: Math.floor(at.getTime() / 1_000),
    body: event.body,
  };
  const signed = signatureHeaders(message, [endpoint.shown]);
  const request = { url: endpoint.url, headers: Object.entries(signed) };
  const attempt = {
    number: 1,
    at,
    duration_ms: 1,
    status: 400,
    error: 'status',
    request,
  } as const;
  await mongo.deliveries.updateOne({ _id: made._id }, { $push: { attempts: attempt } });
  return { id: made._id, message, signed };
}

describe('a stored attempt', () => {
  it('is explained without its secret, from the page of its delivery', async () => {
    const endpoint = await ground.endpoint();
    const { id, signed } = await sent(endpoint);
    const link = `${PATH}?delivery=${id}&amp;attempt=1`;
    expect((await browser.get(`/deliveries/${id}`)).html).toContain(`href="${link}"`);
    const { html } = await browser.get(link.replace('&amp;', '&'));
    expect(html).toContain(signed['Service-Signature']);
    expect(html).not.toContain('name="secret"');
    expect(secretsIn(html)).toEqual([]);
  });

  it('is compared with what the merchant computed', async () => {
    const endpoint = await ground.endpoint();
    const { id, message } = await sent(endpoint);
    const computed = hex(endpoint.shown, message.body);
    const { html } = await browser.post(PATH, { delivery: id, attempt: '1', computed });
    expect(codesIn(html)).toEqual(['timestamp_missing']);
  });

  it('names the other endpoint of the merchant whose secret was used', async () => {
    const { id, message } = await sent(await ground.endpoint());
    const other = await ground.endpoint();
    const computed = hex(other.shown, `${message.timestamp}.${message.body}`);
    const { html } = await browser.post(PATH, { delivery: id, attempt: '', computed });
    expect(codesIn(html)).toEqual(['other_secret']);
    expect(html).toContain(other._id);
    expect(secretsIn(html)).toEqual([]);
  });

  it('does not try the secrets of another merchant', async () => {
    const { id, message } = await sent(await ground.endpoint());
    const other = await ground.endpoint({ m: await ground.otherTenant() });
    const computed = hex(other.shown, `${message.timestamp}.${message.body}`);
    const { html } = await browser.post(PATH, { delivery: id, attempt: '', computed });
    expect(codesIn(html)).toEqual(['unexplained']);
    expect(html).not.toContain(other._id);
  });

  it('has to exist', async () => {
    const { id } = await sent(await ground.endpoint());
    const pending = await ground.delivery(await ground.endpoint());
    expect((await browser.get(`${PATH}?delivery=${id}&attempt=2`)).status).toBe(404);
    expect((await browser.get(`${PATH}?delivery=${pending._id}`)).status).toBe(404);
    expect((await browser.get(`${PATH}?delivery=dlv_1`)).status).toBe(404);
    const form = { delivery: pending._id, attempt: '' };
    expect((await browser.post(PATH, form)).status).toBe(422);
  });
});
