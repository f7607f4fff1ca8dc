/** One test payment through the public addresses, as a merchant and a customer make it. */
import { randomBytes } from 'node:crypto';
import type { Payment, Refund, Tollgate } from '../sdk/index.ts';
import { openPage, submitForm } from './browser.ts';
import type { Page } from './browser.ts';
import type { EventSource } from './events.ts';

/** The time limit of a step. A refund takes some seconds on a busy machine. */
const STEP_MS = 30_000;

const AMOUNT = 12_500;
const CARD = { card_number: '4242 4242 4242 4242', expiry: '12/34', cvc: '123' };

export interface Step {
  readonly step: 'create' | 'checkout' | 'bank' | 'webhook' | 'event' | 'retrieve' | 'refund';
  readonly duration_ms: number;
  /** The id or the state that the step has led to; null if it failed. */
  readonly result: string | null;
  /** Null if the step succeeded. */
  readonly error: string | null;
}

export interface Round {
  /** True if every step succeeded. */
  readonly ok: boolean;
  readonly payment: string | null;
  readonly duration_ms: number;
  /** The steps up to the first that failed. */
  readonly steps: readonly Step[];
}

export interface SmokeOptions {
  readonly client: Tollgate;
  readonly events: EventSource;
  /** Ends the round. */
  readonly signal: AbortSignal;
  readonly onStep: (step: Step) => void;
  /** Returns an error in one sentence. */
  readonly toText: (error: unknown) => string;
}

/** Makes a payment, pays it, and refunds it. Never throws: a failed step ends the round. */
export async function smokePayment(options: SmokeOptions): Promise<Round> {
  const { client, events } = options;
  const startedMs = performance.now();
  const record = makeRecord(options);
  const { step } = record;
  let payment: Payment | undefined;
  try {
    payment = await step('create', async (signal) => {
      const created = await client.payments.create(newPayment(), { signal });
      return [created, created.id];
    });
    const { id, checkout_url: url } = payment;
    const bank = await step('checkout', async (signal) => {
      const checkout = await openPage(url, signal);
      const page = await submitForm(checkout, CARD, signal);
      return [page, page.view];
    });
    await step('bank', async (signal) => {
      const page: Page = await submitForm(bank, { outcome: 'approve' }, signal);
      return [page, page.view];
    });
    await step(events.step, async (signal) => {
      const event = await events.wait({ type: 'payment.completed', paymentId: id }, signal);
      return [event, event];
    });
    await step('retrieve', async (signal) => {
      const { status, amount } = await client.payments.retrieve(id, { signal });
      if (status === 'completed' && amount === AMOUNT) return [status, status];
      throw new Error(`The payment is ${status}, although its event says that it is completed.`);
    });
    await step('refund', async (signal) => {
      const { id: refundId } = await client.refunds.create({ payment_id: id }, { signal });
      await events.wait({ type: 'refund.completed', paymentId: id }, signal);
      const refund: Refund = await client.refunds.retrieve(refundId, { signal });
      if (refund.status === 'completed') return [refund, refund.id];
      throw new Error(`The refund is ${refund.status}, although its event says otherwise.`);
    });
  } catch {
    // The failed step is in the record.
  }
  const steps = record.steps();
  return {
    ok: steps.every(({ error }) => error === null),
    payment: payment?.id ?? null,
    duration_ms: Math.round(performance.now() - startedMs),
    steps,
  };
}

function newPayment() {
  return {
    amount: AMOUNT,
    currency: 'AMD',
    order_id: `smoke-${randomBytes(4).toString('hex')}`,
    description: 'tollgate smoke',
    return_url: 'https://shop.example/return',
  } as const;
}

type Work<T> = (signal: AbortSignal) => Promise<readonly [value: T, result: string]>;

/** Returns a function that runs a step within its time, and the record of all steps. */
function makeRecord({ signal: stop, onStep, toText }: SmokeOptions) {
  const steps: Step[] = [];
  const note = (step: Step): void => {
    steps.push(step);
    onStep(step);
  };
  return {
    steps: (): readonly Step[] => steps,
    step: async <T>(name: Step['step'], work: Work<T>): Promise<T> => {
      const startedMs = performance.now();
      const took = (): number => Math.round(performance.now() - startedMs);
      const limit = startLimit(stop);
      try {
        const [value, result] = await work(limit.signal);
        note({ step: name, duration_ms: took(), result, error: null });
        return value;
      } catch (error) {
        note({ step: name, duration_ms: took(), result: null, error: toText(error) });
        throw error;
      } finally {
        limit.end();
      }
    },
  };
}

/** Returns a signal that aborts after the time of a step, or when `stop` does. */
function startLimit(stop: AbortSignal) {
  const limit = new AbortController();
  const end = new Error(`It took longer than ${STEP_MS / 1_000} s.`);
  const timer = setTimeout(() => limit.abort(end), STEP_MS);
  const abort = (): void => limit.abort(stop.reason);
  stop.addEventListener('abort', abort);
  if (stop.aborted) abort();
  return {
    signal: limit.signal,
    end: () => {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
    },
  };
}
