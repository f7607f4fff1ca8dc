/** The activities of deliveries, which are no part of a workflow. */
import { ActivityNotFoundError } from '@temporalio/client';
import type { ActivityExecutionDescription, Client } from '@temporalio/client';
import type { Delivery } from '../domain/delivery.ts';
import { DELIVER_ACTIVITY, WEBHOOKS_QUEUE } from '../workflows/messages.ts';
import type { DeliverInput } from '../workflows/messages.ts';
import { deliveryAttributes } from './attributes.ts';
import { deliveryOptions, hasEnded } from './limits.ts';

/** Longer than the gate turns a delivery away without a note in its row. */
const LONG_SLEEP_MS = 60_000;

interface DeliveryOptions {
  readonly idPrefix: string;
  readonly queueSuffix: string;
  readonly webhookTimeoutMs: number;
  /** Returns false if search attributes cannot be used. */
  readonly showsAttributes: () => boolean;
}

/** The part of a delivery's row that Temporal shows. */
export type About = Pick<Delivery, 'm' | 'endpoint_id'>;

/** Creates the calls about deliveries, without time limits. */
export function makeDeliveries({ activity }: Client, options: DeliveryOptions) {
  const { idPrefix, queueSuffix, webhookTimeoutMs, showsAttributes } = options;

  /**
   * Starts the activity of a delivery, or leaves it alone if it is under way. If `at` is past, it
   * replaces a run that sleeps for long: such a run knows a later state than a restored database.
   */
  async function start(deliveryId: string, at?: Date | null, about?: About): Promise<void> {
    if (at && at.getTime() < Date.now()) {
      await endSleep({ activity }, idPrefix + deliveryId, LONG_SLEEP_MS);
    }
    await activity.start(DELIVER_ACTIVITY, {
      id: idPrefix + deliveryId,
      taskQueue: WEBHOOKS_QUEUE + queueSuffix,
      args: [{ delivery_id: deliveryId }] satisfies [DeliverInput],
      ...(about ? { summary: `To ${about.endpoint_id}` } : {}),
      ...(about && showsAttributes() ? { typedSearchAttributes: deliveryAttributes(about) } : {}),
      ...deliveryOptions(webhookTimeoutMs, at),
    });
  }

  return {
    start,
    /** Replaces a run that sleeps until its next attempt by one that starts now. */
    async hasten(deliveryId: string, about: About): Promise<void> {
      await endSleep({ activity }, idPrefix + deliveryId, 0);
      await start(deliveryId, null, about);
    },
  };
}

/**
 * Terminates the run of an activity that sleeps until its next attempt, for longer than `beyondMs`.
 * Leaves a run alone that makes an attempt now, or only waits for a worker.
 */
async function endSleep(
  { activity }: Pick<Client, 'activity'>,
  activityId: string,
  beyondMs: number,
): Promise<void> {
  try {
    const run = await activity.getHandle(activityId).describe();
    if (!isAsleep(run, beyondMs)) return;
    // By its run id: another caller may have replaced it meanwhile.
    await activity.getHandle(activityId, run.activityRunId).terminate('Its attempt is made now.');
  } catch (error) {
    // Nothing was started, or the run has ended meanwhile.
    if (!(error instanceof ActivityNotFoundError) && !hasEnded(error)) throw error;
  }
}

function isAsleep(run: ActivityExecutionDescription, beyondMs: number): boolean {
  // An operator may have paused it.
  if (run.status !== 'RUNNING' || run.runState !== 'SCHEDULED') return false;
  const delayed = (run.scheduleTime?.getTime() ?? 0) + (run.startDelayMs ?? 0);
  const dueMs = run.nextAttemptScheduleTime?.getTime() ?? delayed;
  return dueMs > Date.now() + beyondMs;
}
