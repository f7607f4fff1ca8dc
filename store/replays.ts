/** Replays, their batches and their end. */
import type { AuditEntry } from '../domain/audit.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Replay } from '../domain/replay.ts';
import { insertAudit } from './audit.ts';
import { insertDeliveries, stopDeliveriesOf } from './deliveries.ts';
import { findDue } from './due.ts';
import type { DueRange } from './due.ts';
import { duplicateOf } from './mongo.ts';
import type { Mongo } from './mongo.ts';

/** Inserts a replay. Returns false if the endpoint has a running one. */
export async function insertReplay(mongo: Mongo, replay: Replay, entry: AuditEntry) {
  try {
    await mongo.transact(async (session) => {
      await mongo.replays.insertOne(replay, { session });
      await insertAudit(mongo, session, entry);
    });
    return true;
  } catch (error) {
    if (duplicateOf(error) !== 'endpoint_id') throw error;
    return false;
  }
}

export async function findReplay(mongo: Mongo, id: string): Promise<Replay | null> {
  return mongo.replays.findOne({ _id: id });
}

/** Returns true if the replay was stopped, so its pending deliveries must not be sent. */
export async function isStopped(mongo: Mongo, replayId: string): Promise<boolean> {
  const found = await mongo.replays.findOne({ _id: replayId }, { projection: { stopped_at: 1 } });
  return found?.stopped_at !== undefined;
}

/** Returns the running replay of an endpoint, or null. */
export async function runningReplayOf(mongo: Mongo, endpointId: string): Promise<Replay | null> {
  return mongo.replays.findOne({ endpoint_id: endpointId, status: 'running' });
}

/** Returns running replays whose next batch is overdue, oldest first. */
export async function overdueReplays(mongo: Mongo, range: DueRange): Promise<Replay[]> {
  return findDue(mongo.replays, { status: 'running' }, range).toArray();
}

/**
 * Writes a batch and the new cursor of the replay, in one transaction. Returns false if the replay
 * was stopped, or another run has written this batch.
 */
export async function recordBatch(
  mongo: Mongo,
  replay: Replay,
  batch: { deliveries: Delivery[]; cursor: string | null; isEnd: boolean; dueAt: Date; now: Date },
): Promise<boolean> {
  const { deliveries, cursor, isEnd, dueAt, now } = batch;
  const status = isEnd ? 'completed' : 'running';
  return mongo.transact(async (session) => {
    const written = await mongo.replays.updateOne(
      { _id: replay._id, status: 'running', cursor: replay.cursor, sent: replay.sent },
      {
        $set: { cursor, due_at: dueAt, updated_at: now, status },
        $inc: { sent: deliveries.length },
      },
      { session },
    );
    if (written.modifiedCount === 0) return false;
    await insertDeliveries(mongo, session, deliveries);
    return true;
  });
}

/** A person stops a replay, with an audit entry, or it ends because its endpoint is disabled. */
type StopCause =
  | { readonly reason: 'asked'; readonly now: Date; readonly entry: AuditEntry }
  | { readonly reason: 'endpoint_disabled'; readonly now: Date };

/**
 * Stops a replay and its pending deliveries, even if it has ended. Returns the number of deliveries
 * that were stopped. If the process dies before all are stopped, the rest are not sent either:
 * their activity checks the replay.
 */
export async function stopReplay(
  mongo: Mongo,
  { _id, m: tenant, endpoint_id }: Replay,
  cause: StopCause,
): Promise<number> {
  const { reason, now } = cause;
  await mongo.transact(async (session) => {
    const running = await mongo.replays.updateOne(
      { _id, status: 'running' },
      { $set: { status: 'stopped', stopped_reason: reason, stopped_at: now, updated_at: now } },
      { session },
    );
    const ended = await mongo.replays.updateOne(
      { _id, stopped_at: { $exists: false } },
      { $set: { stopped_at: now } },
      { session },
    );
    const isChanged = running.modifiedCount + ended.modifiedCount > 0;
    if (isChanged && cause.reason === 'asked') await insertAudit(mongo, session, cause.entry);
  });
  return stopDeliveriesOf(mongo, { m: tenant, _id: endpoint_id }, { replayId: _id });
}
