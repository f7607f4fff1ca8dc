/** A customer turns back while the bank may approve at any time. */
import { describe, expect, it } from 'vitest';
import type { Payment } from '../../domain/payment.ts';
import { turnBack } from '../../store/attempts.ts';
import { overduePayments } from '../../store/payments.ts';
import { chooseAtBank, goToBank } from '../support/bank.ts';
import { approve as sendApproval, freeBank } from './freebank.ts';
import type { Hooks } from './freebank.ts';
import { LOOK, openSettleGround } from './ground.ts';
import { closeAfterTests } from '../support/close.ts';

const CANCEL = { kind: 'cancel', by: 'merchant', request_id: 'req_none' } as const;
const ASK_AGAIN_MS = 30_000;

const ground = closeAfterTests(await openSettleGround('turnback'));

/** Makes settling use this bank. Returns the bank's calls. */
function bankThat(hooks?: Hooks): string[] {
  const { bank, asked } = freeBank(hooks);
  ground.bank = bank;
  return asked;
}

const approve = async (payment: Payment, attemptId?: string) =>
  sendApproval(ground.mongo, payment, attemptId);

async function atBank(): Promise<Payment> {
  const { _id: id } = await ground.begin();
  return goToBank(ground.mongo, id);
}

async function leaving(): Promise<Payment> {
  const payment = await atBank();
  expect(await turnBack(ground.mongo, payment, new Date())).not.toBeNull();
  return payment;
}

/** Returns a payment that was turned back and released by the bank. */
async function left(): Promise<Payment> {
  bankThat();
  const payment = await leaving();
  expect(await ground.settle(payment._id)).toMatchObject({ status: 'created' });
  return payment;
}

/** Settles until nothing is due. Returns the statuses of the payment and its attempts. */
async function end({ _id: id }: Payment) {
  const { done } = await ground.settle(id);
  const payment = await ground.read(id);
  const attempts = payment.attempts.map(({ status }) => status);
  expect(payment.open === undefined).toBe(done);
  return { status: payment.status, attempts };
}

const secondAnswer: Hooks = { says: ['none', 'approved'] };
const send = async (payment: Payment, times: number) => {
  for (let i = 0; i < times; i += 1) await approve(payment);
};
const sendAt = async (payment: Payment, count: number) => send(payment, count === 2 ? 1 : 0);
const unconfirmed = (payment: Payment): Hooks => ({
  confirms: [false],
  onCancel: async (count) => send(payment, count === 1 ? 1 : 0),
});

function dieAt(at: number) {
  return (count: number) => {
    if (count === at) throw new Error('The worker died.');
  };
}

describe('turning back', () => {
  it('asks the bank, cancels there, asks once more, and only then frees the payment', async () => {
    const seen: string[] = [];
    const payment = await leaving();
    const look = async () => void seen.push((await ground.read(payment._id)).status);
    const asked = bankThat({ onQuery: look, onCancel: look });
    expect(await end(payment)).toEqual({ status: 'created', attempts: ['turned_back'] });
    expect(asked).toEqual(['query', 'cancel', 'query']);
    expect(seen).toEqual(['processing', 'processing', 'processing']);
    expect(await ground.eventsOf(payment.m)).toEqual([]);
  });

  it('waits for a bank that does not confirm, and is not woken by the sweep meanwhile', async () => {
    const payment = await leaving();
    const asked = bankThat({ confirms: [false, false] });
    for (const now of [new Date(), new Date(Date.now() + ASK_AGAIN_MS)]) {
      const again = now.getTime() + ASK_AGAIN_MS;
      const result = await ground.settle(payment._id, LOOK, now);
      expect(result).toEqual({ status: 'processing', done: false, wake_at_ms: again });
      expect((await ground.read(payment._id)).due_at.getTime()).toBe(again);
    }
    expect(await end(payment)).toEqual({ status: 'created', attempts: ['turned_back'] });
    expect(asked).toEqual(['query', 'cancel', 'cancel', 'cancel', 'query']);
  });

  it('declines the attempt if the bank declined it in time', async () => {
    const payment = await leaving();
    bankThat({ says: ['declined'] });
    expect(await end(payment)).toEqual({ status: 'created', attempts: ['declined'] });
  });

  it('expires a payment whose time is over', async () => {
    const payment = await leaving();
    bankThat();
    const result = await ground.settle(payment._id, LOOK, payment.expires_at);
    expect(result).toEqual({ status: 'expired', done: true, wake_at_ms: 0 });
    expect(await ground.eventsOf(payment.m)).toMatchObject([{ type: 'payment.expired' }]);
  });

  it('is overdue for the sweep until it is carried out', async () => {
    const payment = await leaving();
    const range = { after: null, before: new Date(Date.now() + 1), limit: 100 };
    const overdue = await overduePayments(ground.mongo, range);
    expect(overdue.map(({ _id }) => _id)).toContain(payment._id);
  });
});

