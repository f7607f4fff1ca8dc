/** Runs of workflows: their options, and the termination of broken ones. */
import { WorkflowNotFoundError } from '@temporalio/client';
import type { Client } from '@temporalio/client';
import type { Log } from '../log.ts';

/**
 * Errors that fail a run, for the worker of the payments queue. A run whose history does not fit
 * the deployed code would otherwise retry its task for ever. A new run replaces it and needs only
 * its id, because MongoDB holds the rest.
 */
export const FAILING_ERRORS = { '*': ['NondeterminismError', 'DeterminismViolationError'] };

/** The options that all runs share. */
export const RUN_POLICIES = {
  /** After this time (ms) another worker gets the task. */
  workflowTaskTimeout: 5_000,
  // Only MongoDB decides what is final. A closed run must never block a payment.
  workflowIdReusePolicy: 'ALLOW_DUPLICATE',
  workflowIdConflictPolicy: 'USE_EXISTING',
  /** A failed run is replaced at once, because a customer may be waiting. */
  retry: { initialInterval: 1_000, maximumInterval: 60_000 },
} as const;

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
