/** A customer's steps at the bank, made with the same conditional writes that checkout uses. */
import { sandboxDecision } from '../../domain/bank.ts';
import type { DecisionName } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Mongo } from '../../store/mongo.ts';
import { openAttempt, recordDecision, turnBack } from '../../store/attempts.ts';
import { paymentById } from '../../store/payments.ts';

const CARD = { brand: 'visa', last4: '4242' };
export const BANK_TIMEOUT_MS = 15 * 60 * 1000;

/** Returns the stored payment. Throws if there is none. */
export async function stored(mongo: Mongo, id: string): Promise<Payment> {
  const payment = await paymentById(mongo, id);
  if (!payment) throw new Error(`${id} is not stored.`);
  return payment;
}

/** Sends the customer to the bank, where nothing is decided yet. */
export async function goToBank(mongo: Mongo, id: string, now = new Date()): Promise<Payment> {
  const how = {
    tender: { type: 'card', card: CARD },
    now,
    bankTimeoutMs: BANK_TIMEOUT_MS,
  } as const;
  const opened = await openAttempt(mongo, await stored(mongo, id), how);
  if (!opened) throw new Error(`${id} cannot go to the bank.`);
  return opened;
}

/** Sends the customer to the bank and chooses an outcome there. */
export async function chooseAtBank(
  mongo: Mongo,
  id: string,
  { outcome, now = new Date() }: { outcome: DecisionName; now?: Date },
): Promise<Payment> {
  const opened = await goToBank(mongo, id, now);
  const decided = await recordDecision(mongo, opened, sandboxDecision(outcome, now));
  if (!decided) throw new Error(`The bank has already decided ${id}.`);
  return decided;
}

/** Sends the customer to the bank and back. The workflow has not released the attempt yet. */
export async function turnBackAtBank(mongo: Mongo, id: string, now = new Date()): Promise<Payment> {
  const leaving = await turnBack(mongo, await goToBank(mongo, id, now), now);
  if (!leaving) throw new Error(`${id} cannot turn back.`);
  return leaving;
}
