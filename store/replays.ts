/** Replays: the batches they make of what they send, and their end. */
import type { AuditEntry } from '../domain/audit.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Replay } from '../domain/replay.ts';
import { insertAudit } from './audit.ts';
import { insertDeliveries, stopDeliveriesOf } from './deliveries.ts';
import { dueFilter } from './due.ts';
import type { DueRange } from './due.ts';
import { duplicateOf } from './mongo.ts';
import type { Mongo } from './mongo.ts';

/** Inserts a replay; false when the endpoint has one that is running. */
export async function insertReplay(
  mongo: Mongo,
  replay: Replay,
  entry: AuditEntry,
): Promise<boolean> {
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

/** A replay by its id. */
export async function findReplay(mongo: Mongo, id: string): Promise<Replay | null> {
  return mongo.replays.findOne({ _id: id });
}

/** Whether what is left of a replay is not to be sent any more. */
export async function isStopped(mongo: Mongo, replayId: string): Promise<boolean> {
  const found = await mongo.replays.findOne({ _id: replayId }, { projection: { stopped_at: 1 } });
  return found?.stopped_at !== undefined;
}

/** The replay of an endpoint that is running, or null. */
export async function runningReplayOf(mongo: Mongo, endpointId: string): Promise<Replay | null> {
  return mongo.replays.findOne({ endpoint_id: endpointId, status: 'running' });
}

/** Running replays whose next batch should have gone before `before`. */
export async function overdueReplays(mongo: Mongo, range: DueRange): Promise<Replay[]> {
  const found = mongo.replays.find(dueFilter<Replay>({ status: 'running' }, 'due_at', range));
  return found.sort({ due_at: 1, _id: 1 }).limit(range.limit).toArray();
}

/**
 * Writes a batch and the place the replay has come to, in one transaction; whether it was written.
 * It is not when the replay was stopped, or another run has written this batch.
 */
export async function recordBatch(
  mongo: Mongo,
  replay: Replay,
  batch: { deliveries: Delivery[]; cursor: string | null; isEnd: boolean; dueAt: Date; now: Date },
): Promise<boolean> {
  const { deliveries, cursor, isEnd, dueAt, now } = batch;
  return mongo.transact(async (session) => {
    const written = await mongo.replays.updateOne(
      { _id: replay._id, status: 'running', cursor: replay.cursor, sent: replay.sent },
      {
        $set: {
          cursor,
          due_at: dueAt,
          updated_at: now,
          ...(isEnd ? { status: 'completed' as const } : {}),
        },
        $inc: { sent: deliveries.length },
      },
      { session },
    );
    if (written.modifiedCount === 0) return false;
    await insertDeliveries(mongo, session, deliveries);
    return true;
  });
}

/**
 * The reason why a replay ends: a person asked for it, with an audit entry, or its endpoint is
 * disabled.
 */
type StopCause =
  | { readonly reason: 'asked'; readonly now: Date; readonly entry: AuditEntry }
  | { readonly reason: 'endpoint_disabled'; readonly now: Date };

/**
 * Ends a running replay, and stops those of its deliveries that are still to be made, also of one
 * that has ended; answers how many were stopped. No batch is written after the first step; what a
 * process that dies has not come to is not sent either, since its activity looks at the replay.
 */
export async function stopReplay(
  mongo: Mongo,
  { _id, m, endpoint_id }: Replay,
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
  return stopDeliveriesOf(mongo, { m, _id: endpoint_id }, { replayId: _id });
}
