/** The input and output of a handler. They know nothing of Koa, so a handler is a function. */
import type { Mode } from '../domain/merchant.ts';
import type { Log } from '../log.ts';
import type { MerchantRequest, PaymentServices, RequestResult } from '../operations/idempotency.ts';
import type { Temporal } from '../temporal/client.ts';
import type { Documents } from './documents.ts';
import type { Body } from './body.ts';
import type { ApiLimits } from './rate.ts';

export interface ApiOptions extends PaymentServices {
  readonly temporal: Temporal;
  readonly log: Log;
  /** The public address of this API, without a slash at the end. Links begin with it. */
  readonly apiUrl: string;
  readonly limits: ApiLimits;
  /** The documentation as one page of HTML; it may have code and styles inline. */
  readonly docsPage: string;
}

/** The arguments of a handler that needs no key. */
export interface Published extends ApiOptions {
  readonly documents: Documents;
  readonly readiness: () => Promise<Answer>;
}

/** The state of a request, which the middlewares share. */
export interface ApiState {
  requestId: string;
  /** Merchant and mode, once the request is authenticated. */
  m?: string;
  /** The id of the key, for the log. Set once the key is found, even if it is then refused. */
  keyId?: string;
}

export interface Caller {
  readonly mode: Mode;
  /** Merchant and mode: the tenant of every query. */
  readonly m: string;
}

/** A call with a key. `body` is the object that was sent, without nulls at its top level. */
export interface Call extends Body {
  readonly api: ApiOptions;
  readonly caller: Caller;
  /** The id in the path; empty for paths without one. */
  readonly id: string;
  /** The query string as it was sent. */
  readonly query: string;
  /** The call as the operations take it. */
  readonly request: MerchantRequest;
}

export interface Answer {
  readonly status: number;
  /** The body as it is sent. It is bytes if many responses share it. */
  readonly text: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (call: Call) => Promise<Answer>;
/** A handler that needs no key, because it has nothing of a merchant. */
export type OpenHandler = (api: Published) => Promise<Answer>;

/** Returns the response of that status with the object as its body. */
export function answerWith(status: number, object: unknown): Answer {
  return { status, text: JSON.stringify(object) };
}

/** Returns the response of that status to a request that has created or changed an object. */
export function answerResult(status: number, { text, isReplay }: RequestResult): Answer {
  return { status, text, ...(isReplay ? { headers: { 'Idempotent-Replayed': 'true' } } : {}) };
}
