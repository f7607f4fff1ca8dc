import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../../domain/endpoint.ts';
import { TemporalUnavailable } from '../../../temporal/client.ts';
import { makeReplay } from '../../support/rows/replay.ts';
import { entriesAbout } from '../../support/audit.ts';
import { openHooks, statusesOf, valueOf } from './ground.ts';

const ground = await openHooks('dashboard-replays');
const { mongo, tenant, temporal } = ground;
const browser = await ground.signIn('support');

const resumed: string[] = [];
let isAway = false;
temporal.resumeReplay = async (id) => {
  if (isAway) throw new TemporalUnavailable('Temporal is unavailable.');
  resumed.push(id);
};

const replaysOf = async ({ _id }: Pick<Endpoint, '_id'>) =>
  mongo.replays.find({ endpoint_id: _id }).toArray();

const WHAT = { kind: 'deliveries', state: ['failed'] };

/** Stores an endpoint with a delivery in each state that a replay can repeat. */
async function withFailures() {
  const endpoint = await ground.endpoint();
  for (const state of ['failed', 'skipped', 'stopped', 'succeeded'] as const) {
    await ground.delivery(endpoint, { state, next_attempt_at: null });
  }
  return { endpoint, path: `/webhooks/${endpoint._id}/replays` };
}

describe('POST /webhooks/:id/replays', () => {
  it('sends what failed in a window, and leads to the progress', async () => {
    const { endpoint, path } = await withFailures();
    const form = { ...WHAT, state: ['failed', 'skipped'], newest: '' };
    const since = new Date(Date.now() - 3_600_000).toISOString().slice(0, 19);
    const { to } = await browser.post(path, { ...form, since });
    const [replay] = await replaysOf(endpoint);
    expect(to).toBe(`/replays/${replay!._id}`);
    expect(replay).toMatchObject({
      m: tenant,
      status: 'running',
      total: 2,
      from: new Date(`${since}Z`),
      selection: { kind: 'deliveries', states: ['failed', 'skipped'] },
    });
    expect(resumed).toContain(replay!._id);
    const [entry] = await entriesAbout(mongo, replay!._id);
    expect(entry).toMatchObject({
      action: 'replay.start',
      actor: { type: 'user', name: browser.user._id },
    });
  });

  it('replays events of chosen types, even those that were accepted', async () => {
    const { endpoint, path } = await withFailures();
    await ground.delivery(endpoint, { state: 'succeeded' }, { type: 'refund.failed' });
    const form = { kind: 'events', events: ['refund.*'], newest: '' };
    expect((await browser.post(path, form)).status).toBe(303);
    const [replay] = await replaysOf(endpoint);
    expect(replay!.selection).toMatchObject({ kind: 'events', payment_id: null, ids: null });
    expect(replay!.total).toBeGreaterThanOrEqual(1);
  });

  it('only counts if asked to', async () => {
    const { endpoint, path } = await withFailures();
    const { status, html } = await browser.post(path, { ...WHAT, newest: '', step: 'count' });
    expect(status).toBe(200);
    expect(html).toContain('1 event would be sent; 0 left out.');
    expect(await replaysOf(endpoint)).toEqual([]);
  });

  it('says so if there is nothing to send', async () => {
    const endpoint = await ground.endpoint();
    const path = `/webhooks/${endpoint._id}/replays`;
    expect((await browser.post(path, WHAT)).to).toBe(`${path}?done=replay_empty`);
    expect(await replaysOf(endpoint)).toEqual([]);
  });

  it('starts one if the form is submitted twice, even at once or after its end', async () => {
    const { endpoint, path } = await withFailures();
    const form = { ...WHAT, newest: valueOf((await browser.get(path)).html, 'newest') };
    const both = await Promise.all([browser.post(path, form), browser.post(path, form)]);
    expect(statusesOf(both)).toEqual([303, 422]);
    const [replay] = await replaysOf(endpoint);
    await mongo.replays.updateOne({ _id: replay!._id }, { $set: { status: 'completed' } });
    const late = await browser.post(path, form);
    expect([late.status, (await replaysOf(endpoint)).length]).toEqual([422, 1]);
    const again = { ...form, newest: valueOf(late.html, 'newest') };
    expect((await browser.post(path, again)).status).toBe(303);
    expect(await replaysOf(endpoint)).toHaveLength(2);
  });

  it('leaves the start to the sweep while Temporal is unavailable', async () => {
    const { endpoint, path } = await withFailures();
    isAway = true;
    expect((await browser.post(path, WHAT)).status).toBe(303);
    isAway = false;
    expect(await replaysOf(endpoint)).toMatchObject([{ status: 'running' }]);
  });

  it.each([
    ['no state', { state: [] }, 'state'],
    ['a state that is not repeated', { state: ['succeeded'] }, 'state'],
    ['a time that is none', { since: 'yesterday' }, 'since'],
    ['a day that does not exist', { since: '2026-02-30T00:00' }, 'since'],
    ['an end before the beginning', { since: '2026-01-02T00:00', until: '2026-01-01T00:00' }],
    ['a window that is too long', { since: '1970-01-01T00:00' }, 'since'],
    ['no event type', { kind: 'events', events: [] }, 'events'],
    ['events that the endpoint does not get', { kind: 'events', events: ['refund.*'] }, 'events'],
  ])('refuses %s', async (_, wrong, param = 'until') => {
    const endpoint = await ground.endpoint({ enabled_events: ['payment.*'] });
    await ground.delivery(endpoint, { state: 'failed' });
    const path = `/webhooks/${endpoint._id}/replays`;
    const { status, html } = await browser.post(path, { ...WHAT, ...wrong });
    expect(status).toBe(422);
    expect(html).toContain(`href="#${param}"`);
    expect(html).toContain(`id="${param}"`);
    expect(await replaysOf(endpoint)).toEqual([]);
  });

  it('refuses a disabled endpoint', async () => {
    const endpoint = await ground.endpoint({ status: 'disabled', disabled_reason: 'gone' });
    const path = `/webhooks/${endpoint._id}/replays`;
    expect((await browser.get(path)).html).not.toContain('name="step"');
    expect((await browser.post(path, WHAT)).status).toBe(422);
    expect(await replaysOf(endpoint)).toEqual([]);
  });
});

