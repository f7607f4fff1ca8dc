/** A merchant's server: calls the API with its key. */
import { strict as assert } from 'node:assert';
import { randomUUID } from 'node:crypto';
import type { PublicPayment } from '../../domain/wire.ts';
import { untilAccepted } from './retry.ts';

export interface PublicEvent {
  id: string;
  type: string;
  data: { object: PublicPayment };
}

interface MerchantOptions {
  id: string;
  apiUrl: string;
  apiKey: string;
  /** The secret of its endpoint; empty if it has none. */
  secret: string;
}

/** All methods except `call` retry while the service is unavailable, and throw other refusals. */
export interface Merchant {
  readonly id: string;
  readonly apiKey: string;
  readonly secret: string;
  /** Sends a request once. Returns its response, whatever the status. */
  call(method: 'GET' | 'POST', path: string, body?: object, key?: string): Promise<ApiResponse>;
  /** Creates a payment of 12,500 AMD with an idempotency key, which is also its order id. */
  create(key: string, fields?: object): Promise<PublicPayment>;
  retrieve(id: string): Promise<PublicPayment>;
  /** Decides a payment with the test-mode call, and returns it. */
  outcome(id: string, outcome: string): Promise<PublicPayment>;
  cancel(id: string): Promise<PublicPayment>;
  /** Returns the payment's events, oldest first. */
  events(id: string): Promise<PublicEvent[]>;
}

interface ApiResponse {
  status: number;
  body: unknown;
}

/** The time limit of a response, even on a busy machine. */
export const HANG_MS = 80_000;

export function makeMerchant({ id, apiUrl, apiKey, secret }: MerchantOptions): Merchant {
  const call: Merchant['call'] = async (method, path, body, key) => {
    const response = await fetch(`${apiUrl}${path}`, {
      method,
      signal: AbortSignal.timeout(HANG_MS),
      headers: {
        Authorization: `Bearer ${apiKey}`,
        ...(body ? { 'Content-Type': 'application/json' } : {}),
        ...(key === undefined ? {} : { 'Idempotency-Key': key }),
      },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    return { status: response.status, body: await response.json() };
  };

  const expectStatus = async (expected: number, ...request: Parameters<Merchant['call']>) => {
    const { status, body } = await untilAccepted(async () => call(...request));
    assert.equal(status, expected, JSON.stringify(body));
    return body;
  };
  const post = async (path: string, body: object) =>
    (await expectStatus(200, 'POST', path, body, randomUUID())) as PublicPayment;

  return {
    id,
    apiKey,
    secret,
    call,
    create: async (key, fields = {}) => {
      const common = { amount: 12_500, currency: 'AMD', return_url: 'https://shop.example/' };
      const body = { ...common, order_id: key, ...fields };
      return (await expectStatus(201, 'POST', '/v1/payments', body, key)) as PublicPayment;
    },
    retrieve: async (payment) =>
      (await expectStatus(200, 'GET', `/v1/payments/${payment}`)) as PublicPayment,
    outcome: async (payment, outcome) => post(`/v1/test/payments/${payment}/outcome`, { outcome }),
    cancel: async (payment) => post(`/v1/payments/${payment}/cancel`, {}),
    events: async (payment) => {
      const listed = await expectStatus(200, 'GET', `/v1/events?payment_id=${payment}&limit=100`);
      return (listed as { data: PublicEvent[] }).data.toReversed();
    },
  };
}
