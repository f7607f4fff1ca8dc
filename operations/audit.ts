/** The audit: who did what, newest first. */
import { isId } from '../domain/id.ts';
import { listAudit } from '../store/audit.ts';
import { checkPage } from './checks.ts';
import type { PageOptions } from './checks.ts';
import { Refusal } from './refusal.ts';
import type { Services, Shown } from './services.ts';

export interface AuditOptions extends PageOptions {
  merchant?: string;
  /** The id of the object that was changed. */
  object?: string;
  since?: Date;
}

/** Returns a page of the audit. Throws `Refusal` for an invalid limit, merchant id or cursor. */
export async function showAudit(
  { mongo }: Pick<Services, 'mongo'>,
  options: AuditOptions,
): Promise<{ entries: Shown[]; has_more: boolean }> {
  const { merchant, object, since } = options;
  const page = checkPage('audit', options);
  if (merchant !== undefined && !isId('merchant', merchant)) {
    throw Refusal.ofParam('merchant', `${merchant} is not a merchant's id.`);
  }
  const query = { merchantId: merchant, objectId: object, since, ...page };
  const { rows, hasMore } = await listAudit(mongo, query);
  return { entries: rows.map(({ _id: id, ...entry }) => ({ id, ...entry })), has_more: hasMore };
}