describe('GET /replays/:id', () => {
  it.each([
    ['running', true],
    ['completed', false],
  ] as const)('shows the progress of a %s one', async (status, isLive) => {
    const { _id: endpoint_id } = await ground.endpoint();
    const replay = makeReplay({ m: tenant, endpoint_id, status, total: 12, sent: 5 });
    await mongo.replays.insertOne(replay);
    const { html } = await browser.get(`/replays/${replay._id}`);
    expect(html).toContain('<progress id="sent" value="5" max="12">');
    expect(html).toContain('5 of 12');
    expect(html.includes('data-live')).toBe(isLive);
    const list = await browser.get(`/webhooks/${endpoint_id}/replays`);
    expect(list.html).toContain(`href="/replays/${replay._id}"`);
  });
});

describe('POST /replays/:id/stop', () => {
  it('stops the replay and its pending deliveries, and may be done twice', async () => {
    const endpoint = await ground.endpoint();
    const replay = makeReplay({ m: tenant, endpoint_id: endpoint._id });
    await mongo.replays.insertOne(replay);
    const { _id } = await ground.delivery(endpoint, { replay_id: replay._id });
    const path = `/replays/${replay._id}`;
    for (let n = 0; n < 2; n += 1) {
      expect((await browser.post(`${path}/stop`)).to).toBe(`${path}?done=replay_stopped`);
    }
    expect(await replaysOf(endpoint)).toMatchObject([
      { status: 'stopped', stopped_reason: 'asked' },
    ]);
    expect((await mongo.deliveries.findOne({ _id }))!.state).toBe('stopped');
    const stops = (await entriesAbout(mongo, replay._id)).map(({ action }) => action);
    expect(stops).toEqual(['replay.stop']);
    expect((await browser.get(path)).html).not.toContain(`${path}/stop`);
  });
});
