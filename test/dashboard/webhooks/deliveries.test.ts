import { describe, expect, it } from 'vitest';
import { DELIVERY_STATES } from '../../../domain/delivery.ts';
import type { DeliveryAttempt } from '../../../domain/delivery.ts';
import { entriesAbout } from '../../support/audit.ts';
import { openHooks, statusesOf, valueOf } from './ground.ts';

const ground = await openHooks('dashboard-deliveries');
const { mongo } = ground;
const browser = await ground.signIn('support');

const idsIn = (html: string): string[] =>
  [...html.matchAll(/href="\/deliveries\/(dlv_\w+)"/g)].map(([, id = '']) => id);

const attempt = (number: number, over: Partial<DeliveryAttempt> = {}): DeliveryAttempt => ({
  number,
  at: new Date('2026-01-02T03:04:05Z'),
  duration_ms: 12,
  status: 500,
  error: 'status',
  request: {
    url: 'https://shop.example/then',
    headers: [['Service-Attempt', String(number)]],
  },
  response: { headers: [['server', '<b>shop</b>']], body: `<script>${number}`, truncated: false },
  timings: { dns: 3, connect: null, tls: null, first_byte: 11 },
  ...over,
});

const resends = async (endpoint_id: string) => mongo.deliveries.countDocuments({ endpoint_id });

/** Returns the text as pages have it between tags. */
const escape = (text: string): string => text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');

describe('GET /webhooks/:id/deliveries', () => {
  it('lists the deliveries of the endpoint page by page, newest first', async () => {
    const endpoint = await ground.endpoint();
    const other = await ground.endpoint();
    const made: string[] = [];
    for (let n = 0; n < 27; n += 1) made.unshift((await ground.delivery(endpoint))._id);
    await ground.delivery(other);
    const path = `/webhooks/${endpoint._id}/deliveries`;
    const first = await browser.get(path);
    expect(idsIn(first.html)).toEqual(made.slice(0, 25));
    const next = /href="([^"]*after=[^"]*)"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
    const second = await browser.get(next);
    expect(idsIn(second.html)).toEqual(made.slice(25));
    expect(second.html).not.toContain('after=');
  });

  it('keeps the filter in the address of the next page', async () => {
    const endpoint = await ground.endpoint();
    const failed: string[] = [];
    for (let n = 0; n < 26; n += 1) {
      failed.unshift((await ground.delivery(endpoint, { state: 'failed' }))._id);
      await ground.delivery(endpoint);
    }
    const first = await browser.get(`/webhooks/${endpoint._id}/deliveries?state=failed`);
    expect(idsIn(first.html)).toEqual(failed.slice(0, 25));
    expect(first.html).toMatch(/<option value="failed" selected/);
    const next = /href="([^"]*after=[^"]*)"/.exec(first.html)![1]!.replaceAll('&amp;', '&');
    expect(next).toContain('state=failed');
    expect(idsIn((await browser.get(next)).html)).toEqual(failed.slice(25));
  });

  it.each(DELIVERY_STATES)('shows only %s ones if asked to', async (state) => {
    const endpoint = await ground.endpoint();
    for (const each of DELIVERY_STATES) {
      await ground.delivery(endpoint, { state: each, next_attempt_at: null });
    }
    const { html } = await browser.get(`/webhooks/${endpoint._id}/deliveries?state=${state}`);
    expect(idsIn(html)).toHaveLength(1);
    expect(html).toContain(`class="badge badge-${state}"`);
  });

  it.each(['state=lost', 'state=failed&state=failed', 'after=dlv_1', 'after=evt_1', 'after='])(
    'has no page for %s',
    async (query) => {
      const { _id } = await ground.endpoint();
      expect((await browser.get(`/webhooks/${_id}/deliveries?${query}`)).status).toBe(404);
    },
  );
});

