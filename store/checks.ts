/** The last check of each endpoint's receiver. The row is also a lock: one check runs at a time. */
import type { AuditEntry } from '../domain/audit.ts';
import type { Check, CheckReport } from '../domain/check.ts';
import { insertAudit } from './audit.ts';
import { duplicateOf } from './mongo.ts';
import type { Mongo } from './mongo.ts';

/** Begins a run at `now`. Returns false, and writes nothing, if another one is under way. */
export async function beginCheck(
  mongo: Mongo,
  { now, ...check }: Omit<Check, 'report'> & { readonly now: Date },
  entry: AuditEntry,
): Promise<boolean> {
  const { _id, ...fields } = check;
  try {
    await mongo.transact(async (session) => {
      // While another run is under way, this finds nothing, and inserts a duplicate.
      const free = { _id, busy_until: { $lte: now } };
      await mongo.checks.updateOne(free, { $set: fields }, { upsert: true, session });
      await insertAudit(mongo, session, entry);
    });
    return true;
  } catch (error) {
    if (duplicateOf(error) !== '_id') throw error;
    return false;
  }
}

/** Ends a run at `now`, unless a later one has begun. Without a report, the former one stays. */
export async function endCheck(
  mongo: Mongo,
  { _id, run }: Pick<Check, '_id' | 'run'>,
  { now, report }: { readonly now: Date; readonly report?: CheckReport | undefined },
): Promise<void> {
  const ended = { busy_until: now, ...(report && { report }) };
  await mongo.checks.updateOne({ _id, run }, { $set: ended });
}

/** Returns the last check of the tenant's endpoint, or null. */
export async function findCheck(mongo: Mongo, { m, _id }: Pick<Check, 'm' | '_id'>) {
  return mongo.checks.findOne({ _id, m });
}
