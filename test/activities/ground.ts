/**
 * Settling without Temporal: a database of the file's own. Starts of deliveries are only recorded.
 */
import { sandboxBank } from '../../activities/bank.ts';
import type { Bank } from '../../activities/bank.ts';
import type { Gate } from '../../outbound/gate.ts';
import { settlePayment } from '../../activities/settle.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Message } from '../../domain/verdict.ts';
import type { Mongo } from '../../store/mongo.ts';
import { insertPayment } from '../../store/payments.ts';
import type { SettleResult } from '../../workflows/messages.ts';
import { BANK_TIMEOUT_MS, stored } from '../support/bank.ts';
import { makeEndpoint } from '../support/rows/endpoint.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openDatabase } from '../support/mongo.ts';
import { LINKS } from '../support/worker.ts';

export const LOOK: Message = { kind: 'look' };

export interface SettleGround {
  readonly mongo: Mongo;
  /** Ids of the started deliveries in order, with repeats. */
  readonly started: string[];
  /** Called before a delivery is started. May throw. */
  beforeStart: () => void;
  bank: Bank;
  gate: Pick<Gate, 'foresee'> | undefined;
  settle(id: string, message?: Message, now?: Date): Promise<SettleResult>;
  /** Inserts a payment, and endpoints of its merchant. */
  begin(overrides?: Partial<Payment>, endpoints?: Partial<Endpoint>[]): Promise<Payment>;
  read(id: string): Promise<Payment>;
  eventsOf(tenant: string): ReturnType<typeof eventsOf>;
  deliveriesOf(tenant: string): ReturnType<typeof deliveriesOf>;
  close(): Promise<void>;
}

export async function openSettleGround(file: string): Promise<SettleGround> {
  const mongo = await openDatabase(file);
  const self: SettleGround = {
    mongo,
    started: [],
    beforeStart: () => undefined,
    bank: sandboxBank(mongo),
    gate: undefined,
    settle: async (id, message = LOOK, now = new Date()) => {
      const temporal = {
        startDelivery: async (deliveryId: string) => {
          self.beforeStart();
          self.started.push(deliveryId);
        },
      };
      const { bank, gate } = self;
      const settings = { links: LINKS, bankTimeoutMs: BANK_TIMEOUT_MS };
      const deps = { mongo, temporal, bank, ...settings, ...(gate ? { gate } : {}) };
      return settlePayment(deps, { payment_id: id, message, now_ms: now.getTime() });
    },
    begin: async (overrides = {}, endpoints = []) => {
      const payment = makePayment(overrides);
      const { m: tenant } = payment;
      await insertPayment(mongo, payment);
      const rows = endpoints.map((endpoint) => makeEndpoint({ m: tenant, ...endpoint }));
      if (rows.length > 0) await mongo.endpoints.insertMany(rows);
      return payment;
    },
    read: async (id) => stored(mongo, id),
    eventsOf: async (tenant) => eventsOf(mongo, tenant),
    deliveriesOf: async (tenant) => deliveriesOf(mongo, tenant),
    close: async () => mongo.close(),
  };
  return self;
}

async function eventsOf(mongo: Mongo, tenant: string) {
  return mongo.events.find({ m: tenant }).sort({ _id: 1 }).toArray();
}

async function deliveriesOf(mongo: Mongo, tenant: string) {
  return mongo.deliveries.find({ m: tenant }).sort({ _id: 1 }).toArray();
}
