/** Builders and readers of audit entries. */
import { composeEntry } from '../../domain/audit.ts';
import type { Act, Actor, AuditEntry } from '../../domain/audit.ts';
import { mintId } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';

export const ACTOR: Actor = { type: 'operator', name: 'ann@till' };

export function makeEntry(act: Partial<Act> = {}, id = mintId('audit')): AuditEntry {
  const whole = { action: 'endpoint.update', objectId: 'we_1', merchantId: 'mer_1', ...act };
  return composeEntry(whole as Act, { id, actor: ACTOR });
}

/** Returns the audit entries about an object, oldest first. */
export async function entriesAbout(mongo: Mongo, objectId: unknown): Promise<AuditEntry[]> {
  const found = mongo.auditEntries.find({ 'object.id': String(objectId) });
  return found.sort({ _id: 1 }).toArray();
}

/** Runs `during` while every insertion into the audit fails. */
export async function withoutAudit<T>(mongo: Mongo, during: () => Promise<T>): Promise<T> {
  mongo.auditEntries.insertOne = () => Promise.reject(new Error('The audit cannot be written.'));
  try {
    return await during();
  } finally {
    Reflect.deleteProperty(mongo.auditEntries, 'insertOne');
  }
}
