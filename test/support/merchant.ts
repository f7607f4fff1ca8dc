/** A merchant's server, as far as the tests play it: calls with its key, answers as they come. */
import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import type { PublicPayment } from '../../domain/wire.ts';
import { until } from './until.ts';

export interface PublicEvent {
  id: string;
  type: string;
  data: { object: PublicPayment };
}

export interface MerchantOptions {
  id: string;
  apiUrl: string;
  apiKey: string;
  /** Of its endpoint; empty when it has none. */
  secret: string;
}

export interface Merchant {
  readonly id: string;
  readonly apiKey: string;
  readonly secret: string;
  /** Sends a request; answers whatever status comes. */
  call(method: 'GET' | 'POST', path: string, body?: object, key?: string): Promise<Answer>;
  /** Creates a payment over 12,500 AMD with an idempotency key. Throws unless it is accepted. */
  create(key: string, fields?: object): Promise<PublicPayment>;
  retrieve(id: string): Promise<PublicPayment>;
  /** Decides in test mode; answers the payment, or throws what else was answered. */
  outcome(id: string, outcome: string): Promise<PublicPayment>;
  cancel(id: string): Promise<PublicPayment>;
  /** The payment's events, oldest first. */
  events(id: string): Promise<PublicEvent[]>;
}

export interface Answer {
  status: number;
  body: unknown;
}

/** An answer that does not come within this is a hang, not a slow service. */
const PATIENCE_MS = 20_000;
const UNAVAILABLE = 503;
/** How long the same wish is repeated while the service says that it is not available. */
const INSISTENCE_MS = 60_000;

export function makeMerchant({ id, apiUrl, apiKey, secret }: MerchantOptions): Merchant {
  const call: Merchant['call'] = async (method, path, body, key) => {
    const answer = await fetch(`${apiUrl}${path}`, {
      method,
      signal: AbortSignal.timeout(PATIENCE_MS),
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: answer.status, body: await answer.json() };
  };

  /** On a busy machine an answer may be late; the same key makes a repeat the same wish. */
  const insist: Merchant['call'] = async (...wish) =>
    until(
      async () => call(...wish),
      ({ status }) => status !== UNAVAILABLE,
      INSISTENCE_MS,
    );
  const read = async (path: string) => expectOf(200, insist('GET', path));
  const wish = async (path: string, body: object) =>
    (await expectOf(200, insist('POST', path, body, randomUUID()))) as PublicPayment;

  return {
    id,
    apiKey,
    secret,
    call,
    create: async (key, fields = {}) => {
      const common = { amount: 12_500, currency: 'AMD', return_url: 'https://shop.example/' };
      const body = { ...common, order_id: key, ...fields };
      return (await expectOf(201, insist('POST', '/v1/payments', body, key))) as PublicPayment;
    },
    retrieve: async (payment) => (await read(`/v1/payments/${payment}`)) as PublicPayment,
    outcome: async (payment, outcome) => wish(`/v1/test/payments/${payment}/outcome`, { outcome }),
    cancel: async (payment) => wish(`/v1/payments/${payment}/cancel`, {}),
    events: async (payment) => {
      const listed = await read(`/v1/events?payment_id=${payment}&limit=100`);
      return (listed as { data: PublicEvent[] }).data.toReversed();
    },
  };
}

async function expectOf(status: number, asked: Promise<Answer>): Promise<unknown> {
  const answer = await asked;
  assert.equal(answer.status, status, JSON.stringify(answer.body));
  return answer.body;
}
