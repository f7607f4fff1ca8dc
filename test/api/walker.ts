/** A client that reads a list page by page to its end, and checks every page. */
import { expect } from 'vitest';
import type { RunningApi } from './harness.ts';

/** `older` begins with the newest object; `newer` begins after an id. */
export type Direction = { readonly to: 'older' } | { readonly to: 'newer'; readonly than: string };

export interface Walk {
  /** The servers, which get the requests in rotation. */
  readonly servers: readonly RunningApi[];
  readonly path: string;
  /** Filters, as in `status=created`; may be empty. */
  readonly query: string;
  readonly limit: number;
  readonly direction: Direction;
  /** True if no object ever stops fitting the filter. Then `has_more` must be exact. */
  readonly isSteady: boolean;
}

interface List {
  readonly has_more: boolean;
  readonly data: readonly { readonly id: string }[];
}

/** The limit for a list that does not end. */
const MAX_PAGES = 20_000;

/**
 * Returns the ids in the order of reading. Checks that each page is newest first and at most `limit`
 * long, that the order is strict across pages, and that the Link header matches the cursor.
 */
export async function walk(plan: Walk): Promise<string[]> {
  const { servers, path, limit, direction, isSteady } = plan;
  const isNewer = direction.to === 'newer';
  const name = isNewer ? 'ending_before' : 'starting_after';
  const params = new URLSearchParams(plan.query);
  params.set('limit', String(limit));
  if (isNewer) params.set(name, direction.than);
  const seen: string[] = isNewer ? [direction.than] : [];
  for (let page = 0; page < MAX_PAGES; page += 1) {
    const server = servers[page % servers.length]!;
    const reply = await server.send('GET', `${path}?${params}`);
    expect([reply.status, reply.text.slice(0, 200)]).toEqual([200, reply.text.slice(0, 200)]);
    const list = reply.json as List;
    const ids = list.data.map(({ id }) => id);
    expect(ids.length).toBeLessThanOrEqual(limit);
    if (list.has_more) expect(ids).toHaveLength(limit);
    if (page > 0 && isSteady) expect(ids).not.toHaveLength(0);
    if (isNewer) ids.reverse();
    expectOrder([...seen.slice(-1), ...ids], isNewer);
    seen.push(...ids);
    const { href, rel } = linkOf(reply.headers);
    if (!list.has_more) {
      expect(href).toBeUndefined();
      return isNewer ? seen.slice(1) : seen;
    }
    params.set(name, ids.at(-1) ?? '');
    expect([href, rel]).toEqual([
      `https://api.example${path}?${params}`,
      isNewer ? 'prev' : 'next',
    ]);
  }
  throw new Error(`${path}?${plan.query} does not end.`);
}

function expectOrder(ids: readonly string[], isRising: boolean): void {
  const sorted = [...new Set(ids)].toSorted();
  expect(ids).toEqual(isRising ? sorted : sorted.toReversed());
}

/** Follows only Link headers from that address. Returns the ids in the order of reading. */
export async function followLinks(server: RunningApi, address: string): Promise<string[]> {
  const seen: string[] = [];
  for (let next: string | undefined = address; next !== undefined;) {
    const reply = await server.send('GET', next);
    seen.push(...(reply.json as List).data.map(({ id }) => id));
    next = linkOf(reply.headers).href?.replace('https://api.example', '');
  }
  return seen;
}

function linkOf(headers: Headers): { href?: string | undefined; rel?: string | undefined } {
  const [, href, rel] = /^<([^>]+)>; rel="(\w+)"$/.exec(headers.get('link') ?? '') ?? [];
  return { href, rel };
}
