/** A checkout on a free port, with a real MongoDB and a Temporal client that records its calls. */
import type { AddressInfo } from 'node:net';
import { randomBytes } from 'node:crypto';
import { BSON } from 'mongodb';
import { pino } from 'pino';
import { makeAddresses } from '../../checkout/address.ts';
import type { Addresses } from '../../checkout/address.ts';
import { createCheckout } from '../../checkout/app.ts';
import type { PageState } from '../../checkout/state.ts';
import { sandboxDecision } from '../../domain/bank.ts';
import type { Attempt, Payment } from '../../domain/payment.ts';
import type { Message } from '../../domain/verdict.ts';
import { refusePlainly } from '../../http/refuse.ts';
import { serve } from '../../http/serve.ts';
import type { Service } from '../../http/serve.ts';
import type { Mongo } from '../../store/mongo.ts';
import { insertPayment } from '../../store/payments.ts';
import type { Temporal } from '../../temporal/client.ts';
import type { SettleResult } from '../../workflows/messages.ts';
import { openDatabase } from '../support/mongo.ts';
import { makeAttempt, makePayment, makeTransfer } from '../support/rows/payment.ts';

export const BANK_TIMEOUT_MS = 60_000;
const MINUTE_MS = 60_000;

/** A client that records every call. `onAsk` and `onWake` stand in for the workflow. */
export class RecordingTemporal implements Temporal {
  wakes: string[] = [];
  asks: { payment: string; message: Message; id: string }[] = [];
  onWake: (payment: Payment) => Promise<void> = async () => {};
  onAsk: (payment: Payment) => Promise<SettleResult['status']> = async ({ status }) => status;

  async wakePayment(payment: Payment): Promise<void> {
    this.wakes.push(payment._id);
    await this.onWake(payment);
  }

  async askPayment(payment: Payment, message: Message, id: string): Promise<SettleResult> {
    this.asks.push({ payment: payment._id, message, id });
    return { status: await this.onAsk(payment), done: false, wake_at_ms: 0 };
  }

  async resumePayment(): Promise<boolean> {
    return true;
  }
  async resumeRefund(): Promise<boolean> {
    return true;
  }

  async startPayment(): Promise<void> {}
  async startRefund(): Promise<void> {}
  async resumeReplay(): Promise<void> {}
  async startDelivery(): Promise<void> {}
  async hastenDelivery(): Promise<void> {}
  async prepare(): Promise<void> {}
  async isReady(): Promise<boolean> {
    return true;
  }
  async close(): Promise<void> {}
}

export interface Bench {
  readonly mongo: Mongo;
  readonly temporal: RecordingTemporal;
  /** Every logged line. */
  readonly lines: string[];
  readonly origin: string;
  /** Returns the path of an attempt's page at the bank, by default of the last attempt. */
  bankPath(payment: Payment, tail?: Parameters<Addresses['bank']>[1], attemptId?: string): string;
  /** Sends a request. Does not follow redirects. */
  call(path: string, init?: RequestInit): Promise<Reply>;
  /** Submits a form. */
  post(path: string, fields?: Record<string, string>): Promise<Reply>;
  /** Stores a payment. */
  put(payment: Payment): Promise<Payment>;
  /** Returns the payment as it is stored now. */
  read(payment: Payment): Promise<Payment>;
  /** Returns the stored document as hex, to compare it byte for byte. */
  bytes(payment: Payment): Promise<string>;
  close(): Promise<void>;
}

interface Reply {
  status: number;
  location: string | null;
  headers: Headers;
  text: string;
}

/** More requests than any test sends, except those about limits. */
const PLENTY = { anonymous: { perSecond: 100_000, burst: 100_000 }, trustedHops: 0 };

export interface BenchOptions {
  /** By default the test database. */
  uri?: string;
  limits?: Partial<Parameters<typeof createCheckout>[0]['limits']>;
  /** Overrides of the server's production options. */
  service?: Partial<Service>;
}

export async function openBench(name: string, options: BenchOptions = {}): Promise<Bench> {
  const { uri, service } = options;
  const mongo = await openDatabase(name, uri === undefined ? {} : { uri });
  const temporal = new RecordingTemporal();
  const lines: string[] = [];
  const log = pino({ level: 'debug' }, { write: (line: string) => lines.push(line) });
  const links = { checkoutUrl: 'http://pay.example' };
  const signingKeys = { current: randomBytes(32), previous: [] };
  const bankTimeoutMs = BANK_TIMEOUT_MS;
  const limits = { ...PLENTY, ...options.limits };
  const app = createCheckout({ mongo, temporal, log, links, bankTimeoutMs, signingKeys, limits });
  const { server } = serve({ handle: app.callback(), refuse: refusePlainly, ...service });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const addresses = makeAddresses(links, signingKeys);

  const call = async (path: string, init: RequestInit = {}): Promise<Reply> => {
    const response = await fetch(origin + path, { redirect: 'manual', ...init });
    const { status, headers } = response;
    return { status, headers, location: headers.get('location'), text: await response.text() };
  };
  const read = async ({ _id }: Payment): Promise<Payment> =>
    (await mongo.payments.findOne({ _id }))!;
  return {
    mongo,
    temporal,
    lines,
    origin,
    call,
    read,
    bankPath: (payment, tail = '', attemptId = payment.attempts.at(-1)!.id) =>
      addresses.bank({ paymentId: payment._id, attemptId }, tail),
    post: async (path, fields = {}) =>
      call(path, { method: 'POST', body: new URLSearchParams(fields) }),
    put: async (payment) => {
      await insertPayment(mongo, payment);
      return payment;
    },
    bytes: async (payment) => Buffer.from(BSON.serialize(await read(payment))).toString('hex'),
    close: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
      await mongo.close();
    },
  };
}

export const CARD = { card_number: '4242 4242 4242 4242', expiry: '12/30', cvc: '123' };

const ago = (ms: number) => new Date(Date.now() - ms);
const approval = () => sandboxDecision('approve', new Date());
const atBank = (attempt: Partial<Attempt> = {}): Partial<Payment> => ({
  status: 'processing',
  attempts: [makeAttempt(attempt)],
});
const turnedBack = () => [makeAttempt({ status: 'turned_back' })];
const declined = () => [makeAttempt({ status: 'declined', failure_code: 'suspected_fraud' })];

const OVERRIDES: Record<PageState, () => Partial<Payment>> = {
  open: () => ({ attempts: turnedBack() }),
  over: () => ({ created_at: ago(31 * MINUTE_MS), attempts: turnedBack() }),
  at_bank: () => atBank(),
  instructed: () => ({ status: 'processing', attempts: [makeTransfer()] }),
  waiting: () => atBank({ bank: approval() }),
  leaving: () => atBank({ turned_back_at: new Date() }),
  silent: () => atBank({ created_at: ago(BANK_TIMEOUT_MS + 1) }),
  completed: () => ({ ...atBank({ bank: approval(), status: 'approved' }), status: 'completed' }),
  failed: () => ({ status: 'failed', attempts: declined() }),
  canceled: () => ({ status: 'canceled', attempts: declined() }),
  expired: () => ({ status: 'expired', attempts: declined() }),
};

export const STATES = Object.keys(OVERRIDES) as PageState[];

/** Returns a payment in that state. In every state it has an attempt. */
export function paymentIn(state: PageState, overrides: Partial<Payment> = {}): Payment {
  return makePayment({ ...OVERRIDES[state](), ...overrides });
}
