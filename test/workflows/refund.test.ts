/** The refund's workflow on a real server, from its start to the merchant's receiver. */
import { describe, expect, it } from 'vitest';
import type { Bank } from '../../activities/bank.ts';
import { sandboxRefund } from '../../domain/refund.ts';
import type { Refund } from '../../domain/refund.ts';
import { refundById, reserveRefund } from '../../store/refunds.ts';
import { REFUND_WORKFLOW } from '../../workflows/messages.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openReceiver } from '../support/receiver.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { until } from '../support/until.ts';
import { startWorkers } from '../support/worker.ts';
import { closeAfterTests } from '../support/close.ts';

/** The number of queries about a refund that fail before the bank decides. */
const faults = new Map<string, number>();
const bank: Bank = {
  query: async () => ({ answer: 'none' }),
  cancel: async () => ({ confirmed: true }),
  refund: async (_, refund, now) => {
    const left = faults.get(refund._id) ?? 0;
    faults.set(refund._id, left - 1);
    if (left > 0) throw new Error('The bank is unavailable.');
    return sandboxRefund(refund, now);
  },
};

const ground = closeAfterTests(await startWorkers('refund', { bank }));

async function reserved(overrides: Partial<Refund> = {}, url?: string): Promise<Refund> {
  const { mongo } = ground;
  const payment = makePayment({ status: 'completed' });
  const row = makeRefund({ m: payment.m, payment_id: payment._id, ...overrides });
  await mongo.payments.insertOne(payment);
  if (url !== undefined) await mongo.endpoints.insertOne(makeEndpoint({ m: payment.m, url }));
  await mongo.transact(async (session) => reserveRefund(mongo, session, { payment, row }));
  return row;
}

const workflowOf = ({ _id }: Refund) => ground.client.workflow.getHandle(ground.idPrefix + _id);
const read = async ({ _id }: Refund) => (await refundById(ground.mongo, _id))!;

// Concurrent, because these tests mostly wait for the bank.
describe.concurrent('a refund', () => {
  it('that does not exist ends its workflow without a failure', async () => {
    await ground.temporal.startRefund(makeRefund({ _id: 'ref_missing' }));
    expect(await workflowOf(makeRefund({ _id: 'ref_missing' })).result()).toBe('missing');
  });

  it('is completed, and the receiver gets events about both documents', async () => {
    const receiver = await openReceiver();
    const refund = await reserved({}, receiver.url);
    await ground.temporal.startRefund(refund);
    expect(await workflowOf(refund).result()).toBe('completed');
    await until(
      () => receiver.requests.length,
      (count) => count === 2,
    );
    const types = receiver.requests.map(({ raw }) => JSON.parse(raw.toString()).type as string);
    expect(types.toSorted()).toEqual(['payment.refunded', 'refund.completed']);
    await receiver.close();
  });

  it('stays pending until the bank decides, and then ends', async () => {
    const refund = await reserved({ metadata: { test_outcome: 'fail_after_5s' } });
    await ground.temporal.startRefund(refund);
    const waiting = await until(
      async () => read(refund),
      ({ due_at }) => due_at > refund.due_at,
    );
    expect(waiting.status).toBe('pending');
    expect(await workflowOf(refund).result()).toBe('failed');
  });

  it('survives an unavailable bank', async () => {
    const refund = await reserved();
    faults.set(refund._id, 2);
    await ground.temporal.startRefund(refund);
    expect(await workflowOf(refund).result()).toBe('completed');
    expect(faults.get(refund._id)).toBeLessThan(0);
  });

  it('has one workflow, however often it is started, and a new one after a loss', async () => {
    const refund = await reserved({ metadata: { test_outcome: 'complete_after_5s' } });
    await Promise.all([1, 2, 3].map(async () => ground.temporal.startRefund(refund)));
    const { runId } = await workflowOf(refund).describe();
    await ground.temporal.resumeRefund(refund);
    expect((await workflowOf(refund).describe()).runId).toBe(runId);
    await workflowOf(refund).terminate('lost');
    await ground.temporal.resumeRefund(refund);
    const found = await workflowOf(refund).describe();
    expect(found.runId).not.toBe(runId);
    expect(found.type).toBe(REFUND_WORKFLOW);
    expect(await workflowOf(refund).result()).toBe('completed');
  });

  it("has a short history without the customer's data", async () => {
    const refund = await reserved({ description: 'A broken mug', metadata: { note: 'secret' } });
    await ground.temporal.startRefund(refund);
    await workflowOf(refund).result();
    const { events } = await workflowOf(refund).fetchHistory();
    expect(events).toHaveLength(11);
    const text = JSON.stringify(events);
    expect(text).not.toContain(Buffer.from('secret').toString('base64'));
    expect(text).not.toContain('broken');
  });
});
