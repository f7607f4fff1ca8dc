import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { TollgateConnectionError } from '../../sdk/index.ts';
import { errorOf, Service } from './service.ts';

let service: Service;
beforeEach(async () => {
  service = new Service();
  await service.start();
});
afterEach(() => service.stop());

const page = (ids: readonly string[], has_more = true) => ({
  body: { object: 'list', url: '/v1/payments', has_more, data: ids.map((id) => ({ id })) },
});

/** Iterates over the list. Returns the ids, and the error if one was thrown. */
async function walk(params = {}): Promise<{ ids: string[]; error: unknown }> {
  const ids: string[] = [];
  try {
    for await (const { id } of service.client().payments.list(params)) ids.push(id);
    return { ids, error: undefined };
  } catch (error) {
    return { ids, error };
  }
}

describe('a list', () => {
  it('is requested when it is first used, and only once', async () => {
    service.play(page(['c', 'b']), page(['a'], false));
    const list = service.client().payments.list();
    expect(service.seen).toHaveLength(0);
    expect(await list).toBe(await list);
    expect(service.seen).toHaveLength(1);
    const ids: string[] = [];
    for await (const { id } of list) ids.push(id);
    expect(ids).toEqual(['c', 'b', 'a']);
    expect(service.seen).toHaveLength(2);
  });

  it('has catch and finally, and works with Promise.all', async () => {
    service.play(page(['a'], false));
    const { payments } = service.client();
    const [first] = await Promise.all([payments.list(), payments.list()]);
    expect(first.data).toHaveLength(1);
    let ended = 0;
    await payments.list().finally(() => (ended += 1));
    service.play({ status: 400 });
    expect(await payments.list().catch((error: unknown) => error)).toMatchObject({ status: 400 });
    expect(ended).toBe(1);
  });

  it('does not request a page that is not read', async () => {
    service.play(page(['c', 'b']), page(['a'], false));
    for await (const { id } of service.client().payments.list()) if (id === 'c') break;
    expect(service.seen).toHaveLength(1);
  });

  it('keeps its parameters from page to page, and leaves out undefined ones', async () => {
    service.play(page(['c', 'b']), page(['a'], false));
    await walk({
      status: ['created', 'failed'],
      limit: 2,
      order_id: undefined,
      starting_after: 'd',
      created_at: { gte: new Date(0), lt: undefined },
    });
    const queries = service.seen.map(({ path }) =>
      Object.fromEntries(new URL(path, 'http://x').searchParams),
    );
    const common = {
      status: 'created,failed',
      limit: '2',
      'created_at[gte]': '1970-01-01T00:00:00.000Z',
    };
    expect(queries).toEqual([
      { ...common, starting_after: 'd' },
      { ...common, starting_after: 'b' },
    ]);
  });

  it('yields newer objects with ending_before, oldest first', async () => {
    service.play(page(['c', 'b']), page(['e', 'd'], false));
    const { ids } = await walk({ ending_before: 'a' });
    expect(ids).toEqual(['b', 'c', 'd', 'e']);
    expect(service.seen[1]?.path).toContain('ending_before=c');
  });

  it('yields older objects if ending_before is undefined', async () => {
    service.play(page(['b', 'a'], false));
    expect((await walk({ ending_before: undefined })).ids).toEqual(['b', 'a']);
  });

  it('stops if its signal aborts between pages', async () => {
    service.play(page(['c', 'b']), 'hang');
    const aborter = new AbortController();
    const list = service.client().payments.list({}, { signal: aborter.signal });
    const walked = async () => {
      for await (const { id } of list) if (id === 'b') setImmediate(() => aborter.abort());
    };
    expect(await errorOf(walked())).toBe(aborter.signal.reason);
  });

  it('retries a page that failed', async () => {
    service.play(page(['c', 'b']), 'reset', { status: 503 }, page(['a'], false));
    expect(await walk()).toEqual({ ids: ['c', 'b', 'a'], error: undefined });
  });
});

describe('a list of a service that misbehaves', () => {
  it.each([
    ['repeats a page', [page(['b', 'a'])], ['b', 'a']],
    [
      'returns its pages in a cycle',
      [page(['d', 'c']), page(['b', 'a']), page(['d', 'c'])],
      ['d', 'c', 'b', 'a'],
    ],
    ['returns an empty page with has_more', [page([])], []],
  ])('that %s throws an error, and yields no object twice', async (_, replies, expected) => {
    service.play(...replies);
    const { ids, error } = await walk();
    expect(ids).toEqual(expected);
    expect(error).toBeInstanceOf(TollgateConnectionError);
    expect(error).toMatchObject({ reason: 'answer' });
    expect(service.seen.length).toBeLessThan(5);
  });

  it('leaves out objects that were in an earlier page, or twice in one', async () => {
    service.play(page(['d', 'c', 'd']), page(['c', 'b']), page(['d', 'a'], false));
    expect(await walk()).toEqual({ ids: ['d', 'c', 'b', 'a'], error: undefined });
  });

  it.each([
    [{ object: 'list' }],
    [{ object: 'list', data: 'none' }],
    [{ object: 'list', data: [null] }],
    [{ object: 'list', data: [{ id: 1 }] }],
  ])('refuses %j', async (body) => {
    service.play({ body });
    expect((await walk()).error).toMatchObject({ reason: 'answer' });
  });
});
