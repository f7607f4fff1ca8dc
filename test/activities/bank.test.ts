/** The calls of settling to the bank, and the effect of its replies. */
import { beforeEach, describe, expect, it } from 'vitest';
import { sandboxBank } from '../../activities/bank.ts';
import type { Bank } from '../../activities/bank.ts';
import type { BankAnswer } from '../../domain/bank.ts';
import { BANK_TIMEOUT_MS, chooseAtBank, goToBank } from '../support/bank.ts';
import { LOOK, openSettleGround } from './ground.ts';
import { closeAfterTests } from '../support/close.ts';

/** The delay before settling repeats a cancel that was not confirmed. */
const ASK_AGAIN_MS = 30_000;

const ground = closeAfterTests(await openSettleGround('bank'));
beforeEach(() => {
  ground.bank = sandboxBank(ground.mongo);
});

/** Creates a bank that replies as given, and records its calls. */
function bankThat({ says, confirmed }: { says: BankAnswer; confirmed: boolean }) {
  const asked: string[] = [];
  const bank: Bank = {
    query: async () => {
      asked.push('query');
      return says;
    },
    cancel: async () => {
      asked.push('cancel');
      return { confirmed };
    },
    refund: async () => ({ answer: 'completed' }),
  };
  ground.bank = bank;
  return asked;
}

/** The time at which the bank's time limit ends for an attempt that is opened now. */
const afterTimeout = (): Date => new Date(Date.now() + BANK_TIMEOUT_MS + 1_000);

describe('a silent attempt', () => {
  it("is not queried before the bank's time limit", async () => {
    const asked = bankThat({ says: { answer: 'approved' }, confirmed: true });
    const { _id: id } = await ground.begin();
    await goToBank(ground.mongo, id);
    expect(await ground.settle(id)).toMatchObject({ status: 'processing', done: false });
    expect(asked).toEqual([]);
  });

  it('stays at the bank while its cancel is not confirmed, and is canceled again', async () => {
    const asked = bankThat({ says: { answer: 'none' }, confirmed: false });
    const { _id: id, m: tenant } = await ground.begin();
    await goToBank(ground.mongo, id);
    const now = afterTimeout();
    const again = now.getTime() + ASK_AGAIN_MS;
    for (let round = 0; round < 2; round += 1) {
      const result = await ground.settle(id, LOOK, now);
      expect(result).toEqual({ status: 'processing', done: false, wake_at_ms: again });
    }
    expect(asked).toEqual(['query', 'cancel', 'cancel']);
    expect(await ground.eventsOf(tenant)).toEqual([]);
    bankThat({ says: { answer: 'none' }, confirmed: true });
    expect(await ground.settle(id, LOOK, now)).toMatchObject({ status: 'created' });
    const { attempts } = await ground.read(id);
    expect(attempts).toMatchObject([{ status: 'declined', failure_code: 'bank_timeout' }]);
  });

  it.each([
    ['the customer decided nothing', undefined],
    ['the bank was told not to reply', 'never_answer'],
  ] as const)('is completed if the bank confirms it in a query: %s', async (_, outcome) => {
    const asked = bankThat({ says: { answer: 'approved' }, confirmed: true });
    const { _id: id, m: tenant } = await ground.begin();
    if (outcome) await chooseAtBank(ground.mongo, id, { outcome });
    else await goToBank(ground.mongo, id);
    const result = await ground.settle(id, LOOK, afterTimeout());
    expect(result).toMatchObject({ status: 'completed', done: true });
    expect(asked).toEqual(['query']);
    const { attempts } = await ground.read(id);
    expect(attempts).toMatchObject([{ status: 'approved', bank: { outcome: 'bank_query' } }]);
    expect(await ground.eventsOf(tenant)).toMatchObject([{ type: 'payment.completed' }]);
  });

  it("is declined with the code of the bank's reply to a query", async () => {
    bankThat({ says: { answer: 'declined', code: 'lost_or_stolen' }, confirmed: true });
    const { _id: id } = await ground.begin();
    await goToBank(ground.mongo, id);
    const result = await ground.settle(id, LOOK, afterTimeout());
    expect(result).toMatchObject({ status: 'failed', done: true });
    expect(await ground.read(id)).toMatchObject({ failure_code: 'lost_or_stolen' });
  });

  it('lets a merchant cancel once the bank has confirmed', async () => {
    const { _id: id, m: tenant } = await ground.begin();
    await goToBank(ground.mongo, id);
    const message = { kind: 'cancel', by: 'merchant', request_id: 'req_none' } as const;
    const now = new Date(Date.now() + BANK_TIMEOUT_MS + 1_000);
    expect(await ground.settle(id, message, now)).toMatchObject({ status: 'canceled' });
    const types = (await ground.eventsOf(tenant)).map((event) => event.type);
    expect(types).toEqual(['payment.attempt_failed', 'payment.canceled']);
  });
});

/** Returns a payment whose attempt was given up and then approved by the bank. */
async function givenUp() {
  const payment = await ground.begin();
  await chooseAtBank(ground.mongo, payment._id, { outcome: 'approve_after_timeout' });
  const now = new Date(Date.now() + BANK_TIMEOUT_MS + 1_000);
  await ground.mongo.payments.updateOne(
    { _id: payment._id },
    { $set: { 'attempts.0.opened_at': new Date(Date.now() - BANK_TIMEOUT_MS - 1_000) } },
  );
  const result = await ground.settle(payment._id);
  expect(result).toMatchObject({ status: 'created', done: false });
  const { attempts } = await ground.read(payment._id);
  expect(attempts[0]).toMatchObject({
    status: 'declined',
    bank: { says: { answer: 'approved' } },
  });
  return { ...payment, now };
}

describe('a late approval', () => {
  it('is awaited, even if the payment becomes final first', async () => {
    const { _id: id } = await givenUp();
    const message = { kind: 'cancel', by: 'merchant', request_id: 'req_none' } as const;
    expect(await ground.settle(id, message)).toMatchObject({ status: 'canceled', done: false });
    expect(await ground.read(id)).toMatchObject({ open: true });
  });

  it('is not recorded as reversed before the bank has confirmed it', async () => {
    const { _id: id, now } = await givenUp();
    const asked = bankThat({ says: { answer: 'none' }, confirmed: false });
    expect(await ground.settle(id, LOOK, now)).toMatchObject({ status: 'created', done: false });
    expect(asked).toEqual(['cancel']);
    expect((await ground.read(id)).attempts).toMatchObject([{ status: 'declined' }]);
  });

  it('is reversed at the bank, and emits no event', async () => {
    const { _id: id, m: tenant, now } = await givenUp();
    const asked = bankThat({ says: { answer: 'none' }, confirmed: true });
    const result = await ground.settle(id, LOOK, now);
    expect(result).toMatchObject({ status: 'created', done: false });
    expect(asked).toEqual(['cancel']);
    expect((await ground.read(id)).attempts).toMatchObject([{ status: 'reversed' }]);
    expect(await ground.eventsOf(tenant)).toMatchObject([{ type: 'payment.attempt_failed' }]);
  });
});
