/** A bank that does not reply, or replies too late (ARCHITECTURE.md, "The bank"). */
import { describe, expect, it } from 'vitest';
import { sandboxDecision } from '../../domain/bank.ts';
import { openAttempt, recordDecision } from '../../store/attempts.ts';
import { BANK_TIMEOUT_MS } from '../support/bank.ts';
import { startSimulation } from './simulation.ts';
import { closeAfterTests } from '../support/close.ts';

const PAST_TIMEOUT_MS = BANK_TIMEOUT_MS + 2_000;
const CANCEL = { kind: 'cancel', by: 'merchant', request_id: 'req_1' } as const;
const TIMED_OUT = { status: 'declined', failure_code: 'bank_timeout' } as const;
const REVERSED = { status: 'reversed', failure_code: 'bank_timeout' } as const;

const sim = closeAfterTests(await startSimulation('silence'));

describe('a bank that never replies', () => {
  it('keeps the payment at the bank until its time limit, whatever is requested', async () => {
    const life = await sim.begin();
    await life.choose('never_answer');
    await sim.env.sleep(BANK_TIMEOUT_MS - 60_000);
    expect(await life.ask(CANCEL, 'early')).toMatchObject({ status: 'processing' });
    expect(await life.events()).toEqual([]);
  });

  it('is given up on: the customer may try again, or the payment expires', async () => {
    const life = await sim.begin();
    await life.choose('never_answer');
    await sim.env.sleep(PAST_TIMEOUT_MS);
    const { attempts } = await life.comesTo('created');
    expect(attempts).toMatchObject([TIMED_OUT]);
    expect(await life.end()).toBe('expired');
    expect(await life.events()).toEqual(['payment.attempt_failed', 'payment.expired']);
  });

  it('is given up on if the customer left without a choice', async () => {
    const life = await sim.begin();
    await life.goToBank();
    await life.wake();
    await sim.env.sleep(PAST_TIMEOUT_MS);
    expect((await life.comesTo('created')).attempts).toMatchObject([TIMED_OUT]);
  });

  it('can be followed by an attempt that is approved', async () => {
    const life = await sim.begin();
    await life.choose('never_answer');
    await sim.env.sleep(PAST_TIMEOUT_MS);
    await life.comesTo('created');
    await life.choose('approve');
    expect(await life.end()).toBe('completed');
    expect((await life.read()).attempts).toMatchObject([TIMED_OUT, { status: 'approved' }]);
    expect(await life.events()).toEqual(['payment.attempt_failed', 'payment.completed']);
  });

  it('ends a payment whose lifetime is over meanwhile', async () => {
    const life = await sim.begin();
    await sim.env.sleep(20 * 60 * 1000);
    await life.choose('never_answer');
    expect(await life.end()).toBe('expired');
    expect(await life.events()).toEqual(['payment.expired']);
    const { expired_at, expires_at } = await life.read();
    expect(expired_at!.getTime()).toBeGreaterThan(expires_at.getTime());
  });
});

/** Begins a payment whose customer was told to send a transfer. */
async function awaitTransfer() {
  const life = await sim.begin();
  const how = { tender: { type: 'bank_transfer' }, now: await sim.now() } as const;
  await openAttempt(sim.mongo, life.payment, { ...how, bankTimeoutMs: BANK_TIMEOUT_MS });
  await life.wake();
  return life;
}

describe('a transfer that does not arrive', () => {
  it('is waited for beyond the limit of cards, and expires the payment at its end', async () => {
    const life = await awaitTransfer();
    await sim.env.sleep(PAST_TIMEOUT_MS);
    await life.ask(CANCEL, 'early');
    expect((await life.read()).status).toBe('processing');
    expect(await life.end()).toBe('expired');
    const { attempts, expires_at, expired_at } = await life.read();
    expect(attempts).toMatchObject([TIMED_OUT]);
    expect(expired_at!.getTime()).toBeGreaterThanOrEqual(expires_at.getTime());
    expect(await life.events()).toEqual(['payment.expired']);
  });

  it('and arrives after that is reversed', async () => {
    const life = await awaitTransfer();
    const late = sandboxDecision('approve_after_timeout', await sim.now());
    await recordDecision(sim.mongo, await life.read(), late);
    expect(await life.end()).toBe('expired');
    expect((await life.read()).attempts).toMatchObject([REVERSED]);
    expect(await life.events()).toEqual(['payment.expired']);
  });
});

describe('a bank that approves an attempt after it was given up', () => {
  it('has its approval recorded as reversed, and nothing is charged', async () => {
    const life = await sim.begin();
    await life.choose('approve_after_timeout');
    await sim.env.sleep(PAST_TIMEOUT_MS);
    await life.comesTo('created');
    expect(await life.end()).toBe('expired');
    const { attempts, open, completed_at } = await life.read();
    expect(attempts).toMatchObject([REVERSED]);
    expect({ open, completed_at }).toEqual({ open: undefined, completed_at: null });
    expect(await life.events()).toEqual(['payment.attempt_failed', 'payment.expired']);
  });

  it('lets the customer pay by another attempt, and only that one counts', async () => {
    const life = await sim.begin();
    await life.choose('approve_after_timeout');
    await sim.env.sleep(PAST_TIMEOUT_MS);
    await life.comesTo('created');
    await life.choose('approve');
    expect(await life.end()).toBe('completed');
    const { attempts } = await life.read();
    expect(attempts).toMatchObject([REVERSED, { status: 'approved', failure_code: null }]);
    expect(await life.events()).toEqual(['payment.attempt_failed', 'payment.completed']);
  });
});
