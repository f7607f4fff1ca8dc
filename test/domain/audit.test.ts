import { describe, expect, it } from 'vitest';
import { ACTIONS, SYSTEM, composeEntry, endpointChange } from '../../domain/audit.ts';
import { firstIdAt } from '../../domain/id.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { at } from './situation.ts';

const id = firstIdAt('audit', at(3).getTime());
const act = { objectId: 'x_1', merchantId: 'mer_1' } as const;

describe('composeEntry', () => {
  it('returns an entry with the time of its id', () => {
    const entry = composeEntry({ ...act, action: 'key.revoke' }, { id, actor: SYSTEM });
    expect(entry).toEqual({
      _id: id,
      at: at(3),
      actor: { type: 'system', name: 'tollgate' },
      action: 'key.revoke',
      object: { kind: 'key', id: 'x_1' },
      merchant_id: 'mer_1',
      before: null,
      after: null,
    });
  });

  it('returns entries with every kind of object', () => {
    const kinds = ACTIONS.map((action) => {
      return composeEntry({ ...act, action }, { id, actor: SYSTEM }).object.kind;
    });
    const known = [
      'merchant',
      'user',
      'payment',
      'refund',
      'key',
      'endpoint',
      'delivery',
      'replay',
      'encryption_key',
    ];
    expect(new Set(kinds)).toEqual(new Set(known));
  });
});

describe('endpointChange', () => {
  const endpoint = makeEndpoint({ m: 'mer_1:test', url: 'https://shop.example/hooks?token=abc' });

  it('shows the fields of a new endpoint, without the query of its URL and the secret', () => {
    const { before, after } = endpointChange(null, endpoint);
    expect(before).toEqual({});
    expect(after).toEqual({
      url: 'https://shop.example/hooks?...',
      description: null,
      enabled_events: ['*'],
      status: 'enabled',
      disabled_reason: null,
      secret_hint: endpoint.secret_hint,
      old_secrets: [],
    });
  });

  it('shows only the fields that differ', () => {
    const changed = { ...endpoint, description: 'Till', updated_at: at(1), failing_since: at(0) };
    expect(endpointChange(endpoint, changed)).toEqual({
      before: { description: null },
      after: { description: 'Till' },
    });
    expect(endpointChange(endpoint, { ...endpoint, previous_secrets: [] })).toEqual({
      before: {},
      after: {},
    });
  });

  it("shows a change of the URL's query, but not the query", () => {
    const url = 'https://user:pass@shop.example/hooks?token=def#part';
    const { before, after } = endpointChange(endpoint, { ...endpoint, url });
    expect(before).toEqual({ url: 'https://shop.example/hooks?...' });
    expect(after).toEqual(before);
  });

  it('shows the hints of secrets, and not the secrets', () => {
    const old = { secret: endpoint.secret, hint: endpoint.secret_hint, expires_at: at(9) };
    const rotated = { secret: 'sealed', secret_hint: 'wxyz', previous_secrets: [old] };
    const change = endpointChange(endpoint, { ...endpoint, ...rotated });
    expect(change).toEqual({
      before: { secret_hint: endpoint.secret_hint, old_secrets: [] },
      after: {
        secret_hint: 'wxyz',
        old_secrets: [{ hint: endpoint.secret_hint, expires_at: at(9) }],
      },
    });
  });
});