describe('an approval that arrives', () => {
  it('before the customer turns back completes the payment', async () => {
    const payment = await atBank();
    const asked = bankThat();
    await approve(payment);
    expect(await turnBack(ground.mongo, payment, new Date())).toBeNull();
    expect(await end(payment)).toEqual({ status: 'completed', attempts: ['approved'] });
    expect(asked).toEqual([]);
  });

  it('before the query completes the payment', async () => {
    const payment = await leaving();
    const asked = bankThat();
    await approve(payment);
    expect(await end(payment)).toEqual({ status: 'completed', attempts: ['approved'] });
    expect(asked).toEqual([]);
  });

  it('in the reply to the query completes the payment', async () => {
    const payment = await leaving();
    const asked = bankThat({ says: ['approved'] });
    expect(await end(payment)).toEqual({ status: 'completed', attempts: ['approved'] });
    expect(asked).toEqual(['query']);
  });

  it.each<[string, (payment: Payment) => Hooks]>([
    ['while the bank cancels', (payment) => ({ onCancel: () => send(payment, 1) })],
    ['while a cancel is not confirmed', (payment) => unconfirmed(payment)],
    ['just before the cancel, and found by the second query', () => secondAnswer],
    ['after the cancel was confirmed', (payment) => ({ onQuery: async (n) => sendAt(payment, n) })],
  ])('%s is reversed', async (_, hooks) => {
    const payment = await leaving();
    const asked = bankThat(hooks(payment));
    await ground.settle(payment._id);
    expect(await end(payment)).toEqual({ status: 'created', attempts: ['reversed'] });
    expect(asked.at(-1)).toBe('cancel');
    expect(await ground.eventsOf(payment.m)).toEqual([]);
  });

  it('after the customer turned back is reversed, and the next visit is another attempt', async () => {
    const payment = await left();
    await approve(payment);
    expect(await end(payment)).toEqual({ status: 'created', attempts: ['reversed'] });
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve' });
    const attempts = ['reversed', 'approved'];
    expect(await end(payment)).toEqual({ status: 'completed', attempts });
  });

  it("during the next visit is not taken for that visit's approval", async () => {
    const payment = await left();
    await goToBank(ground.mongo, payment._id);
    await approve(payment);
    expect(await end(payment)).toEqual({ status: 'processing', attempts: ['reversed', 'pending'] });
    const { attempts } = await ground.read(payment._id);
    await approve(payment, attempts[1]!.id);
    const both = ['reversed', 'approved'];
    expect(await end(payment)).toEqual({ status: 'completed', attempts: both });
  });

  it('after another attempt has paid is reversed', async () => {
    const payment = await left();
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve' });
    expect(await ground.settle(payment._id)).toMatchObject({ status: 'completed', done: true });
    await approve(payment);
    const attempts = ['reversed', 'approved'];
    expect(await end(payment)).toEqual({ status: 'completed', attempts });
    expect(await ground.eventsOf(payment.m)).toMatchObject([{ type: 'payment.completed' }]);
  });

  it.each(['canceled', 'expired'] as const)('after the payment was %s is reversed', async (to) => {
    const payment = await left();
    const message = to === 'canceled' ? CANCEL : LOOK;
    const now = to === 'canceled' ? new Date() : payment.expires_at;
    expect(await ground.settle(payment._id, message, now)).toMatchObject({ status: to });
    await approve(payment);
    expect(await end(payment)).toEqual({ status: to, attempts: ['reversed'] });
  });

  it('after the bank had declined the same attempt is reversed', async () => {
    bankThat();
    const payment = await ground.begin();
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'lost_or_stolen' });
    expect(await ground.settle(payment._id)).toMatchObject({ status: 'failed', done: true });
    await approve(payment);
    expect(await end(payment)).toEqual({ status: 'failed', attempts: ['reversed'] });
  });
});

describe('a worker that dies', () => {
  it.each([
    ['before the bank is asked', { onQuery: dieAt(1) }],
    ['before the cancel', { onCancel: dieAt(1) }],
    ['after the cancel', { onQuery: dieAt(2) }],
  ] as [string, Hooks][])('%s leaves it to the next one', async (_, hooks) => {
    const payment = await leaving();
    bankThat(hooks);
    await expect(ground.settle(payment._id)).rejects.toThrow('died');
    bankThat();
    expect(await end(payment)).toEqual({ status: 'created', attempts: ['turned_back'] });
  });

  it('with a stored approval leaves the reversal to the next worker', async () => {
    const payment = await left();
    await approve(payment);
    bankThat({ onCancel: dieAt(1) });
    await expect(ground.settle(payment._id)).rejects.toThrow('died');
    bankThat();
    expect(await end(payment)).toEqual({ status: 'created', attempts: ['reversed'] });
  });
});
