/** A payment's history stays small, whatever a customer clicks. */
import { describe, expect, it } from 'vitest';
import type { WorkflowHandle } from '@temporalio/client';
import { Worker } from '@temporalio/worker';
import type { Bank } from '../../activities/bank.ts';
import { sandboxDecision } from '../../domain/bank.ts';
import { MAX_ATTEMPTS } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Message } from '../../domain/verdict.ts';
import { recordDecision } from '../../store/attempts.ts';
import { insertPayment } from '../../store/payments.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { goToBank, stored, turnBackAtBank } from '../support/bank.ts';
import { makePayment } from '../support/rows/payment.ts';
import { until } from '../support/until.ts';
import { testServers } from '../support/run.ts';
import { startWorkers } from '../support/worker.ts';
import { closeAfterTests } from '../support/close.ts';

const MAX_HISTORY_EVENTS = 100;
/** For each of the 5 attempts, which makes 20 of both in total. */
const TURN_BACKS = 4;
const REFUSED_CANCELS = 4;

/** More failures than the quick tries inside a workflow task. */
let faults = 5;
const bank: Bank = {
  query: async () => {
    faults -= 1;
    if (faults >= 0) throw new Error('The bank is unavailable.');
    return { answer: 'approved' };
  },
  cancel: async () => ({ confirmed: true }),
  refund: async () => ({ answer: 'completed' }),
};

type History = Awaited<ReturnType<WorkflowHandle['fetchHistory']>>;

/** Stores a payment whose bank stays silent, and is unavailable for queries. */

const ground = closeAfterTests(await startWorkers('guard'));
const away = closeAfterTests(await startWorkers('guard-away', { bank, bankTimeoutMs: 0 }));

/** Returns the history of each run, starting with that one. */
async function historiesOf(workflowId: string, runId: string): Promise<History[]> {
  const history = await ground.client.workflow.getHandle(workflowId, runId).fetchHistory();
  const end = history.events?.at(-1)?.workflowExecutionContinuedAsNewEventAttributes;
  const next = end?.newExecutionRunId;
  return [history, ...(next ? await historiesOf(workflowId, next) : [])];
}

/** Expects the history of each run to be short and to replay. */
async function checkRuns(workflowId: string, firstRunId: string): Promise<void> {
  const { workflowBundle } = testServers();
  const histories = await historiesOf(workflowId, firstRunId);
  expect(histories.length).toBeGreaterThan(1);
  for (const history of histories) {
    expect(history.events?.length).toBeLessThan(MAX_HISTORY_EVENTS);
    await Worker.runReplayHistory({ workflowBundle }, history, workflowId);
  }
}

/** Sends an update. Returns undefined after a timeout. A retry with the same id is the same update. */
async function updateOnce(payment: Payment, message: Message, id: string) {
  return ground.temporal.askPayment(payment, message, id).catch((error: unknown) => {
    if (!(error instanceof TemporalUnavailable)) throw error;
  });
}

async function refuseCancel(payment: Payment, id: string): Promise<void> {
  const cancel = { kind: 'cancel', by: 'customer', request_id: id } as const;
  const ask = async () => updateOnce(payment, cancel, id);
  const result = await until(ask, (came) => came !== undefined);
  expect(result?.status).toBe('processing');
}

describe('the history of a payment', () => {
  it('does not grow while a dependency is unavailable', async () => {
    const { mongo, temporal, client } = away;
    const payment = makePayment();
    await insertPayment(mongo, payment);
    await goToBank(mongo, payment._id);
    await temporal.wakePayment(payment);
    const handle = client.workflow.getHandle(away.idPrefix + payment._id);
    expect(await handle.result()).toBe('completed');
    expect(faults).toBeLessThanOrEqual(0);
    const { events } = await handle.fetchHistory();
    // One marker for the local activity, and one activity for all retries.
    expect(events?.length).toBeLessThanOrEqual(14);
  });

  it('stays below 100 events over 5 attempts, 20 turn-backs and 20 refused cancels', async () => {
    const { mongo, temporal, client } = ground;
    const payment = makePayment();
    await insertPayment(mongo, payment);
    await temporal.startPayment(payment);
    const workflowId = ground.idPrefix + payment._id;
    const { runId } = await client.workflow.getHandle(workflowId).describe();
    for (let attempt = 1; attempt <= MAX_ATTEMPTS; attempt += 1) {
      for (let i = 0; i < TURN_BACKS; i += 1) {
        const leaving = await turnBackAtBank(mongo, payment._id);
        const id = `req_back_${attempt}_${i}`;
        const release = async () => updateOnce(leaving, { kind: 'look' }, id);
        expect((await until(release, (came) => came !== undefined))?.status).toBe('created');
      }
      const opened = await goToBank(mongo, payment._id);
      for (let i = 0; i < REFUSED_CANCELS; i += 1) {
        await refuseCancel(payment, `req_${attempt}_${i}`);
      }
      await recordDecision(mongo, opened, sandboxDecision('card_declined', new Date()));
      await temporal.wakePayment(payment);
      await until(
        async () => stored(mongo, payment._id),
        ({ status }) => status !== 'processing',
      );
    }
    const handle = client.workflow.getHandle(workflowId);
    expect(await handle.result()).toBe('failed');
    await checkRuns(workflowId, runId);
    // The next run has the same search attributes.
    const { typedSearchAttributes } = await handle.describe();
    expect(typedSearchAttributes.getAll()).toContainEqual(
      expect.objectContaining({ value: payment.merchant_id }),
    );
  });

  it('stays below 100 events after 25 concurrent updates, and each gets its result', async () => {
    const { mongo, temporal, client } = ground;
    const payment = makePayment();
    await insertPayment(mongo, payment);
    await temporal.startPayment(payment);
    const workflowId = ground.idPrefix + payment._id;
    const { runId } = await client.workflow.getHandle(workflowId).describe();
    await goToBank(mongo, payment._id);
    const updates = Array.from({ length: 25 }, async (_, i) => refuseCancel(payment, `req_${i}`));
    await Promise.all(updates);
    await checkRuns(workflowId, runId);
  });
});
