/**
 * A replay sends a set of events to one endpoint again, at a limited rate, until its end or until
 * someone stops it. Its row has the cursor, so any worker can continue it.
 */
import { newDelivery } from './delivery.ts';
import type { Delivery, DeliveryState } from './delivery.ts';
import type { EventType } from './event.ts';
import type { TenantRow } from './merchant.ts';

/** The states of deliveries that a replay can repeat. */
export const REPEATABLE_STATES = ['failed', 'skipped', 'stopped'] as const;
export type RepeatableState = (typeof REPEATABLE_STATES)[number];

export type ReplaySelection =
  /** Events that the endpoint has not accepted and that have a delivery in one of these states. */
  | { readonly kind: 'deliveries'; readonly states: readonly RepeatableState[] }
  /** Events of these types, even if the endpoint has accepted them before. */
  | {
      readonly kind: 'events';
      readonly types: readonly EventType[];
      /** Null for events of all payments. */
      readonly payment_id: string | null;
      /** Null for all events. */
      readonly ids: readonly string[] | null;
    };

export type ReplayStatus = 'running' | 'completed' | 'stopped';

export interface Replay extends TenantRow {
  _id: string;
  endpoint_id: string;
  selection: ReplaySelection;
  /** The earliest creation time of the selected rows. */
  from: Date;
  /** The creation times of the selected rows are earlier than this. */
  until: Date;
  /** Deliveries to start in a second. */
  per_second: number;
  status: ReplayStatus;
  /** `asked`: a person stopped it. */
  stopped_reason: 'asked' | 'endpoint_disabled' | null;
  /** Set when the replay is stopped, even after its end. No delivery is sent after this time. */
  stopped_at?: Date;
  /** The number of events that were selected at the start. */
  total: number;
  /** The number of deliveries created so far. */
  sent: number;
  /** The id of the last row that was read; null before the first. */
  cursor: string | null;
  /** When the next batch may be created. */
  due_at: Date;
  created_at: Date;
  updated_at: Date;
}

/** A rate that any working receiver can take: 36,000 deliveries in an hour. */
export const DEFAULT_PER_SECOND = 10;
export const MAX_PER_SECOND = 100;
/** The length of a batch: a shorter one notices a stop sooner, a longer one costs less. */
const BATCH_SECONDS = 5;
/** The most events that can be selected by id. */
export const MAX_REPLAY_IDS = 100;

/** Returns the number of deliveries in a batch. */
export function batchSize({ per_second: perSecond }: Pick<Replay, 'per_second'>): number {
  return perSecond * BATCH_SECONDS;
}

/** Returns true if a delivery in that state makes another of its event unnecessary. */
export function isTaken(state: DeliveryState): boolean {
  return state === 'succeeded' || state === 'pending';
}

/**
 * Returns the deliveries of a batch, evenly spaced from `now` on, and the time of the next batch.
 * `ids` are the ids of the new deliveries.
 */
export function composeBatch(
  replay: Replay,
  { ids, eventIds, now }: { ids: readonly string[]; eventIds: readonly string[]; now: Date },
): { deliveries: Delivery[]; dueAt: Date } {
  const trigger = replay.selection.kind === 'events' ? 'replay' : 'manual';
  const at = (index: number): Date => new Date(now.getTime() + (index * 1000) / replay.per_second);
  const { m: tenant, endpoint_id: endpointId, _id } = replay;
  const deliveries = eventIds.map((eventId, index) => {
    const id = ids[index] ?? '';
    const row = newDelivery({ id, tenant, endpointId, eventId, state: 'pending', trigger, now });
    return { ...row, next_attempt_at: at(index), replay_id: _id };
  });
  return { deliveries, dueAt: at(eventIds.length) };
}
