/** The audit, for people: who did what, newest first. */
import type { AuditEntry } from '../domain/audit.ts';
import { isId } from '../domain/id.ts';
import { listAudit } from '../store/audit.ts';
import { Refusal } from './refusal.ts';
import type { Services, Shown } from './services.ts';

const MAX_LIMIT = 100;

export interface AuditOptions {
  merchant?: string;
  /** The id of the object of the acts. */
  object?: string;
  since?: Date;
  limit: string;
  startingAfter?: string;
}

/** Returns a page of the audit. Throws `Refusal` for an invalid limit, merchant id or cursor. */
export async function showAudit(
  { mongo }: Pick<Services, 'mongo'>,
  options: AuditOptions,
): Promise<{ entries: Shown[]; has_more: boolean }> {
  const { merchant, object, since, startingAfter } = options;
  const limit = Number(options.limit);
  if (!Number.isInteger(limit) || limit < 1 || limit > MAX_LIMIT) {
    throw new Refusal('limit_out_of_range', {
      message: `limit must be from 1 to ${MAX_LIMIT}.`,
      param: 'limit',
    });
  }
  if (merchant !== undefined && !isId('merchant', merchant)) {
    throw new Refusal('parameter_invalid', {
      message: `${merchant} is not a merchant's id.`,
      param: 'merchant',
    });
  }
  if (startingAfter !== undefined && !isId('audit', startingAfter)) {
    const message = 'starting-after is not the id of an audit entry.';
    throw new Refusal('cursor_invalid', { message, param: 'starting-after' });
  }
  const query = { merchantId: merchant, objectId: object, since, limit, startingAfter };
  const { rows, hasMore } = await listAudit(mongo, query);
  return { entries: rows.map(show), has_more: hasMore };
}

function show({ _id: id, ...entry }: AuditEntry): Shown {
  return { id, ...entry };
}
