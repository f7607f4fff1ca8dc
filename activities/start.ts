/** Starts the activities of deliveries whose rows are written. */
import type { Delivery } from '../domain/delivery.ts';
import { RECORDED_FROM_MS } from '../outbound/gate.ts';
import type { Gate } from '../outbound/gate.ts';
import { postponeDelivery } from '../store/deliveries.ts';
import type { Mongo } from '../store/mongo.ts';
import type { Temporal } from '../temporal/client.ts';

export interface StartDeps {
  mongo: Mongo;
  temporal: Pick<Temporal, 'startDelivery'>;
  /** The gate of this worker process. It knows which receivers are too busy now. */
  gate?: Pick<Gate, 'foresee'>;
}

/** Starts deliveries that may not have been started. Leaves those under way as they are. */
export async function resumeDeliveries(
  { temporal }: Pick<StartDeps, 'temporal'>,
  deliveries: readonly Delivery[],
): Promise<void> {
  const start = async (delivery: Delivery): Promise<void> => {
    const { _id, next_attempt_at: at } = delivery;
    await temporal.startDelivery(_id, at && at > new Date() ? at : null, delivery);
  };
  await Promise.all(deliveries.map(start));
}

/**
 * Starts the activity of each new delivery. If its receiver is too busy, the activity starts later,
 * and the row records that time.
 */
export async function startDeliveries(
  { mongo, temporal, gate }: StartDeps,
  deliveries: readonly Delivery[],
): Promise<void> {
  const start = async (delivery: Delivery): Promise<void> => {
    const wait = gate?.foresee({ _id: delivery.endpoint_id, m: delivery.m }) ?? null;
    const at = wait && new Date(Date.now() + wait.waitMs);
    if (at && wait.waitMs >= RECORDED_FROM_MS) await postponeDelivery(mongo, delivery, at);
    await temporal.startDelivery(delivery._id, at, delivery);
  };
  await Promise.all(deliveries.map(start));
}
