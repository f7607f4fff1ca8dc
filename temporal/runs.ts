/** Runs of workflows: their options, and the termination of broken ones. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client, WorkflowStartOptions } from '@temporalio/client';
import type { Payment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import type { Log } from '../log.ts';
import { PAYMENTS_QUEUE } from '../workflows/messages.ts';
import type { PaymentInput, RefundInput } from '../workflows/messages.ts';
import {
  paymentAttributes,
  paymentSummary,
  refundAttributes,
  refundSummary,
} from './attributes.ts';

/**
 * Errors that fail a run, for the worker of the payments queue. A run whose history does not fit
 * the deployed code would otherwise retry its task for ever. A new run replaces it and needs only
 * its id, because MongoDB holds the rest.
 */
export const FAILING_ERRORS = { '*': ['NondeterminismError', 'DeterminismViolationError'] };

/** The options that all runs share. */
const RUN_POLICIES = {
  /** After this time (ms) another worker gets the task. */
  workflowTaskTimeout: 5_000,
  // Only MongoDB decides what is final. A closed run must never block a payment.
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  workflowIdConflictPolicy: 'USE_EXISTING',
  /** A failed run is replaced at once, because a customer may be waiting. */
  retry: { initialInterval: 1_000, maximumInterval: 60_000 },
} as const;

interface RunNames {
  readonly idPrefix: string;
  readonly queueSuffix: string;
  /** Returns false if search attributes cannot be used. */
  readonly showsAttributes: () => boolean;
}

/** Creates the functions that return the options with which a run starts. */
export function makeRunOptions({ idPrefix, queueSuffix, showsAttributes }: RunNames) {
  const run = (id: string) =>
    ({
      workflowId: idPrefix + id,
      taskQueue: PAYMENTS_QUEUE + queueSuffix,
      ...RUN_POLICIES,
    }) satisfies Omit<WorkflowStartOptions, 'args'>;
  return {
    run,
    payment: (payment: Payment) =>
      ({
        ...run(payment._id),
        staticSummary: paymentSummary(payment),
        args: [{ payment_id: payment._id }] satisfies [PaymentInput],
        ...(showsAttributes() ? { typedSearchAttributes: paymentAttributes(payment) } : {}),
      }) satisfies WorkflowStartOptions,
    refund: (refund: Refund) =>
      ({
        ...run(refund._id),
        staticSummary: refundSummary(refund),
        args: [{ refund_id: refund._id }] satisfies [RefundInput],
        ...(showsAttributes() ? { typedSearchAttributes: refundAttributes(refund) } : {}),
      }) satisfies WorkflowStartOptions,
  };
}

/** From this attempt on, a workflow task counts as broken. It has failed at least once. */
const HOPELESS_ATTEMPTS = 2;

/**
 * Returns whether the workflow has a task or an activity under way, or waits for a worker.
 *
 * A run whose workflow task keeps failing is terminated first, so that the caller can start a new
 * one. Not every mismatch between history and code is one of `FAILING_ERRORS`. A moved timer, for
 * example, breaks the replay itself, and Temporal would retry the task for ever. Terminating a run
 * that was only slow does no harm, because a new run finds everything in MongoDB.
 */
export async function isAtWork(
  { workflow }: Client,
  { workflowId, log }: { workflowId: string; log: Log },
): Promise<boolean> {
  try {
    const { raw, runId, status } = await workflow.getHandle(workflowId).describe();
    // A terminated run still reports the task that it had.
    if (status.name !== 'RUNNING') return false;
    const attempt = raw.pendingWorkflowTask?.attempt ?? 0;
    if (attempt >= HOPELESS_ATTEMPTS) {
      await workflow.getHandle(workflowId, runId).terminate('Its workflow task keeps failing.');
      log.warn(
        { workflow_id: workflowId, attempt },
        'a workflow run that kept failing was terminated',
      );
      return false;
    }
    return Boolean(raw.pendingWorkflowTask) || (raw.pendingActivities?.length ?? 0) > 0;
  } catch (error) {
    if (error instanceof WorkflowNotFoundError) return false;
    throw error;
  }
}
