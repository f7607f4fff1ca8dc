/** Lists: newest first, in pages, with an id as the cursor (docs/guides/lists.md). */
import { setImmediate as nextTurn } from 'node:timers/promises';
import { cursorExists, readPage } from '../store/page.ts';
import type { Page, Row, Rows } from '../store/page.ts';
import type { Answer, Call } from './call.ts';
import { Refusal } from '../operations/refusal.ts';
import { parseListQuery } from './query.ts';
import type { ListQuery, ListSpec } from './query.ts';

export interface List<T extends Row> {
  readonly spec: ListSpec;
  readonly collection: Rows<T>;
  /** What every page of it is limited to, besides the merchant. */
  readonly always?: Readonly<Record<string, unknown>>;
  /** Each row as its JSON text. */
  readonly render: (rows: T[]) => Promise<string[]> | string[];
}

/** Rows that are rendered at once. Other requests are served before the next ones. */
const ROWS_AT_ONCE = 10;

/** The page that the query string asks for. */
export async function answerList<T extends Row>(call: Call, list: List<T>): Promise<Answer> {
  const { spec, collection, always, render } = list;
  const { m } = call.caller;
  const query = parseListQuery(spec, call.query);
  for (const name of ['startingAfter', 'endingBefore'] as const) {
    const id = query[name];
    if (id === undefined || (await cursorExists(collection, m, id))) continue;
    const param = name === 'startingAfter' ? 'starting_after' : 'ending_before';
    throw new Refusal('cursor_invalid', { param });
  }
  const page = await readPage(collection, { ...query, filter: { m, ...query.filter, ...always } });
  const link = linkOf(call, { spec, query, page });
  const texts: string[] = [];
  for (let i = 0; i < page.rows.length; i += ROWS_AT_ONCE) {
    if (i > 0) await nextTurn();
    texts.push(...(await render(page.rows.slice(i, i + ROWS_AT_ONCE))));
  }
  const text = listText(spec.path, texts, page.hasMore);
  return { status: 200, text, headers: link === undefined ? {} : { Link: link } };
}

/** The list object, put together as text: events go in as the bytes that were delivered. */
export function listText(path: string, texts: readonly string[], hasMore: boolean): string {
  const url = JSON.stringify(path);
  return `{"object":"list","url":${url},"has_more":${hasMore},"data":[${texts.join(',')}]}`;
}

/** Where reading goes on in the same direction; undefined at its end. */
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
