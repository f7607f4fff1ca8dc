import { describe, expect, it } from 'vitest';
import { MAX_ENDPOINTS } from '../../../domain/endpoint.ts';
import { entriesAbout } from '../../support/audit.ts';
import { PASSWORD } from '../harness.ts';
import { openHooks, secretsIn, statusesOf, valueOf } from './ground.ts';

const ground = await openHooks('dashboard-endpoints');
const { mongo, tenant } = ground;

const FORM = { url: 'https://shop.example/hooks', events: ['*'] };

const stored = async () => mongo.endpoints.find({ m: tenant }).sort({ _id: 1 }).toArray();
const clear = async () => mongo.endpoints.deleteMany({ m: tenant });

describe('POST /webhooks', () => {
  it('registers an endpoint, and shows its secret once', async () => {
    await clear();
    const browser = await ground.signIn('developer');
    await browser.get('/webhooks');
    const events = ['payment.*', 'payment.completed', 'refund.failed'];
    const form = { ...FORM, description: 'Main shop', events };
    const { status, html, headers } = await browser.post('/webhooks', form);
    expect(status).toBe(200);
    const [endpoint] = await stored();
    expect(endpoint).toMatchObject({
      url: FORM.url,
      description: 'Main shop',
      enabled_events: ['payment.*', 'refund.failed'],
      status: 'enabled',
    });
    const [secret = '', ...more] = secretsIn(html);
    expect(more).toEqual([]);
    expect(secret.slice(-4)).toBe(endpoint!.secret_hint);
    expect(headers.get('cache-control')).toBe('no-store');
    for (const path of ['/webhooks', `/webhooks/${endpoint!._id}`, '/audit']) {
      expect(secretsIn((await browser.get(path)).html)).toEqual([]);
    }
    const [entry] = await entriesAbout(mongo, endpoint!._id);
    expect(entry).toMatchObject({
      action: 'endpoint.create',
      actor: { type: 'user', name: browser.user._id },
    });
    expect(JSON.stringify(entry)).not.toContain(secret);
  });

  it('asks for the password again after ten minutes', async () => {
    await clear();
    const browser = await ground.signIn('owner');
    const user_id = browser.user._id;
    await mongo.sessions.updateMany({ user_id }, { $set: { confirmed_at: new Date(0) } });
    const asked = await browser.post('/webhooks', FORM);
    expect([asked.status, await stored()]).toEqual([422, []]);
    expect(valueOf(asked.html, 'url')).toBe(FORM.url);
    expect((await browser.post('/webhooks', { ...FORM, password: PASSWORD })).status).toBe(200);
    expect(await stored()).toHaveLength(1);
  });

  it.each([
    ['a URL that is none', { url: 'shop' }, 'url'],
    ['another protocol', { url: 'ftp://shop.example/' }, 'url'],
    ['a private address', { url: 'http://10.0.0.1/hooks' }, 'url'],
    ['the metadata service of a cloud', { url: 'http://169.254.169.254/' }, 'url'],
    ['a host of this machine', { url: 'http://localhost:27017/' }, 'url'],
    ['a URL with a user name', { url: 'https://ann@shop.example/' }, 'url'],
    ['no event type', { events: [] }, 'events'],
    ['an unknown event type', { events: ['payment.lost'] }, 'events'],
    ['a description that is too long', { description: 'a'.repeat(256) }, 'description'],
    ['a card number', { description: '4242 4242 4242 4242' }, 'description'],
  ])('refuses %s', async (_, wrong, param) => {
    await clear();
    const browser = await ground.signIn('owner');
    const { status, html } = await browser.post('/webhooks', { ...FORM, ...wrong });
    expect(status).toBe(422);
    expect(html).toContain(`href="#${param}"`);
    expect(html).toContain(`id="${param}"`);
    expect([secretsIn(html), await stored()]).toEqual([[], []]);
  });

  it('registers one endpoint if the form is submitted twice, even at once', async () => {
    await clear();
    const browser = await ground.signIn('owner');
    const newest = valueOf((await browser.get('/webhooks')).html, 'newest');
    const both = [0, 1].map(async () => browser.post('/webhooks', { ...FORM, newest }));
    expect(statusesOf(await Promise.all(both))).toEqual([200, 422]);
    expect(await stored()).toHaveLength(1);
  });

  it('refuses more endpoints than the maximum', async () => {
    await clear();
    for (let n = 0; n < MAX_ENDPOINTS; n += 1) await ground.endpoint();
    const browser = await ground.signIn('owner');
    const page = await browser.get('/webhooks');
    expect(page.html).not.toContain('name="url"');
    const newest = (await stored()).at(-1)!._id;
    expect((await browser.post('/webhooks', { ...FORM, newest })).status).toBe(422);
    expect(await stored()).toHaveLength(MAX_ENDPOINTS);
  });
});

