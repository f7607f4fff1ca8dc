import { describe, expect, it } from 'vitest';
import type { Endpoint } from '../../domain/endpoint.ts';
import { mintId } from '../../store/mint.ts';
import { makeDelivery, makeEndpoint } from '../support/rows/endpoint.ts';
import { makeTenant, openStand } from './harness.ts';

const { mongo, tenant, api } = await openStand('endpoints');

async function put(overrides: Partial<Endpoint> = {}): Promise<Endpoint> {
  const endpoint = makeEndpoint({ m: tenant.m, ...overrides });
  await mongo.endpoints.insertOne(endpoint);
  return endpoint;
}

describe('GET /v1/webhook-endpoints/{id}', () => {
  it("returns 404 for an unknown endpoint, a deleted one and another merchant's", async () => {
    const deleted = await put({ status: 'deleted' });
    const other = await put({ m: 'mer_other:test' });
    for (const id of [mintId('endpoint'), 'we_1', deleted._id, other._id]) {
      const reply = await api.send('GET', `/v1/webhook-endpoints/${id}`);
      expect([reply.status, reply.json.error.code]).toEqual([404, 'resource_missing']);
    }
  });

  it('returns the endpoint without its secret', async () => {
    const endpoint = await put({ failing_since: new Date('2026-01-01T00:00:00Z') });
    const { json, text } = await api.send('GET', `/v1/webhook-endpoints/${endpoint._id}`);
    expect(json).toEqual({
      id: endpoint._id,
      object: 'webhook_endpoint',
      url: endpoint.url,
      description: null,
      enabled_events: ['*'],
      status: 'enabled',
      disabled_reason: null,
      livemode: false,
      secret_hint: endpoint.secret_hint,
      created_at: endpoint.created_at.toISOString(),
      updated_at: endpoint.updated_at.toISOString(),
      health: { last_success_at: null, failing_since: '2026-01-01T00:00:00.000Z' },
    });
    expect(text).not.toContain(endpoint.secret);
  });

  it('shows when a delivery was last accepted', async () => {
    const { _id } = await put();
    const ids = { m: tenant.m, endpoint_id: _id, event_id: mintId('event') };
    const at = new Date('2026-01-01T00:00:05Z');
    const attempts = [{ number: 1, at, duration_ms: 5, status: 200, error: null }];
    await mongo.deliveries.insertMany([
      makeDelivery({ ...ids, state: 'succeeded', attempts }),
      makeDelivery({ ...ids, state: 'failed' }),
    ]);
    const { json } = await api.send('GET', `/v1/webhook-endpoints/${_id}`);
    expect(json.health.last_success_at).toBe(at.toISOString());
  });
});

describe('GET /v1/webhook-endpoints', () => {
  it('lists endpoints that are not deleted, newest first, and accepts their ids as cursors', async () => {
    const owner = await makeTenant(mongo);
    const rows = [
      await put({ m: owner.m }),
      await put({ m: owner.m, status: 'deleted' }),
      await put({ m: owner.m, status: 'disabled', disabled_reason: 'gone' }),
    ];
    const [first, deleted, last] = rows.map(({ _id }) => _id);
    const client = api.as(owner);
    const { json } = await client.send('GET', '/v1/webhook-endpoints');
    expect(json.data.map(({ id }: { id: string }) => id)).toEqual([last, first]);
    const after = await client.send('GET', `/v1/webhook-endpoints?starting_after=${deleted}`);
    expect(after.json.data.map(({ id }: { id: string }) => id)).toEqual([first]);
  });
});
