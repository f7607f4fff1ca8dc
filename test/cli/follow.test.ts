import { beforeEach, describe, expect, it } from 'vitest';
import { Follower } from '../../cli/follow.ts';
import { parseSince, parseStart } from '../../cli/since.ts';
import { firstIdAt } from '../../domain/id.ts';
import { Tollgate } from '../../sdk/index.ts';
import { mintId } from '../../store/mint.ts';
import { makeTenant, openStand } from '../api/harness.ts';
import type { Tenant } from '../api/harness.ts';
import { makeEvent } from '../support/rows/endpoint.ts';

const NOW = Date.now();
const MINUTE_MS = 60_000;

const stand = await openStand('follow');

// Causes of events are unique across all tenants.
beforeEach(async () => {
  await stand.mongo.events.deleteMany({});
});

/** Returns the id of an event at that time. `place` orders ids of the same time. */
const idAt = (ms: number, place = 0): string =>
  firstIdAt('event', ms).slice(0, -3) + String(place).padStart(3, '0');

async function put({ m }: Tenant, ...ids: string[]): Promise<void> {
  await stand.mongo.events.insertMany(ids.map((id) => makeEvent({ _id: id, m })));
}

type FollowOptions = ConstructorParameters<typeof Follower>[0];

async function follower(tenant: Tenant, more: Partial<FollowOptions> = {}) {
  const client = new Tollgate({ apiKey: tenant.secret, baseUrl: stand.api.url });
  const { signal } = new AbortController();
  return new Follower({ client, types: undefined, signal, clock: Date.now, ...more });
}

async function round(reader: Follower): Promise<string[]> {
  const ids: string[] = [];
  for await (const { id } of reader.round()) ids.push(id);
  return ids;
}

describe('Follower', () => {
  it.each([0, 1, 5])('starts with new events, after %d old ones', async (count) => {
    const tenant = await makeTenant(stand.mongo);
    const before = Array.from({ length: count }, (_, index) => idAt(NOW - index * MINUTE_MS));
    if (count > 0) await put(tenant, ...before);
    const reader = await follower(tenant);
    await reader.begin({ kind: 'now' });
    expect(await round(reader)).toEqual([]);
    await put(tenant, idAt(NOW + 5));
    expect(await round(reader)).toEqual([idAt(NOW + 5)]);
    expect(await round(reader)).toEqual([]);
    expect(reader.place.seen.at(-1)).toBe(idAt(NOW + 5));
  });

  it('finds an event that was stored after a later one', async () => {
    const tenant = await makeTenant(stand.mongo);
    await put(tenant, idAt(NOW - 10 * MINUTE_MS), idAt(NOW));
    const reader = await follower(tenant);
    await reader.begin({ kind: 'now' });
    await put(tenant, idAt(NOW + 1_000));
    expect(await round(reader)).toEqual([idAt(NOW + 1_000)]);
    await put(tenant, idAt(NOW + 999), idAt(NOW + 1_000 - MINUTE_MS + 1));
    expect(await round(reader)).toEqual([idAt(NOW + 1_000 - MINUTE_MS + 1), idAt(NOW + 999)]);
    expect(await round(reader)).toEqual([]);
  });

  it('lets another reader continue with late events and without repeats', async () => {
    const tenant = await makeTenant(stand.mongo);
    await put(tenant, idAt(NOW - 2 * MINUTE_MS), idAt(NOW - MINUTE_MS), idAt(NOW));
    const reader = await follower(tenant);
    await reader.begin({ kind: 'now' });
    await put(tenant, idAt(NOW + 1_000));
    expect(await round(reader)).toEqual([idAt(NOW + 1_000)]);
    const { after, seen } = reader.place;
    expect([after, seen]).toEqual([idAt(NOW - MINUTE_MS), [idAt(NOW), idAt(NOW + 1_000)]]);
    await put(tenant, idAt(NOW + 999), idAt(NOW + 1_001));
    const other = await follower(tenant);
    await other.begin({ kind: 'event', id: after! }, seen);
    expect(await round(other)).toEqual([idAt(NOW + 999), idAt(NOW + 1_001)]);
  });

  it('returns only the newest event if there are too many to list', async () => {
    const tenant = await makeTenant(stand.mongo);
    await put(tenant, ...Array.from({ length: 52 }, (_, index) => idAt(NOW, index)));
    const reader = await follower(tenant);
    await reader.begin({ kind: 'time', atMs: NOW });
    for await (const { id } of reader.round()) if (id === idAt(NOW, 50)) break;
    expect([reader.place.after, reader.place.seen.length]).toEqual([undefined, 50]);
    await round(reader);
    expect(reader.place).toEqual({ after: idAt(NOW, 51), seen: [] });
  });

  it.each([0, 1])(
    'reads several pages in order, with %d events before the time',
    async (before) => {
      const tenant = await makeTenant(stand.mongo);
      const ids = Array.from({ length: 250 }, (_, index) => idAt(NOW + index * 1_000, index));
      await put(tenant, ...ids);
      if (before > 0) await put(tenant, idAt(NOW - 1));
      const reader = await follower(tenant);
      await reader.begin({ kind: 'time', atMs: NOW });
      expect(await round(reader)).toEqual(ids);
      expect(await round(reader)).toEqual([]);
    },
  );

  it('repeats an event that its reader did not finish', async () => {
    const tenant = await makeTenant(stand.mongo);
    const ids = [idAt(NOW, 1), idAt(NOW, 2), idAt(NOW, 3)];
    await put(tenant, ...ids);
    const reader = await follower(tenant);
    await reader.begin({ kind: 'time', atMs: NOW });
    for await (const { id } of reader.round()) if (id === ids[1]) break;
    expect(reader.place).toEqual({ after: undefined, seen: [ids[0]] });
    expect(await round(reader)).toEqual(ids.slice(1));
  });

  it('lets another reader continue with a refused event, even minutes later', async () => {
    const tenant = await makeTenant(stand.mongo);
    const ids = [idAt(NOW, 1), idAt(NOW, 2), idAt(NOW, 3)];
    await put(tenant, idAt(NOW - 1), ...ids);
    let now = 0;
    const reader = await follower(tenant, { clock: () => now });
    await reader.begin({ kind: 'time', atMs: NOW });
    for await (const { id } of reader.round()) if (id === ids[1]) reader.refuse(id);
    now = 5 * MINUTE_MS;
    await put(tenant, idAt(NOW + 5 * MINUTE_MS));
    expect(await round(reader)).toEqual([idAt(NOW + 5 * MINUTE_MS)]);
    const { after, seen } = reader.place;
    const other = await follower(tenant);
    await other.begin({ kind: 'event', id: after! }, seen);
    expect(await round(other)).toEqual([ids[1]]);
  });

  it('repeats events rather than lose a refused one, if there are too many to list', async () => {
    const tenant = await makeTenant(stand.mongo);
    await put(tenant, ...Array.from({ length: 60 }, (_, index) => idAt(NOW, index)));
    const reader = await follower(tenant);
    await reader.begin({ kind: 'time', atMs: NOW });
    for await (const { id } of reader.round()) if (id === idAt(NOW, 0)) reader.refuse(id);
    expect(reader.place.after).toBeUndefined();
    const { seen } = reader.place;
    expect([seen.length, seen.includes(idAt(NOW, 0))]).toEqual([50, false]);
  });

  it('no longer rereads events that are older than a minute', async () => {
    const tenant = await makeTenant(stand.mongo);
    const ids = [idAt(NOW, 1), idAt(NOW, 2), idAt(NOW, 3)];
    await put(tenant, ...ids);
    const asked: string[] = [];
    const watched: typeof fetch = async (input, init) => {
      asked.push(new Request(input).url);
      return fetch(input, init);
    };
    const { url: baseUrl } = stand.api;
    const client = new Tollgate({ apiKey: tenant.secret, baseUrl, fetch: watched });
    let now = 0;
    const reader = await follower(tenant, { client, clock: () => now });
    await reader.begin({ kind: 'time', atMs: NOW });
    expect(await round(reader)).toEqual(ids);
    now = MINUTE_MS + 1;
    await round(reader);
    expect(asked.at(-1)).not.toContain('ending_before');
    expect(await round(reader)).toEqual([]);
    expect(asked.at(-1)).toContain(`ending_before=${ids[2]}`);
    expect(reader.place).toEqual({ after: ids[2], seen: [] });
  });

  it('starts after an event', async () => {
    const tenant = await makeTenant(stand.mongo);
    const ids = [idAt(NOW, 1), idAt(NOW, 2), idAt(NOW, 3)];
    await put(tenant, ...ids);
    const reader = await follower(tenant);
    await reader.begin({ kind: 'event', id: idAt(NOW, 1) });
    expect(await round(reader)).toEqual(ids.slice(1));
  });
});

