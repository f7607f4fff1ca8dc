/**
 * The audit. Entries are inserted and listed, never updated or deleted. No other file uses the
 * collection (`test/tidy.test.ts`).
 */
import type { AuditEntry } from '../domain/audit.ts';
import { firstIdAt } from '../domain/id.ts';
import type { Mongo, Session } from './mongo.ts';
import { readAnyPage } from './page.ts';
import type { AnyPageQuery, Page } from './page.ts';

interface AuditQuery extends Pick<AnyPageQuery, 'limit' | 'startingAfter'> {
  readonly merchantId?: string | undefined;
  readonly objectId?: string | undefined;
  /** The ids of several objects, in place of `objectId`. */
  readonly objectIds?: readonly string[];
  readonly since?: Date | undefined;
}

/** Inserts entries in the transaction of their act, so neither exists without the other. */
export async function insertAudit(
  mongo: Mongo,
  session: Session,
  ...entries: readonly AuditEntry[]
): Promise<void> {
  for (const entry of entries) {
    await mongo.auditEntries.insertOne(entry, { session });
  }
}

/** Inserts the entry of an act that has no transaction of its own, before the act. */
export async function recordAct(mongo: Mongo, entry: AuditEntry): Promise<void> {
  await mongo.transact(async (session) => insertAudit(mongo, session, entry));
}

/** Returns a page of entries, newest first. */
export async function listAudit(mongo: Mongo, query: AuditQuery): Promise<Page<AuditEntry>> {
  const { merchantId, objectId, objectIds, since, limit, startingAfter } = query;
  // The object first: the MongoDB stand-in uses the index of the first field.
  const filter = {
    ...(objectId === undefined ? {} : { 'object.id': objectId }),
    ...(objectIds === undefined ? {} : { 'object.id': { $in: [...objectIds] } }),
    ...(merchantId === undefined ? {} : { merchant_id: merchantId }),
  };
  const from = since && firstIdAt('audit', since.getTime());
  return readAnyPage(mongo.auditEntries, { filter, limit, startingAfter, ids: { from } });
}
