/**
 * The audit, which only grows: entries are inserted and listed here. Nothing updates or deletes
 * them, and no other file uses the collection (`test/tidy.test.ts`).
 */
import type { AuditEntry } from '../domain/audit.ts';
import { firstIdAt } from '../domain/id.ts';
import type { Mongo, Session } from './mongo.ts';
import { readAnyPage } from './page.ts';
import type { Page } from './page.ts';

export interface AuditQuery {
  readonly merchantId?: string | undefined;
  /** The id of the object of the acts. */
  readonly objectId?: string | undefined;
  /** The earliest time of an entry. */
  readonly since?: Date | undefined;
  /** Entries in a page, 1 to 100. */
  readonly limit: number;
  /** The last entry of the previous page. */
  readonly startingAfter?: string | undefined;
}

/** Inserts an entry in the transaction of its act, so neither exists without the other. */
export async function insertAudit(
  mongo: Mongo,
  session: Session,
  entry: AuditEntry,
): Promise<void> {
  await mongo.auditEntries.insertOne(entry, { session });
}

/** Returns a page of entries, newest first. */
export async function listAudit(mongo: Mongo, query: AuditQuery): Promise<Page<AuditEntry>> {
  const { merchantId, objectId, since, limit, startingAfter } = query;
  const filter = {
    ...(merchantId === undefined ? {} : { merchant_id: merchantId }),
    ...(objectId === undefined ? {} : { 'object.id': objectId }),
  };
  const from = since && firstIdAt('audit', since.getTime());
  return readAnyPage(mongo.auditEntries, { filter, limit, startingAfter, ids: { from } });
}