describe('parseSince', () => {
  const id = mintId('event');
  it.each([
    [undefined, { kind: 'now' }],
    [id, { kind: 'event', id }],
    ['90s', { kind: 'time', atMs: NOW - 90_000 }],
    ['10m', { kind: 'time', atMs: NOW - 10 * MINUTE_MS }],
    ['2h', { kind: 'time', atMs: NOW - 120 * MINUTE_MS }],
    ['1d', { kind: 'time', atMs: NOW - 1_440 * MINUTE_MS }],
    ['2026-01-31', { kind: 'time', atMs: Date.UTC(2026, 0, 31) }],
    ['2026-01-31T12:00:00Z', { kind: 'time', atMs: Date.UTC(2026, 0, 31, 12) }],
    ['2026-01-31T12:00:00.5+04:00', { kind: 'time', atMs: Date.UTC(2026, 0, 31, 8, 0, 0, 500) }],
  ])('parses %s', (text, start) => {
    expect(parseSince(text, NOW)).toEqual(start);
  });

  it.each(['', 'yesterday', '10', '10 m', '-1h', '2026-01-31T12:00:00', '9999-01-01', 'pay_1'])(
    'refuses %j',
    (text) => {
      expect(() => parseSince(text, NOW)).toThrow('--since');
    },
  );

  it.each(['2025-02-29', '2026-02-31', '2026-02-30T12:00:00Z', '2026-04-31 12:00Z', '2026-13-01'])(
    'refuses %s, because there is no such day',
    (text) => {
      expect(() => parseSince(text, NOW, 'until')).toThrow(`--until ${text}: give`);
    },
  );

  it.each(['999999d', '1969-12-31'])('refuses %s, because it is before 1970', (text) => {
    expect(() => parseSince(text, NOW)).toThrow(`--since ${text} is before 1970`);
  });
});

describe('parseStart', () => {
  const ids = [mintId('event'), mintId('event'), mintId('event')] as const;

  it('parses the events to skip after an event or a time', () => {
    const start = { kind: 'event', id: ids[0] };
    expect(parseStart(ids.join(','), NOW)).toEqual({ start, seen: ids.slice(1) });
    const time = { kind: 'time', atMs: 0 };
    expect(parseStart(`1970-01-01,${ids[1]}`, NOW)).toEqual({ start: time, seen: [ids[1]] });
    expect(parseStart(undefined, NOW)).toEqual({ start: { kind: 'now' }, seen: [] });
  });

  it.each([`${ids[0]},`, `${ids[0]},1h`, `,${ids[0]}`])('refuses %s', (text) => {
    expect(() => parseStart(text, NOW)).toThrow('--since');
  });
});
