import { describe, expect, it } from 'vitest';
import { MAX_LIVE_SECRETS, liveSecrets } from '../../domain/endpoint.ts';
import { timeOf } from '../../domain/id.ts';
import { mintId } from '../../store/mint.ts';
import {
  deleteEndpoint,
  disableEndpointByHand,
  enableEndpoint,
  rotateSecret,
  showEndpoints,
  updateEndpoint,
} from '../../operations/change-endpoint.ts';
import { makeDelivery, sealer } from '../support/rows/endpoint.ts';
import { refusalOf, useGround } from './endpoints.ts';
import { insertAll } from '../support/insert.ts';

const ground = await useGround('webhooks_change');
const pending = { state: 'pending' } as const;

describe('every change', () => {
  it.each<[string, (id: string) => Promise<unknown>]>([
    ['updateEndpoint', async (id) => updateEndpoint(ground.services, { id, events: '*' })],
    ['enableEndpoint', async (id) => enableEndpoint(ground.services, { id })],
    ['disableEndpointByHand', async (id) => disableEndpointByHand(ground.services, { id })],
    ['deleteEndpoint', async (id) => deleteEndpoint(ground.services, { id })],
    ['rotateSecret', async (id) => rotateSecret(ground.services, { id, overlap: '0' })],
  ])('%s refuses an endpoint that is deleted or unknown', async (_, change) => {
    const deleted = await ground.endpoint({ status: 'deleted' });
    for (const id of ['we_1', deleted._id]) {
      expect(await refusalOf(change(id))).toEqual(['resource_missing', 'id']);
    }
    const { shown: __, ...row } = deleted;
    expect(await ground.read(deleted)).toEqual(row);
  });

  it('keeps a concurrent change', async () => {
    const { _id: id } = await ground.endpoint();
    await Promise.all([
      updateEndpoint(ground.services, { id, description: 'Till' }),
      updateEndpoint(ground.services, { id, events: 'refund.*' }),
      rotateSecret(ground.services, { id, overlap: '1h' }),
    ]);
    expect(await ground.read({ _id: id })).toMatchObject({
      description: 'Till',
      enabled_events: ['refund.*'],
      previous_secrets: [expect.anything()],
    });
  });
});

describe('showEndpoints', () => {
  it('returns the endpoints that are not deleted, oldest first, without their secrets', async () => {
    const first = await ground.endpoint({ description: 'Till' });
    await ground.endpoint({ status: 'deleted' });
    const second = await ground.endpoint({ status: 'disabled' });
    const { endpoints } = await showEndpoints(ground.services, { merchant: ground.merchant });
    expect(endpoints.map(({ id }) => id)).toEqual([first._id, second._id]);
    expect(endpoints[0]).toMatchObject({ description: 'Till', secret_hint: first.secret_hint });
    expect(JSON.stringify(endpoints)).not.toContain(first.secret);
  });

  it('counts the deliveries that each endpoint has not accepted, up to a limit', async () => {
    const one = await ground.endpoint();
    const other = await ground.endpoint();
    const of = { m: ground.m, endpoint_id: one._id, event_id: mintId('event') };
    const many = Array.from({ length: 1_003 }, () => makeDelivery({ ...of, state: 'skipped' }));
    await insertAll(ground.mongo.deliveries, many);
    for (const state of ['pending', 'failed', 'failed', 'stopped', 'succeeded'] as const) {
      await ground.delivery(one, { state });
    }
    await ground.delivery(other);
    const { endpoints } = await showEndpoints(ground.services, { merchant: ground.merchant });
    expect(endpoints.map(({ deliveries }) => deliveries)).toEqual([
      { pending: 1, failed: 2, skipped: 1_000, stopped: 1, counted_to: 1_000 },
      { pending: 1, failed: 0, skipped: 0, stopped: 0, counted_to: 1_000 },
    ]);
  });

  it('refuses an unknown merchant', async () => {
    const ask = showEndpoints(ground.services, { merchant: 'mer_1' });
    expect(await refusalOf(ask)).toEqual(['resource_missing', 'merchant']);
  });
});

describe('updateEndpoint', () => {
  it('changes only the given fields', async () => {
    const { _id: id, shown: _, ...before } = await ground.endpoint({ description: 'Till' });
    const url = 'http://127.0.0.1:9000/new';
    expect(await updateEndpoint(ground.services, { id, url })).toMatchObject({ id, url });
    const after = await ground.read({ _id: id });
    const { updated_at } = after;
    expect(updated_at.getTime()).toBeGreaterThan(before.updated_at.getTime());
    expect(after).toEqual({ ...before, _id: id, url, updated_at, previous_secrets: [] });
  });

  it.each<[string, object, string, string]>([
    ['a forbidden address', { url: 'http://10.0.0.1/' }, 'url_invalid', 'url'],
    ['an unknown event', { events: 'payment.made' }, 'parameter_invalid', 'events'],
    [
      'a description that is too long',
      { description: 'x'.repeat(256) },
      'parameter_invalid',
      'description',
    ],
  ])('refuses %s, and changes nothing', async (_, change, code, param) => {
    const { shown: __, ...before } = await ground.endpoint();
    const options = { id: before._id, description: 'Till', ...change };
    expect(await refusalOf(updateEndpoint(ground.services, options))).toEqual([code, param]);
    expect(await ground.read(before)).toEqual(before);
  });
});

describe('updateEndpoint with nothing to change', () => {
  it('is refused, and changes nothing', async () => {
    const { shown: _, ...before } = await ground.endpoint();
    const ask = updateEndpoint(ground.services, { id: before._id });
    expect(await refusalOf(ask)).toEqual(['parameter_missing', null]);
    expect(await ground.read(before)).toEqual(before);
  });
});

