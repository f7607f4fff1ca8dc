/**
 * A replay sends a set of events to one endpoint again, at a limited rate, until it is through or
 * somebody stops it. Its row owns the place it has come to, so any worker can go on with it.
 */
import type { DeliveryState, DeliveryTrigger } from './delivery.ts';
import { newDelivery } from './delivery.ts';
import type { Delivery } from './delivery.ts';
import type { EventType } from './event.ts';

/** What may be sent again in a body: a pending delivery is on its way, a succeeded one has arrived. */
export const REPEATABLE_STATES = ['failed', 'skipped', 'stopped'] as const;
export type RepeatableState = (typeof REPEATABLE_STATES)[number];

export type ReplaySelection =
  /** What the endpoint has not accepted: its deliveries in these states, each event once. */
  | { readonly kind: 'deliveries'; readonly states: readonly RepeatableState[] }
  /** Events of these types, whether or not the endpoint has accepted them before. */
  | {
      readonly kind: 'events';
      readonly types: readonly EventType[];
      /** Of one payment; null for all. */
      readonly payment_id: string | null;
      /** These alone; null for all. */
      readonly ids: readonly string[] | null;
    };

const REPLAY_STATUSES = ['running', 'completed', 'stopped'] as const;
export type ReplayStatus = (typeof REPLAY_STATUSES)[number];

export interface Replay {
  _id: string;
  m: string;
  endpoint_id: string;
  selection: ReplaySelection;
  /** The stretch of creation times that is looked at: not before `from`, earlier than `until`. */
  from: Date;
  until: Date;
  /** Deliveries that are begun in a second. */
  per_second: number;
  status: ReplayStatus;
  /** Why it was stopped: somebody wanted it, or its endpoint takes nothing any more. */
  stopped_reason: 'asked' | 'endpoint_disabled' | null;
  /** From when on none of its deliveries is sent; absent while they are, also after its end. */
  stopped_at?: Date;
  /** Events that were to be sent when it was counted, and those that have been handed over. */
  total: number;
  sent: number;
  /** The last row that was looked at; null before the first. */
  cursor: string | null;
  /** When the next batch may go. */
  due_at: Date;
  created_at: Date;
  updated_at: Date;
}

/** Ten a second are nothing to a receiver that works, and 36,000 in an hour. */
export const DEFAULT_PER_SECOND = 10;
export const MAX_PER_SECOND = 100;
/** A batch lasts for so long: how soon a stop is noticed, and how long a history grows. */
const BATCH_SECONDS = 5;
/** Events that can be named one by one. */
export const MAX_REPLAY_IDS = 100;

/** Deliveries in one batch. */
export function batchSize({ per_second: perSecond }: Pick<Replay, 'per_second'>): number {
  return perSecond * BATCH_SECONDS;
}

/** Whether a delivery in that state leaves nothing to send again of its event. */
export function isTaken(state: DeliveryState): boolean {
  return state === 'succeeded' || state === 'pending';
}

/**
 * The deliveries of a batch, evenly apart from `now` on, and when the next batch may go. `ids` are
 * the new deliveries' and `eventIds` what they carry.
 */
export function composeBatch(
  replay: Replay,
  { ids, eventIds, now }: { ids: readonly string[]; eventIds: readonly string[]; now: Date },
): { deliveries: Delivery[]; dueAt: Date } {
  const trigger: DeliveryTrigger = replay.selection.kind === 'events' ? 'replay' : 'manual';
  const at = (index: number): Date => new Date(now.getTime() + (index * 1000) / replay.per_second);
  const { m, endpoint_id: endpointId, _id } = replay;
  const deliveries = eventIds.map((eventId, index) => {
    const id = ids[index] ?? '';
    const made = newDelivery({ id, m, endpointId, eventId, state: 'pending', trigger, now });
    return { ...made, next_attempt_at: at(index), replay_id: _id };
  });
  return { deliveries, dueAt: at(eventIds.length) };
}
