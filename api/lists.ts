/** Lists: newest first, in pages, with an id as the cursor (docs/guides/lists.md). */
import { setImmediate as yieldToOthers } from 'node:timers/promises';
import { cursorExists, readPage } from '../store/page.ts';
import type { Page, Row, Rows } from '../store/page.ts';
import { Refusal } from '../operations/refusal.ts';
import type { Call, Reply } from './call.ts';
import { parseListQuery } from './query.ts';
import type { ListQuery, ListSpec } from './query.ts';

interface List<T extends Row> {
  readonly spec: ListSpec;
  readonly collection: Rows<T>;
  /** Conditions on every page, besides the tenant. */
  readonly always?: Readonly<Record<string, unknown>>;
  /** Returns the row as its JSON text. */
  readonly render: (row: T) => Promise<string> | string;
}

/** The number of rows that are rendered at once. Other requests are served in between. */
const ROWS_AT_ONCE = 10;

/** Returns the page that the query string asks for. */
export async function replyWithPage<T extends Row>(call: Call, list: List<T>): Promise<Reply> {
  const { spec, collection, always, render } = list;
  const { tenant } = call.caller;
  const query = parseListQuery(spec, call.query);
  const cursors = { starting_after: query.startingAfter, ending_before: query.endingBefore };
  for (const [param, id] of Object.entries(cursors)) {
    if (id !== undefined && !(await cursorExists(collection, tenant, id))) {
      throw new Refusal('cursor_invalid', { param });
    }
  }
  const page = await readPage(collection, {
    ...query,
    filter: { m: tenant, ...query.filter, ...always },
  });
  const link = linkOf(call, { spec, query, page });
  const texts: string[] = [];
  for (let i = 0; i < page.rows.length; i += ROWS_AT_ONCE) {
    if (i > 0) await yieldToOthers();
    const rows = page.rows.slice(i, i + ROWS_AT_ONCE);
    texts.push(...(await Promise.all(rows.map(async (row) => render(row)))));
  }
  const text = listText(spec.path, texts, page.hasMore);
  return { status: 200, text, headers: link === undefined ? {} : { Link: link } };
}

/** Joins the list object as text, because events must keep the bytes that were delivered. */
export function listText(path: string, texts: readonly string[], hasMore: boolean): string {
  const url = JSON.stringify(path);
  return `{"object":"list","url":${url},"has_more":${hasMore},"data":[${texts.join(',')}]}`;
}

/** Returns the link to the next page in the same direction; undefined on the last page. */
function linkOf<T extends Row>(
  { api, query: sent }: Call,
  { spec, query, page }: { spec: ListSpec; query: ListQuery; page: Page<T> },
): string | undefined {
  const isForward = query.endingBefore !== undefined;
  const edge = isForward ? page.rows.at(0) : page.rows.at(-1);
  if (!page.hasMore || !edge) return undefined;
  const params = new URLSearchParams(sent);
  params.set(isForward ? 'ending_before' : 'starting_after', edge._id);
  return `<${api.apiUrl}${spec.path}?${params}>; rel="${isForward ? 'prev' : 'next'}"`;
}
