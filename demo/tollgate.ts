/** The two calls of the payment service's interface that a shop needs. */

import { setTimeout as sleep } from 'node:timers/promises';

import { Agent, request } from 'undici';

import { member, parseJson, textMember } from './json.ts';

/** A customer waits for the answer; a healthy service takes milliseconds. */
const ANSWER_TIMEOUT_MS = 5_000;
const CONNECT_TIMEOUT_MS = 2_000;
/** A payment is a few KiB; more than this is not a payment. */
const ANSWER_MAX_BYTES = 256 * 1024;
/** Long enough to outlast a restart of the service, short enough for somebody who watches. */
const CREATE_DELAYS_MS = [250, 1_000, 2_500];
/** One more try covers a dropped connection; webhooks and the mop-up come again by themselves. */
const RETRIEVE_DELAYS_MS = [250];
/** These say "not now" rather than "no". */
const RETRYABLE_STATUSES = new Set([408, 425, 429]);

export interface Payment {
  id: string;
  status: string;
  amount: number;
  currency: string;
  order_id: string | null;
  checkout_url: string;
}

export interface PaymentRequest {
  amount: number;
  currency: string;
  order_id: string;
  description: string;
  return_url: string;
  cancel_url: string;
  metadata: Record<string, string>;
}

/** The service understood and said no; asking again the same way is pointless. */
export class TollgateRefusal extends Error {
  override readonly name = 'TollgateRefusal';
  readonly status: number;
  readonly code: string;
  readonly requestId: string;

  constructor(answer: { status: number; code: string; message: string; requestId: string }) {
    super(answer.message);
    this.status = answer.status;
    this.code = answer.code;
    this.requestId = answer.requestId;
  }
}

/** No usable answer: whether the service did what was asked is unknown, so ask again. */
export class TollgateFault extends Error {
  override readonly name = 'TollgateFault';
}

export interface TollgateOptions {
  apiUrl: string;
  apiKey: string;
  /** Waits before the second, third ... try at creating a payment; tests shorten them. */
  createDelaysMs?: readonly number[];
}

export interface Tollgate {
  /** Creates the payment, or answers the one made before with the same key. */
  createPayment(body: PaymentRequest, idempotencyKey: string): Promise<Payment>;
  /** The payment as it is now. */
  retrievePayment(id: string): Promise<Payment>;
  /** Ends calls under way; they fail. */
  close(): Promise<void>;
}

/** A client for one key. Its calls throw TollgateRefusal or, after their retries, TollgateFault. */
export function createTollgate(options: TollgateOptions): Tollgate {
  const closing = new AbortController();
  const dispatcher = new Agent({
    connect: { timeout: CONNECT_TIMEOUT_MS },
    maxResponseSize: ANSWER_MAX_BYTES,
  });
  const call = async (path: string, init: CallInit): Promise<Payment> => {
    const headers = { ...init.headers, authorization: `Bearer ${options.apiKey}` };
    const signal = AbortSignal.any([closing.signal, AbortSignal.timeout(ANSWER_TIMEOUT_MS)]);
    const url = options.apiUrl.replace(/\/+$/, '') + path;
    try {
      const { body } = init;
      const answer = await request(url, { ...init, body, headers, signal, dispatcher });
      return readPayment(answer.statusCode, await answer.body.text());
    } catch (error) {
      if (error instanceof TollgateRefusal || error instanceof TollgateFault) throw error;
      throw new TollgateFault('the payment service could not be reached', { cause: error });
    }
  };
  const createDelaysMs = options.createDelaysMs ?? CREATE_DELAYS_MS;
  return {
    createPayment: (body, idempotencyKey) => {
      const headers = { 'content-type': 'application/json', 'idempotency-key': idempotencyKey };
      // The text is made once, so that every try sends the very same request.
      const init = { method: 'POST', headers, body: JSON.stringify(body) } as const;
      return retry(() => call('/v1/payments', init), createDelaysMs, closing.signal);
    },
    retrievePayment: (id) => {
      const init = { method: 'GET', headers: {}, body: null } as const;
      const path = `/v1/payments/${encodeURIComponent(id)}`;
      return retry(() => call(path, init), RETRIEVE_DELAYS_MS, closing.signal);
    },
    close: async () => {
      closing.abort();
      await dispatcher.destroy();
    },
  };
}

interface CallInit {
  method: 'GET' | 'POST';
  headers: Record<string, string>;
  body: string | null;
}

async function retry<T>(
  attempt: () => Promise<T>,
  delaysMs: readonly number[],
  signal: AbortSignal,
): Promise<T> {
  for (const delayMs of delaysMs) {
    try {
      return await attempt();
    } catch (error) {
      if (!(error instanceof TollgateFault)) throw error;
      await sleep(delayMs, undefined, { signal });
    }
  }
  return attempt();
}

function readPayment(status: number, text: string): Payment {
  const answer = parseJson(text);
  if (status >= 200 && status < 300 && isPayment(answer)) return answer;
  if (status < 400 || status >= 500 || RETRYABLE_STATUSES.has(status)) {
    throw new TollgateFault(`the payment service answered ${status} without a payment`);
  }
  const error = member(answer, 'error');
  throw new TollgateRefusal({
    status,
    code: textMember(error, 'code') || 'unknown',
    message: textMember(error, 'message') || `refused with status ${status}`,
    requestId: textMember(error, 'request_id'),
  });
}

function isPayment(value: unknown): value is Payment {
  return (
    ['id', 'status', 'currency'].every((name) => textMember(value, name) !== '') &&
    Number.isSafeInteger(member(value, 'amount')) &&
    // The customer is sent there: nothing but a web address will do.
    /^https?:\/\//.test(textMember(value, 'checkout_url'))
  );
}
