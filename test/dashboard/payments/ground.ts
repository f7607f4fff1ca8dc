/** Payments of a merchant, made by the operations that the API calls, and what pages show of them. */
import { emptyRequest } from './request.ts';
import type { Delivery, DeliveryAttempt } from '../../../domain/delivery.ts';
import type { Payment } from '../../../domain/payment.ts';
import { searchTerms } from '../../../domain/search.ts';
import { sandboxDecision } from '../../../domain/bank.ts';
import type { DecisionName } from '../../../domain/bank.ts';
import { createPayment } from '../../../operations/create-payment.ts';
import { openAttempt, recordDecision } from '../../../store/attempts.ts';
import { recordAttempt } from '../../../store/deliveries.ts';
import { mintId } from '../../../store/mint.ts';
import { stored } from '../../support/bank.ts';
import { makePayment } from '../../support/rows/payment.ts';
import { openGround } from '../harness.ts';
import type { Ground } from '../harness.ts';

export const CARD = { brand: 'visa', last4: '4242' };

export interface Payments extends Ground {
  /** Creates a payment of 12,500 AMD as the API does. Returns its id. */
  create(fields?: Partial<Parameters<typeof createPayment>[1]>): Promise<string>;
  /** Stores a payment as it is given. */
  put(overrides?: Partial<Payment>): Promise<Payment>;
  /** Sends the customer to the bank. */
  goToBank(id: string): Promise<Payment>;
  /** Lets the bank decide, and settles the payment. */
  decide(id: string, outcome: DecisionName): Promise<void>;
  read(id: string): Promise<Payment>;
  /** Records an attempt of the newest delivery that is pending. */
  attempt(attempt: Partial<DeliveryAttempt>, state: Delivery['state']): Promise<void>;
}

/** Serves the dashboard, with helpers for payments. */
export async function openPayments(
  file: string,
  options: Parameters<typeof openGround>[1] = {},
): Promise<Payments> {
  const ground = await openGround(file, options);
  const { mongo, tenant, temporal } = ground;
  const read = async (id: string) => stored(mongo, id);
  return {
    ...ground,
    read,
    async create(fields = {}) {
      const given = {
        amount: 12_500,
        currency: 'AMD',
        return_url: 'https://shop.example/return',
        expires_at: undefined,
        ...fields,
      };
      const key = `key-${mintId('request')}`;
      const { text } = await createPayment(emptyRequest(ground, key), given);
      return (JSON.parse(text) as { id: string }).id;
    },
    async put(overrides = {}) {
      const row = makePayment({ merchant_id: ground.merchant._id, m: tenant, ...overrides });
      await mongo.payments.insertOne({ ...row, found_by: searchTerms(row) });
      return row;
    },
    async goToBank(id) {
      const how = {
        tender: { type: 'card', card: CARD },
        now: new Date(),
        bankTimeoutMs: 900_000,
      } as const;
      return (await openAttempt(mongo, await read(id), how))!;
    },
    async decide(id, outcome) {
      await recordDecision(mongo, await read(id), sandboxDecision(outcome, new Date()));
      await temporal.askPayment(await read(id), { kind: 'look' }, mintId('request'));
    },
    async attempt(attempt, state) {
      const [delivery] = await mongo.deliveries
        .find({ m: tenant, state: 'pending' })
        .sort({ _id: -1 })
        .limit(1)
        .toArray();
      const number = delivery!.attempts.length + 1;
      const at = new Date();
      const made = { number, at, duration_ms: 34, status: 200, error: null, ...attempt };
      const nextAttemptAt = state === 'pending' ? new Date(at.getTime() + 5_000) : null;
      await recordAttempt(mongo, delivery!, { attempt: made, state, nextAttemptAt });
    },
  };
}

/** Returns the lines of text in the element with that id, without times. */
export function linesIn(html: string, id: string): string[] {
  const [, rest = ''] = html.split(new RegExp(`<section id="${id}"[^>]*>`));
  const [section = ''] = rest.split('</section>');
  return section
    .replaceAll(/<time[^>]*>[^<]*<\/time>/g, '')
    .replaceAll(/<\/(?:p|li|h2)>|<(?:ul|li|p)>/g, '\n')
    .replaceAll(/<[^>]+>/g, '')
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== '');
}

/** Returns the ids of the listed payments, in order. */
export const listedIn = (html: string): string[] =>
  [...html.matchAll(/href="\/payments\/(pay_\w+)"/g)].map(([, id = '']) => id);
