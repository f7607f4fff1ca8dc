/** Sends one batch of a replay: writes the next deliveries and starts them. */
import { batchSize, composeBatch } from '../domain/replay.ts';
import { forEach } from '../concurrency.ts';
import { endpointById } from '../store/endpoints.ts';
import { mintId } from '../store/mint.ts';
import type { Mongo } from '../store/mongo.ts';
import { findReplay, recordBatch, stopReplay } from '../store/replays.ts';
import { selectEvents } from '../store/selection.ts';
import type { Temporal } from '../temporal/client.ts';
import type { ReplayInput, SendReplayResult } from '../workflows/messages.ts';

/**
 * The number of deliveries that are started at once. Started one by one, a batch of 500 would
 * exceed the activity's timeout.
 */
const STARTS_AT_ONCE = 20;

interface ReplayDeps {
  mongo: Mongo;
  temporal: Pick<Temporal, 'startDelivery'>;
}

/**
 * Sends the next batch if it is due. Returns the time of the following batch, or 0 after the last.
 * Two concurrent runs send one batch. If a run dies before it has started its deliveries, the sweep
 * starts them.
 */
export async function sendReplay(deps: ReplayDeps, input: ReplayInput): Promise<SendReplayResult> {
  const { mongo, temporal } = deps;
  const replay = await findReplay(mongo, input.replay_id);
  if (!replay) return { status: 'missing', wake_at_ms: 0 };
  if (replay.status !== 'running') return { status: replay.status, wake_at_ms: 0 };
  const now = new Date();
  if (replay.due_at > now) return { status: 'running', wake_at_ms: replay.due_at.getTime() };
  const endpoint = await endpointById(mongo, replay.endpoint_id);
  if (endpoint?.status !== 'enabled') {
    await stopReplay(mongo, replay, { reason: 'endpoint_disabled', now });
    return { status: 'stopped', wake_at_ms: 0 };
  }
  const { eventIds, cursor, isEnd } = await selectEvents(mongo, replay, batchSize(replay));
  const ids = eventIds.map(() => mintId('delivery'));
  const { deliveries, dueAt } = composeBatch(replay, { ids, eventIds, now });
  const batch = { deliveries, cursor, isEnd, dueAt, now };
  if (!(await recordBatch(mongo, replay, batch))) {
    return { status: 'running', wake_at_ms: now.getTime() };
  }
  await forEach(deliveries, { atOnce: STARTS_AT_ONCE }, async (delivery) =>
    temporal.startDelivery(delivery._id, delivery.next_attempt_at, delivery),
  );
  return isEnd
    ? { status: 'completed', wake_at_ms: 0 }
    : { status: 'running', wake_at_ms: dueAt.getTime() };
}
