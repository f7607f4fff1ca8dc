/** The effect of the sweep's calls on Temporal, and the cost of an unavailable Temporal. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { Client } from '@temporalio/client';
import type { Connection } from '@temporalio/client';
import { makeLog } from '../../log.ts';
import { isRefusal, isUnanswered, makePatience } from '../../temporal/limits.ts';
import { TemporalUnavailable, lazyConnection, makeTemporal } from '../../temporal/client.ts';
import type { Temporal } from '../../temporal/client.ts';
import { makePayment } from '../support/rows/payment.ts';
import { makeRefund } from '../support/rows/refund.ts';
import { privateName, testServers } from '../support/run.ts';
import { NAMESPACE } from '../support/worker.ts';

const idPrefix = `${privateName('temporal')}-`;
let connection: Connection;
let temporal: Temporal;
let client: Client;

beforeAll(async () => {
  connection = lazyConnection({ address: testServers().temporalAddress });
  client = new Client({ connection, namespace: NAMESPACE });
  const queueSuffix = `-${idPrefix}`;
  const log = makeLog('test', 'silent');
  const own = { idPrefix, queueSuffix, namespace: NAMESPACE, webhookTimeoutMs: 1_000, log };
  temporal = makeTemporal({ ...own, connection });
  await temporal.prepare();
});
afterAll(async () => {
  await connection.close();
});

const handleOf = ({ _id }: { _id: string }) => client.workflow.getHandle(idPrefix + _id);

/** Returns how often a workflow was woken. */
async function wakesOf(payment: { _id: string }): Promise<number> {
  const { events } = await handleOf(payment).fetchHistory();
  return (events ?? []).filter((event) => event.workflowExecutionSignaledEventAttributes).length;
}

async function priorityOf(row: { _id: string }): Promise<number | null | undefined> {
  const { raw } = await handleOf(row).describe();
  return raw.workflowExecutionInfo?.priority?.priorityKey;
}

describe('makePatience', () => {
  it('does not wait again after a call timed out, until a call succeeds', async () => {
    const patience = makePatience(1_000);
    const never = new Promise<never>(() => undefined);
    const waitFor = async (call: Promise<unknown>): Promise<number> => {
      const begun = performance.now();
      await patience(call).catch((error: unknown) => {
        expect(error).toBeInstanceOf(TemporalUnavailable);
      });
      return performance.now() - begun;
    };
    const first = await waitFor(never);
    expect(first).toBeGreaterThan(900);
    const others = await Promise.all(Array.from({ length: 20 }, async () => waitFor(never)));
    expect(Math.max(...others)).toBeLessThan(first / 2);
    await waitFor(Promise.resolve());
    expect(await waitFor(never)).toBeGreaterThan(900);
  });
});

describe('resumePayment', () => {
  it('wakes a payment that sleeps until its lifetime ends', async () => {
    const payment = makePayment();
    await temporal.startPayment(payment);
    expect(await wakesOf(payment)).toBe(0);
    await temporal.resumePayment(payment);
    expect(await wakesOf(payment)).toBe(1);
  });

  it('adds nothing to the history of a payment that waits for a worker', async () => {
    const payment = makePayment();
    for (let round = 0; round < 3; round += 1) await temporal.resumePayment(payment);
    expect(await wakesOf(payment)).toBe(1);
  });

  it('starts a new workflow if the old one is gone or has ended', async () => {
    const payment = makePayment();
    await temporal.resumePayment(payment);
    const first = (await handleOf(payment).describe()).runId;
    await handleOf(payment).terminate();
    await temporal.resumePayment(payment);
    const second = await handleOf(payment).describe();
    expect([second.runId === first, second.status.name]).toEqual([false, 'RUNNING']);
  });

  it('has a lower priority than live traffic, like a resumed refund', async () => {
    const [live, overdue, refund] = [makePayment(), makePayment(), makeRefund()];
    await temporal.wakePayment(live);
    await temporal.resumePayment(overdue);
    await temporal.resumeRefund(refund);
    const [first, ...behind] = await Promise.all([live, overdue, refund].map(priorityOf));
    expect(first ?? 0).toBe(0);
    expect(behind).toEqual([5, 5]);
  });
});

describe('the errors of calls', () => {
  it('are distinguished: refused, no reply, or not sent because of a fault of ours', async () => {
    const away = lazyConnection({ address: '127.0.0.1:1', interceptors: [] });
    const start = async (options: object) =>
      new Client({ connection: away, namespace: NAMESPACE }).workflow
        .start('payment', { workflowId: 'x', taskQueue: 'x', ...options })
        .catch((error: unknown) => error);
    const unanswered = await start({});
    const faulty = await start({ args: [1n] });
    await away.close();
    const invalid = await client.workflow
      .start('payment', { workflowId: 'x'.repeat(2_000), taskQueue: 'x' })
      .catch((error: unknown) => error);
    const kinds = [unanswered, new TemporalUnavailable('late'), invalid, faulty].map((error) => [
      isUnanswered(error),
      isRefusal(error),
    ]);
    expect(kinds).toEqual([
      [true, false],
      [true, false],
      [false, true],
      [false, false],
    ]);
  });
});
