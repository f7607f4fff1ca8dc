import { describe, expect, it } from 'vitest';
import { versionOf } from '../../../operations/change-endpoint.ts';
import { liveSecrets } from '../../../domain/endpoint.ts';
import type { Endpoint } from '../../../domain/endpoint.ts';
import { sealer } from '../../support/rows/endpoint.ts';
import { entriesAbout } from '../../support/audit.ts';
import { PASSWORD } from '../harness.ts';
import { openHooks, secretsIn, statusesOf, valueOf } from './ground.ts';

const ground = await openHooks('dashboard-change');
const { mongo } = ground;
const browser = await ground.signIn('developer');

const read = async ({ _id }: Pick<Endpoint, '_id'>) => (await mongo.endpoints.findOne({ _id }))!;
const actionsOn = async ({ _id }: Pick<Endpoint, '_id'>) =>
  (await entriesAbout(mongo, _id)).map(({ action }) => action);

describe('POST /webhooks/:id', () => {
  const changes = { url: 'https://b.example/', description: 'New', events: ['refund.*'] };

  it('changes the URL, the description and the events', async () => {
    const endpoint = await ground.endpoint({ description: 'Old' });
    const path = `/webhooks/${endpoint._id}`;
    const { html } = await browser.get(path);
    expect([valueOf(html, 'url'), valueOf(html, 'description')]).toEqual([endpoint.url, 'Old']);
    const version = valueOf(html, 'version');
    const saved = await browser.post(path, { ...changes, version });
    expect(saved.to).toBe(`${path}?done=saved`);
    const { events: enabled_events, ...others } = changes;
    expect(await read(endpoint)).toMatchObject({ ...others, enabled_events });
    const [entry] = await entriesAbout(mongo, endpoint._id);
    expect(entry).toMatchObject({ action: 'endpoint.update', actor: { name: browser.user._id } });
  });

  it('does not undo what another user has changed since the page was loaded', async () => {
    const endpoint = await ground.endpoint();
    const path = `/webhooks/${endpoint._id}`;
    const version = versionOf(endpoint);
    const both = ['https://b.example/', 'https://c.example/'].map(async (url) =>
      browser.post(path, { ...changes, url, version }),
    );
    expect(statusesOf(await Promise.all(both))).toEqual([303, 422]);
    expect(await actionsOn(endpoint)).toEqual(['endpoint.update']);
    const again = await browser.post(path, { ...changes, version });
    expect(again.html).toContain('The endpoint has changed since');
    const fresh = valueOf(again.html, 'version');
    expect((await browser.post(path, { ...changes, version: fresh })).status).toBe(303);
  });

  it.each([
    ['a private address', { url: 'http://192.168.0.1/' }, 'url'],
    ['an empty URL', { url: '' }, 'url'],
    ['no event type', { events: [] }, 'events'],
  ])('refuses %s, and keeps what was typed', async (_, wrong, param) => {
    const endpoint = await ground.endpoint();
    const form = { ...changes, version: versionOf(endpoint), ...wrong };
    const { status, html } = await browser.post(`/webhooks/${endpoint._id}`, form);
    expect(status).toBe(422);
    expect(html).toContain(`href="#${param}"`);
    expect(valueOf(html, 'description')).toBe('New');
    expect((await read(endpoint)).url).toBe(endpoint.url);
  });
});

describe('POST /webhooks/:id/disable and /enable', () => {
  it('stops what is pending, and leads to what was missed', async () => {
    const endpoint = await ground.endpoint();
    const path = `/webhooks/${endpoint._id}`;
    const pending = await ground.delivery(endpoint);
    expect((await browser.post(`${path}/disable`)).to).toBe(`${path}?done=endpoint_disabled`);
    expect((await mongo.deliveries.findOne({ _id: pending._id }))!.state).toBe('stopped');
    expect((await browser.get(path)).html).toContain('Disabled by hand');
    const { to } = await browser.post(`${path}/enable`);
    expect(to).toMatch(new RegExp(`^${path}/replays\\?kind=deliveries&since=`));
    const { html } = await browser.get(to!);
    expect(html).toMatch(/value="skipped" checked/);
    expect(html).toMatch(/value="stopped" checked/);
    expect(html).not.toMatch(/value="failed" checked/);
    expect(pending.created_at.toISOString().startsWith(valueOf(html, 'since'))).toBe(true);
  });

  it('may be done twice', async () => {
    const endpoint = await ground.endpoint();
    const path = `/webhooks/${endpoint._id}`;
    for (const name of ['disable', 'disable', 'enable', 'enable']) {
      expect((await browser.post(`${path}/${name}`)).status).toBe(303);
    }
    expect(await read(endpoint)).toMatchObject({ status: 'enabled', disabled_reason: null });
  });
});