describe('disableEndpointByHand', () => {
  it('stops the pending deliveries of this endpoint, and of no other', async () => {
    const one = await ground.endpoint();
    const other = await ground.endpoint();
    const waiting = await ground.delivery(one, pending);
    const done = await ground.delivery(one, { state: 'succeeded', next_attempt_at: null });
    const others = await ground.delivery(other, pending);
    const disabled = await disableEndpointByHand(ground.services, { id: one._id });
    expect(disabled).toMatchObject({
      status: 'disabled',
      disabled_reason: 'merchant',
      stopped: 1,
    });
    const states = await Promise.all(
      [waiting, done, others].map(async ({ _id }) => ground.mongo.deliveries.findOne({ _id })),
    );
    expect(states.map((row) => row?.state)).toEqual(['stopped', 'succeeded', 'pending']);
    expect(states[0]?.next_attempt_at).toBeNull();
  });
});

describe('enableEndpoint', () => {
  it('clears the reason, and returns the number of missed events and the time of the first', async () => {
    const failing = { disabled_reason: 'failing', failing_since: new Date() } as const;
    const { _id: id, ...row } = await ground.endpoint({ status: 'disabled', ...failing });
    const oldest = await ground.delivery({ ...row, _id: id }, { state: 'skipped' });
    await ground.delivery({ ...row, _id: id }, { state: 'skipped' });
    const waited = await ground.delivery({ ...row, _id: id }, { state: 'stopped' });
    await ground.delivery({ ...row, _id: id }, { state: 'failed' });
    expect(await enableEndpoint(ground.services, { id })).toMatchObject({
      status: 'enabled',
      disabled_reason: null,
      health: { failing_since: null },
      skipped: 2,
      stopped: 1,
      missed_since: new Date(timeOf(oldest._id)).toISOString(),
    });
    await ground.mongo.deliveries.deleteMany({ state: 'skipped' });
    expect(await enableEndpoint(ground.services, { id })).toMatchObject({
      skipped: 0,
      stopped: 1,
      missed_since: new Date(timeOf(waited._id)).toISOString(),
    });
  });

  it('does not count test events, deliveries of a stopped replay, or events that succeeded', async () => {
    const endpoint = await ground.endpoint({ status: 'disabled' });
    const { event_id } = await ground.delivery(endpoint, { state: 'skipped' });
    await ground.delivery(endpoint, { event_id, state: 'succeeded' });
    await ground.delivery(endpoint, { state: 'stopped', trigger: 'test' });
    const replayed = { trigger: 'replay', replay_id: mintId('replay') } as const;
    await ground.delivery(endpoint, { state: 'stopped', ...replayed });
    const enabled = await enableEndpoint(ground.services, { id: endpoint._id });
    expect(enabled).toMatchObject({ skipped: 0, stopped: 0, missed_since: null });
  });

  it('returns zero and no time if no event was missed', async () => {
    const { _id: id } = await ground.endpoint({ status: 'disabled' });
    const enabled = await enableEndpoint(ground.services, { id });
    expect(enabled).toMatchObject({ skipped: 0, stopped: 0, missed_since: null });
  });
});

describe('deleteEndpoint', () => {
  it('stops the pending deliveries, and keeps the row', async () => {
    const endpoint = await ground.endpoint();
    await ground.delivery(endpoint, pending);
    const { _id: id } = endpoint;
    expect(await deleteEndpoint(ground.services, { id })).toEqual({
      id,
      deleted: true,
      stopped: 1,
    });
    expect((await ground.read(endpoint)).status).toBe('deleted');
  });
});

describe('rotateSecret', () => {
  it('returns a new secret, and keeps signing with the old one during the overlap', async () => {
    const endpoint = await ground.endpoint();
    const { _id: id } = endpoint;
    const rotated = await rotateSecret(ground.services, { id, overlap: '1h' });
    const end = Date.parse(String(rotated['old_secret_signs_until']));
    const row = await ground.read(endpoint);
    const opened = (at: number) =>
      liveSecrets(row, new Date(at)).map((each) => sealer.unseal(each, id));
    expect(opened(end - 1)).toEqual([rotated['secret'], endpoint.shown]);
    expect(opened(end)).toEqual([rotated['secret']]);
    expect(row.secret_hint).toBe(String(rotated['secret']).slice(-4));
    expect(JSON.stringify(row)).not.toContain(String(rotated['secret']).slice(6, -4));
  });

  it('ends every older secret at once if there is no overlap', async () => {
    const { _id: id } = await ground.endpoint();
    await rotateSecret(ground.services, { id, overlap: '7d' });
    const rotated = await rotateSecret(ground.services, { id, overlap: '0' });
    expect(rotated['old_secret_signs_until']).toBeNull();
    const live = liveSecrets(await ground.read({ _id: id }), new Date());
    expect(live.map((each) => sealer.unseal(each, id))).toEqual([rotated['secret']]);
  });

  it('refuses an unknown overlap, and more secrets than the maximum', async () => {
    const { _id: id } = await ground.endpoint();
    for (const overlap of ['2h', '', 'toString']) {
      const ask = rotateSecret(ground.services, { id, overlap });
      expect(await refusalOf(ask)).toEqual(['parameter_invalid', 'overlap']);
    }
    for (let count = 1; count < MAX_LIVE_SECRETS; count += 1) {
      await rotateSecret(ground.services, { id, overlap: '24h' });
    }
    const before = await ground.read({ _id: id });
    const ask = rotateSecret(ground.services, { id, overlap: '24h' });
    expect(await refusalOf(ask)).toEqual(['parameter_invalid', 'overlap']);
    expect(await ground.read({ _id: id })).toEqual(before);
  });
});