describe('GET /deliveries/:id', () => {
  it('shows the attempts, the last one in full, and the bytes that were sent', async () => {
    const next_attempt_at = new Date('2026-02-03T04:05:06Z');
    const attempts = [attempt(1), attempt(2, { duration_ms: 2_500 })];
    const made = await ground.delivery(await ground.endpoint(), { attempts, next_attempt_at });
    const { html } = await browser.get(`/deliveries/${made._id}`);
    const event = await mongo.events.findOne({ _id: made.event_id });
    expect(html.replaceAll('&quot;', '"')).toContain(escape(event!.body).replaceAll('&quot;', '"'));
    // The menu shows where one is.
    expect(html).toMatch(/<a href="\/webhooks"[^>]* aria-current="page">/);
    expect(html).toContain('HTTP 500');
    expect(html).toContain('2.5 sec');
    expect(html).toContain('datetime="2026-02-03T04:05:06.000Z"');
    expect(html).toContain('https://shop.example/then');
    expect(html).toContain('Service-Attempt: 2');
    expect(html).not.toContain('Service-Attempt: 1');
    expect(html).toContain('server: &lt;b>shop');
    expect(html).toContain('&lt;script>2');
    const first = await browser.get(`/deliveries/${made._id}?attempt=1`);
    expect(first.html).toContain('Service-Attempt: 1');
  });

  it.each([
    ['pending', [], 0, 'Waiting', true],
    ['pending', [attempt(1)], 5_000, 'Retrying', true],
    ['pending', [attempt(1)], 7_200_000, 'Retrying', false],
    ['failed', [attempt(1)], 0, 'Failed', false],
  ] as const)('shows %s after %j: in %i ms %s', async (state, attempts, inMs, word, isLive) => {
    const next = state === 'pending' ? new Date(Date.now() + inMs) : null;
    const over = { state, attempts: [...attempts], next_attempt_at: next };
    const made = await ground.delivery(await ground.endpoint(), over);
    const { html } = await browser.get(`/deliveries/${made._id}`);
    expect(/<span class="badge badge-\w+">(\w+)</.exec(html)?.[1]).toBe(word);
    expect(html.includes('data-live')).toBe(isLive);
  });

  it('shows a connection that failed, without a response', async () => {
    const failure = attempt(1, { status: null, error: 'dns_failed', response: null });
    const made = await ground.delivery(await ground.endpoint(), { attempts: [failure] });
    const { html } = await browser.get(`/deliveries/${made._id}`);
    expect(html).toContain('the name was not found');
    expect(html).not.toContain('Response headers');
  });

  it('shows attempts of earlier versions, and deliveries without one', async () => {
    const { request: _, response: __, timings: ___, ...old } = attempt(1);
    const endpoint = await ground.endpoint();
    const one = await ground.delivery(endpoint, { attempts: [old] });
    expect((await browser.get(`/deliveries/${one._id}`)).status).toBe(200);
    const none = await ground.delivery(endpoint);
    expect((await browser.get(`/deliveries/${none._id}`)).html).toContain('Nothing was sent yet.');
  });

  it('is one page under 60 KiB, however much the receiver has sent', async () => {
    const headers = Array.from({ length: 200 }, (_, n) => [`x-${n}`, 'y'.repeat(900)] as const);
    const response = { headers, body: 'z'.repeat(16_384), truncated: true };
    const attempts = Array.from({ length: 12 }, (_, n) => attempt(n + 1, { response }));
    const made = await ground.delivery(await ground.endpoint(), { attempts });
    const { html } = await browser.get(`/deliveries/${made._id}`);
    expect(Buffer.byteLength(html)).toBeLessThan(45 * 1024);
    expect(html).toContain('The rest is not shown.');
  });
});

describe('POST /deliveries/:id/resend', () => {
  it('sends the event again, and leads to the new delivery', async () => {
    const endpoint = await ground.endpoint();
    const first = await ground.delivery(endpoint, { state: 'failed', next_attempt_at: null });
    const path = `/deliveries/${first._id}`;
    const { html } = await browser.get(path);
    const form = { resends: valueOf(html, 'resends') };
    const { to } = await browser.post(`${path}/resend`, form);
    const id = /^\/deliveries\/(dlv_\w+)\?done=resent$/.exec(to!)![1]!;
    const { m, event_id } = first;
    expect(await mongo.deliveries.findOne({ _id: id })).toMatchObject({
      m,
      event_id,
      endpoint_id: endpoint._id,
      state: 'pending',
      trigger: 'manual',
    });
    const [entry] = await entriesAbout(mongo, first._id);
    expect(entry).toMatchObject({
      action: 'delivery.resend',
      actor: { type: 'user', name: browser.user._id },
    });
    expect(idsIn((await browser.get(path)).html)).toEqual([id]);
  });

  it('sends once if the form is submitted twice, even at once, and again if asked again', async () => {
    const endpoint = await ground.endpoint();
    const path = `/deliveries/${(await ground.delivery(endpoint, { state: 'failed' }))._id}`;
    const post = async (form: Record<string, string>) => browser.post(`${path}/resend`, form);
    const both = await Promise.all([post({ resends: '0' }), post({ resends: '0' })]);
    expect(statusesOf(both)).toEqual([303, 422]);
    expect(await resends(endpoint._id)).toBe(2);
    const refused = await post({ resends: '0' });
    expect([refused.status, await resends(endpoint._id)]).toEqual([422, 2]);
    expect((await post({ resends: valueOf(refused.html, 'resends') })).status).toBe(303);
    expect(await resends(endpoint._id)).toBe(3);
  });

  it.each([
    ['disabled', 422],
    ['deleted', 404],
  ] as const)('refuses a %s endpoint', async (status, expected) => {
    const endpoint = await ground.endpoint({ status });
    const { _id } = await ground.delivery(endpoint, { state: 'failed' });
    const reply = await browser.post(`/deliveries/${_id}/resend`, { resends: '0' });
    expect(reply.status).toBe(expected);
    expect(await resends(endpoint._id)).toBe(1);
  });

  it.each(['-1', 'NaN', '1e999', 'a', '0x1'])('refuses the count %s', async (count) => {
    const endpoint = await ground.endpoint();
    const { _id } = await ground.delivery(endpoint, { state: 'failed', resends: 3 });
    const { status } = await browser.post(`/deliveries/${_id}/resend`, { resends: count });
    expect([status, await resends(endpoint._id)]).toEqual([422, 1]);
  });
});