describe('POST /webhooks/:id/secret', () => {
  it.each([
    ['0', 1],
    ['24h', 2],
  ])('with the overlap %s leaves %i signing, and shows the new one once', async (overlap, live) => {
    const endpoint = await ground.endpoint();
    const path = `/webhooks/${endpoint._id}`;
    const form = { overlap, version: versionOf(endpoint) };
    const { html } = await browser.post(`${path}/secret`, form);
    const [secret] = secretsIn(html);
    const row = await read(endpoint);
    const opened = liveSecrets(row, new Date()).map((each) => sealer.unseal(each, row._id));
    expect(opened).toEqual([secret, endpoint.shown].slice(0, live));
    const { html: later } = await browser.get(path);
    expect(secretsIn(later)).toEqual([]);
    expect(later).toContain(`whsec_...${row.secret_hint}`);
    expect(later.includes('signs until')).toBe(live === 2);
    const audited = JSON.stringify(await entriesAbout(mongo, row._id));
    expect([secret, endpoint.shown].some((each) => audited.includes(each!))).toBe(false);
  });

  it('replaces it once if the form is submitted twice', async () => {
    const endpoint = await ground.endpoint();
    const form = { overlap: '24h', version: versionOf(endpoint) };
    const both = [0, 1].map(async () => browser.post(`/webhooks/${endpoint._id}/secret`, form));
    const sent = await Promise.all(both);
    expect(statusesOf(sent)).toEqual([200, 422]);
    expect(sent.flatMap(({ html }) => secretsIn(html))).toHaveLength(1);
    expect(await actionsOn(endpoint)).toEqual(['endpoint.rotate_secret']);
  });

  it('refuses an unknown overlap, and a fourth secret', async () => {
    const endpoint = await ground.endpoint();
    const rotate = async (overlap: string) => {
      const version = versionOf(await read(endpoint));
      return browser.post(`/webhooks/${endpoint._id}/secret`, { overlap, version });
    };
    expect((await rotate('1y')).status).toBe(422);
    const statuses = [(await rotate('7d')).status, (await rotate('7d')).status];
    expect([...statuses, (await rotate('7d')).status]).toEqual([200, 200, 422]);
  });
});

describe('POST /webhooks/:id/delete', () => {
  it('deletes the endpoint for good', async () => {
    const endpoint = await ground.endpoint();
    const path = `/webhooks/${endpoint._id}`;
    expect((await browser.post(`${path}/delete`)).status).toBe(422);
    expect((await read(endpoint)).status).toBe('enabled');
    const deleted = await browser.post(`${path}/delete`, { sure: 'yes' });
    expect(deleted.to).toBe('/webhooks?done=endpoint_deleted');
    expect((await read(endpoint)).status).toBe('deleted');
    expect((await browser.get('/webhooks')).html).not.toContain(endpoint._id);
    expect((await browser.get(path)).status).toBe(404);
    expect((await browser.post(`${path}/delete`, { sure: 'yes' })).status).toBe(404);
    expect(await actionsOn(endpoint)).toEqual(['endpoint.delete']);
  });
});

describe('the password', () => {
  it.each(['', '/secret', '/delete'])('is asked for again by POST /webhooks/:id%s', async (end) => {
    const endpoint = await ground.endpoint();
    const old = await ground.signIn('owner');
    const user_id = old.user._id;
    await mongo.sessions.updateMany({ user_id }, { $set: { confirmed_at: new Date(0) } });
    const version = versionOf(endpoint);
    const form = {
      sure: 'yes',
      overlap: '0',
      url: 'https://evil.example/',
      events: ['*'],
      version,
    };
    const path = `/webhooks/${endpoint._id}${end}`;
    const { status, html } = await old.post(path, { ...form, password: 'wrong' });
    expect([status, secretsIn(html)]).toEqual([422, []]);
    expect(await read(endpoint)).toMatchObject({ url: endpoint.url, secret: endpoint.secret });
    expect(await actionsOn(endpoint)).toEqual([]);
    expect((await old.post(path, { ...form, password: PASSWORD })).status).not.toBe(422);
    expect(await actionsOn(endpoint)).toHaveLength(1);
  });
});
