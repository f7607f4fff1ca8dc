import { describe, expect, it } from 'vitest';
import type { Message } from '../../domain/verdict.ts';
import { PAYMENT_WORKFLOW } from '../../workflows/messages.ts';
import { chooseAtBank } from '../support/bank.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { startSimulation } from './simulation.ts';
import { closeAfterTests } from '../support/close.ts';

const LIFETIME_MS = 30 * 60 * 1000;
/** Simulated time passes in steps, each of which takes a moment. */
const TOLERANCE_MS = 10_000;

const sim = closeAfterTests(await startSimulation('payment'));

function expectNear(actual: Date | null, wantedMs: number): void {
  expect(actual).not.toBeNull();
  expect(actual!.getTime()).toBeGreaterThanOrEqual(wantedMs);
  expect(actual!.getTime()).toBeLessThan(wantedMs + TOLERANCE_MS);
}

const cancel: Message = { kind: 'cancel', by: 'customer', request_id: 'req_c' };
const expire: Message = { kind: 'expire', request_id: 'req_e' };

describe('updates that are refused', () => {
  it('cancel and expire change nothing while the payment is at the bank', async () => {
    const life = await sim.begin();
    await life.goToBank();
    for (const [id, message] of Object.entries({ cancel, expire })) {
      expect(await life.ask(message, id)).toMatchObject({ status: 'processing', done: false });
    }
    expect(await life.events()).toEqual([]);
    const { attempts, status } = await life.read();
    expect(status).toBe('processing');
    expect(attempts).toMatchObject([{ status: 'pending', bank: null, gave_up_at: null }]);
  });

  it('a cancel during the completion returns "completed"', async () => {
    const life = await sim.begin();
    await chooseAtBank(sim.mongo, life.payment._id, { outcome: 'approve', now: await sim.now() });
    expect(await life.ask(cancel, 'late')).toMatchObject({ status: 'completed', done: true });
    expect(await life.events()).toEqual(['payment.completed']);
  });
});

describe('a document that is missing', () => {
  it('ends the workflow without a failure', async () => {
    const result = await sim.env.client.workflow.execute(PAYMENT_WORKFLOW, {
      workflowId: 'missing',
      taskQueue: 'payments',
      args: [{ payment_id: 'pay_missing' }],
    });
    expect(result).toBe('missing');
  });
});

describe('the end of a lifetime', () => {
  it('expires an unpaid payment, at its time and not before', async () => {
    const life = await sim.begin();
    expect(await life.end()).toBe('expired');
    const { expired_at } = await life.read();
    expectNear(expired_at, life.payment.created_at.getTime() + LIFETIME_MS);
    expect(await life.events()).toEqual(['payment.expired']);
  });

  it('never ends an attempt that is at the bank', async () => {
    const life = await sim.begin();
    await sim.env.sleep(LIFETIME_MS - 10_000);
    await life.choose('approve_after_30s');
    expect(await life.end()).toBe('completed');
    const { completed_at, expires_at } = await life.read();
    expect(completed_at!.getTime()).toBeGreaterThan(expires_at.getTime());
  });

  it('makes a later decline expire the payment', async () => {
    const life = await sim.begin();
    await sim.env.sleep(LIFETIME_MS - 10_000);
    await life.choose('decline_after_30s');
    expect(await life.end()).toBe('expired');
    expect(await life.events()).toEqual(['payment.expired']);
    const { attempts } = await life.read();
    expect(attempts).toMatchObject([{ status: 'declined', failure_code: 'card_declined' }]);
  });

  it('can be forced by an update', async () => {
    const life = await sim.begin();
    expect(await life.ask(expire, 'e')).toMatchObject({ status: 'expired', done: true });
    expect(await life.end()).toBe('expired');
  });
});

describe('a delayed decision of the bank', () => {
  it.each([
    ['approve_after_30s', 'completed', 'payment.completed'],
    ['decline_after_30s', 'created', 'payment.attempt_failed'],
  ] as const)('%s is awaited, and ends the payment as %s', async (outcome, status, event) => {
    const life = await sim.begin();
    const chosenMs = (await sim.now()).getTime();
    await life.choose(outcome);
    await sim.env.sleep(20_000);
    expect((await life.read()).status).toBe('processing');
    await sim.env.sleep(12_000);
    const { updated_at } = await life.comesTo(status);
    expectNear(updated_at, chosenMs + 30_000);
    expect(await life.events()).toEqual([event]);
    await life.end();
  });
});

describe('declines', () => {
  it('let the customer try again, and the fifth one ends the payment', async () => {
    const life = await sim.begin();
    for (let attempt = 1; attempt <= 4; attempt += 1) {
      await life.choose('insufficient_funds');
      await life.comesTo('created');
    }
    await life.choose('insufficient_funds');
    expect(await life.end()).toBe('failed');
    const tries = Array.from({ length: 4 }, () => 'payment.attempt_failed');
    expect(await life.events()).toEqual([...tries, 'payment.failed']);
    expect(await life.read()).toMatchObject({ failure_code: 'insufficient_funds' });
  });

  it.each(['suspected_fraud', 'lost_or_stolen'] as const)('%s ends it at once', async (code) => {
    const life = await sim.begin();
    await life.choose(code);
    expect(await life.end()).toBe('failed');
    expect(await life.events()).toEqual(['payment.failed']);
    expect(await life.read()).toMatchObject({ failure_code: code });
  });
});

describe('several messages at once', () => {
  it('lead to one change, which every update returns', async () => {
    const life = await sim.begin();
    const updates = ['a', 'b', 'c'].map(async (id) => life.ask(cancel, id));
    const [results] = await Promise.all([Promise.all(updates), life.wake(), life.wake()]);
    const canceled = { status: 'canceled', done: true, wake_at_ms: 0 };
    expect(results).toEqual([canceled, canceled, canceled]);
    expect(await life.events()).toEqual(['payment.canceled']);
    expect(await life.end()).toBe('canceled');
  });

  it('a cancel and an approval: one of them wins, and has the only event', async () => {
    const life = await sim.begin();
    const [result] = await Promise.all([
      life.ask(cancel, 'race'),
      life.choose('approve').catch(() => undefined),
    ]);
    const status = await life.end();
    expect(['canceled', 'completed']).toContain(status);
    expect(await life.read()).toMatchObject({ status });
    expect(await life.events()).toEqual([`payment.${status}`]);
    if (status === 'canceled') expect(result.status).toBe('canceled');
  });
});

describe('deliveries that cannot be started', () => {
  it('are started later, after more retries than a workflow task has, from one event', async () => {
    const { m: tenant, merchant_id } = makePayment();
    await sim.mongo.endpoints.insertOne(makeEndpoint({ m: tenant }));
    let faults = 4;
    sim.beforeStart = () => {
      faults -= 1;
      if (faults >= 0) throw new Error('Temporal is unavailable.');
    };
    sim.started.length = 0;
    const life = await sim.begin({ m: tenant, merchant_id });
    await life.choose('approve');
    expect(await life.end()).toBe('completed');
    expect(faults).toBeLessThan(0);
    const deliveries = await sim.mongo.deliveries.find({ m: tenant }).toArray();
    expect(deliveries.map((delivery) => delivery._id)).toEqual([...new Set(sim.started)]);
    expect(await life.events()).toEqual(['payment.completed']);
  });
});