const attempt = (ms: number, status: number) => ({
  number: 1,
  at: new Date(),
  duration_ms: ms,
  status,
  error: status === 200 ? null : ('status' as const),
});

describe('GET /webhooks', () => {
  it('shows the health of each endpoint of the merchant, with its plot in words', async () => {
    await clear();
    const failing_since = new Date('2026-01-02T03:04:05Z');
    const endpoint = await ground.endpoint({ failing_since, url: 'https://a.example/' });
    const other = await ground.endpoint({ m: await ground.otherTenant() });
    for (const ms of [100, 200, 300]) {
      const attempts = [attempt(ms, 200)];
      await ground.delivery(endpoint, { state: 'succeeded', attempts });
    }
    await ground.delivery(endpoint, { state: 'failed', attempts: [attempt(5, 500)] });
    const { html } = await (await ground.signIn('support')).get('/webhooks');
    expect(html).toContain('https://a.example/');
    expect(html).not.toContain(other._id);
    expect(html).toContain('datetime="2026-01-02T03:04:05.000Z"');
    expect(html).toContain('75%');
    const words =
      'Of all 4 deliveries in the last day: 3 accepted, 1 failed, 0 waiting, 0 not sent.';
    expect(html).toMatch(new RegExp(`<svg role="img" aria-label="${words}"`));
    expect(html).toContain(`<p class="hint">${words}</p>`);
  });

  it('shows the query of a URL only in the form that changes it', async () => {
    await clear();
    const { _id } = await ground.endpoint({ url: 'https://a.example/hooks?token=sesame' });
    const owner = await ground.signIn('owner');
    expect((await owner.get('/webhooks')).html).toContain('https://a.example/hooks?...');
    expect((await owner.get(`/webhooks/${_id}`)).html.match(/sesame/g)).toHaveLength(1);
    const support = await ground.signIn('support');
    for (const path of ['', '/deliveries', '/replays']) {
      expect((await support.get(`/webhooks/${_id}${path}`)).html).not.toContain('sesame');
    }
  });

  it('says how many deliveries it has looked at, if the day had more', async () => {
    await clear();
    const endpoint = await ground.endpoint();
    for (let n = 0; n < 41; n += 1) await ground.delivery(endpoint);
    const { html } = await (await ground.signIn('owner')).get('/webhooks');
    const words = 'Of the last 40 deliveries: 0 accepted, 0 failed, 40 waiting, 0 not sent.';
    expect(html).toContain(words);
  });

  it('leaves out deliveries that are older than a day', async () => {
    await clear();
    const endpoint = await ground.endpoint();
    await ground.delivery(endpoint, { _id: 'dlv_01ARZ3NDEKTSV4RRFFQ69G5FAV', state: 'failed' });
    const { html } = await (await ground.signIn('owner')).get('/webhooks');
    expect(html).toContain('No deliveries in the last day.');
    expect(html).not.toContain('class="plot"');
  });

  it.each([
    ['owner', 200, true],
    ['developer', 200, true],
    ['support', 200, false],
    ['read_only', 403, false],
  ] as const)('shows %s what the role may do', async (role, status, mayWrite) => {
    await clear();
    const endpoint = await ground.endpoint();
    const browser = await ground.signIn(role);
    const page = await browser.get('/webhooks');
    expect(page.status).toBe(status);
    expect(page.html.includes('name="url"')).toBe(mayWrite);
    const one = await browser.get(`/webhooks/${endpoint._id}`);
    expect(one.html.includes(`action="/webhooks/${endpoint._id}/delete"`)).toBe(mayWrite);
    if (mayWrite) return;
    for (const path of ['', '/enable', '/disable', '/test', '/secret', '/delete']) {
      const sent = await browser.post(`/webhooks/${endpoint._id}${path}`, { sure: 'yes' });
      expect([path, sent.status]).toEqual([path, 403]);
    }
    expect((await browser.post('/webhooks', FORM)).status).toBe(403);
    const { shown: _, ...row } = endpoint;
    expect(await stored()).toEqual([row]);
  });

  it.each(['hy', 'ru', 'en'] as const)('is one page under 60 KiB in %s', async (locale) => {
    await clear();
    for (let n = 0; n < MAX_ENDPOINTS; n += 1) {
      const endpoint = await ground.endpoint({ description: 'Main shop' });
      for (let m = 0; m < 2; m += 1) await ground.delivery(endpoint);
    }
    const browser = await ground.signIn('owner');
    await browser.post('/account/language', { locale });
    const { html } = await browser.get('/webhooks');
    expect(html).toContain(`<html lang="${locale}">`);
    expect(Buffer.byteLength(html)).toBeLessThan(45 * 1024);
    expect(html.match(/<h1/g)).toHaveLength(1);
  });
});
