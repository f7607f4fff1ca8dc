/** Changes of payments by the API, and the writes that happen at the same time. */
import { expect } from 'vitest';
import { sandboxDecision } from '../../domain/bank.ts';
import type { SandboxOutcomeName } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import { searchTerms } from '../../domain/search.ts';
import { publicPayment } from '../../domain/wire.ts';
import { openAttempt, recordDecision } from '../../store/attempts.ts';
import { mintId } from '../../store/mint.ts';
import { changeDetails } from '../../store/payments.ts';
import { makeEntry } from '../support/audit.ts';
import { BANK_TIMEOUT_MS, LINKS, openStand, putPayment } from './harness.ts';

const TENDER = { type: 'card', card: { brand: 'visa', last4: '4242' } } as const;

/** Opens a stand with payments that have their search terms. */
export async function openUpdates(file: string) {
  const stand = await openStand(file);
  const { mongo, temporal, api } = stand;
  const read = async (id: string) => (await mongo.payments.findOne({ _id: id }))!;
  return {
    ...stand,
    read,
    put: async (overrides: Partial<Payment> = {}): Promise<Payment> => {
      const payment = await putPayment(stand, overrides);
      const set = { $set: { found_by: searchTerms(payment) } };
      await mongo.payments.updateOne({ _id: payment._id }, set);
      return read(payment._id);
    },
    update: async (id: string, body?: object, key?: string) =>
      api.send('POST', `/v1/payments/${id}`, {
        ...(body === undefined ? {} : { body }),
        ...(key === undefined ? {} : { key }),
      }),
    /** Lets `first` happen between the read and the write of the next transaction. */
    beforeNextWrite: (first: () => Promise<unknown>): void => {
      const honest = mongo.transact.bind(mongo);
      mongo.transact = async (body) => {
        mongo.transact = honest;
        await first();
        return honest(body);
      };
    },
    /** Changes the metadata as another server does, for that request. Returns its response. */
    changeElsewhere: async (id: string, metadata: Record<string, string>, request?: string) => {
      const before = await read(id);
      const updated_at = new Date(before.updated_at.getTime() + 1);
      const after = { ...before, metadata: { ...before.metadata, ...metadata }, updated_at };
      const text = JSON.stringify(publicPayment(after, LINKS));
      const response = request === undefined ? undefined : { id: request, text };
      const change = { before, after, entry: makeEntry(), response };
      expect(await changeDetails(mongo, change)).toBe(true);
      return text;
    },
    goToBank: async (payment: Payment): Promise<Payment> =>
      (await openAttempt(mongo, payment, {
        tender: TENDER,
        now: new Date(),
        bankTimeoutMs: BANK_TIMEOUT_MS,
      }))!,
    decide: async (id: string, outcome: SandboxOutcomeName) =>
      recordDecision(mongo, await read(id), sandboxDecision(outcome, new Date())),
    settle: async (id: string) =>
      temporal.askPayment(await read(id), { kind: 'look' }, mintId('request')),
    /** Returns the only event of the payment. */
    eventOf: async (id: string) => {
      const events = await mongo.events.find({ payment_id: id }).toArray();
      expect(events).toHaveLength(1);
      return JSON.parse(events[0]!.body);
    },
  };
}
