/** Requests to the API. They are written in batches, and deleted by their age. */
import { CALL_KEPT_MS, tagOf } from '../domain/call.ts';
import type { Call, CallFilter } from '../domain/call.ts';
import { firstIdAt } from '../domain/id.ts';
import type { Mongo } from './mongo.ts';
import { readPage } from './page.ts';
import type { Page } from './page.ts';

/**
 * Inserts requests. Waits for one server only, and goes on after a row that is refused: a lost row
 * costs nothing but its place in a list.
 */
export async function insertCalls(mongo: Mongo, calls: Call[]): Promise<void> {
  await mongo.calls.insertMany(calls, { ordered: false, writeConcern: { w: 1, journal: false } });
}

/** Returns a page of a tenant's requests of the last days, newest first. */
export async function listCalls(
  mongo: Mongo,
  tenant: string,
  page: CallFilter & { limit: number; startingAfter?: string | undefined; now: Date },
): Promise<Page<Call>> {
  const { limit, startingAfter, now } = page;
  const from = firstIdAt('request', now.getTime() - CALL_KEPT_MS);
  const filter = { m: tenant, tags: tagOf(page) };
  return readPage(mongo.calls, { filter, limit, startingAfter, ids: { from } });
}

/** Returns a tenant's request. */
export async function findCall(mongo: Mongo, tenant: string, id: string): Promise<Call | null> {
  return mongo.calls.findOne({ _id: id, m: tenant });
}

/** Returns the keys of a tenant's requests that are still kept: key ids by request ids. */
export async function keysOfCalls(mongo: Mongo, tenant: string, ids: readonly string[]) {
  const named = { _id: { $in: [...new Set(ids)] }, m: tenant };
  const fields = { projection: { key_id: 1 } } as const;
  const rows = ids.length === 0 ? [] : await mongo.calls.find(named, fields).toArray();
  return new Map(rows.map(({ _id, key_id }) => [_id, key_id]));
}
