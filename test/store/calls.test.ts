import { describe, expect, it } from 'vitest';
import { CALL_KEPT_MS, tagsOf } from '../../domain/call.ts';
import type { Call, CallFilter } from '../../domain/call.ts';
import { firstIdAt } from '../../domain/id.ts';
import { tenantOf } from '../../domain/merchant.ts';
import { findCall, insertCalls, listCalls } from '../../store/calls.ts';
import { mintId } from '../../store/mint.ts';
import { useDatabase } from './database.ts';

const { mongo } = await useDatabase('calls');
const newTenant = () => tenantOf(mintId('merchant'), 'test');
const now = new Date();

function makeCall(over: Partial<Call> & Pick<Call, 'm'>): Call {
  const call = {
    _id: mintId('request'),
    at: now,
    method: 'GET',
    path: '/v1/payments',
    status: 200,
    error: null,
    key_id: mintId('key'),
    duration_ms: 3,
    body: null,
    is_cut: false,
    object_id: null,
    ...over,
  };
  return { ...call, tags: tagsOf(call) };
}

const idsOf = async (m: string, filter: CallFilter = {}, startingAfter?: string) => {
  const { rows, hasMore } = await listCalls(mongo, m, { ...filter, limit: 2, startingAfter, now });
  return [rows.map(({ _id }) => _id), hasMore] as const;
};

describe('listCalls', () => {
  it('returns the tenant’s requests that match, newest first, in pages', async () => {
    const [m, other] = [newTenant(), newTenant()];
    const one = makeCall({ m });
    const two = makeCall({ m, status: 404 });
    const three = makeCall({ m, status: 409, path: `/v1/payments/${mintId('payment')}/cancel` });
    await insertCalls(mongo, [one, two, three, makeCall({ m: other })]);
    expect(await idsOf(m)).toEqual([[three._id, two._id], true]);
    expect(await idsOf(m, {}, two._id)).toEqual([[one._id], false]);
    expect(await idsOf(m, { status: '4xx' })).toEqual([[three._id, two._id], false]);
    expect(await idsOf(m, { route: '/v1/payments' })).toEqual([[two._id, one._id], false]);
    const both = { status: '4xx', route: '/v1/payments/{id}/cancel' } as const;
    expect(await idsOf(m, both)).toEqual([[three._id], false]);
  });

  it('leaves out requests that are too old, even before they are deleted', async () => {
    const m = newTenant();
    const old = firstIdAt('request', now.getTime() - CALL_KEPT_MS - 1);
    await insertCalls(mongo, [makeCall({ m, _id: old })]);
    expect(await idsOf(m)).toEqual([[], false]);
  });
});

describe('findCall', () => {
  it("returns the tenant's own request only", async () => {
    const call = makeCall({ m: newTenant() });
    await insertCalls(mongo, [call]);
    expect(await findCall(mongo, call.m, call._id)).toEqual(call);
    expect(await findCall(mongo, newTenant(), call._id)).toBeNull();
  });
});
