/** Two tabs of one customer: one turns back and pays again, and the bank approves the other. */
import { setTimeout as sleep } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { turnBack } from '../../store/attempts.ts';
import { chooseAtBank, goToBank } from '../support/bank.ts';
import { approve, freeBank } from './freebank.ts';
import { openSettleGround } from './ground.ts';
import { closeAfterTests } from '../support/close.ts';

const ROUNDS = 60;

const ground = closeAfterTests(await openSettleGround('twotabs'));
ground.bank = freeBank().bank;

/** Turns back and pays by a second visit, while the bank approves the first one. */
async function round(delayMs: number) {
  const { _id: id } = await ground.begin();
  const payment = await goToBank(ground.mongo, id);
  const tabA = async () => {
    await turnBack(ground.mongo, payment, new Date());
    const { status } = await ground.settle(payment._id);
    if (status !== 'created') return;
    await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve' });
    await ground.settle(payment._id);
  };
  const tabB = async () => {
    await sleep(delayMs);
    await approve(ground.mongo, payment);
    await ground.settle(payment._id);
  };
  await Promise.all(delayMs % 2 === 0 ? [tabA(), tabB()] : [tabB(), tabA()]);
  await ground.settle(payment._id);
  return ground.read(payment._id);
}

describe('both tabs at once', () => {
  it('lose no approval in any order: each one completes the payment or is reversed', async () => {
    let reversed = 0;
    for (let i = 0; i < ROUNDS; i += 1) {
      const payment = await round(i % 20);
      const approved = payment.attempts.filter((each) => each.bank?.says.answer === 'approved');
      const first = payment.attempts[0]!;
      expect(first.bank?.says.answer).toBe('approved');
      expect(payment.status).toBe('completed');
      const paid = approved.filter(({ status }) => status === 'approved');
      const undone = approved.filter(({ status }) => status === 'reversed');
      expect([paid.length, paid.length + undone.length]).toEqual([1, approved.length]);
      expect(payment.open).toBeUndefined();
      reversed += undone.length;
    }
    // Both orders occurred.
    expect(reversed).toBeGreaterThan(0);
    expect(reversed).toBeLessThan(ROUNDS);
  });
});
