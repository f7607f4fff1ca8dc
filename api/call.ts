/** The input and output of a handler: independent of Koa, so a handler is a plain function. */
import type { Call as LoggedCall } from '../domain/call.ts';
import type { Mode } from '../domain/merchant.ts';
import type { Rate } from '../http/sender.ts';
import type { Log } from '../log.ts';
import type { MerchantRequest, PaymentServices, RequestResult } from '../operations/idempotency.ts';
import type { Temporal } from '../temporal/client.ts';
import type { Body } from './body.ts';

export interface ApiLimits {
  /** The rate of each merchant, for test and live mode separately. */
  readonly merchant: Rate;
  /** The rate of each address, for requests without a valid key. */
  readonly anonymous: Rate;
  /** The number of our proxies before this server. Each adds to X-Forwarded-For. */
  readonly trustedHops: number;
}

/** A request for the log. `body` is the whole body, as canonical JSON. */
export type NotedCall = Omit<LoggedCall, 'tags' | 'is_cut' | 'omitted'>;

/** Where requests are noted. */
export interface RequestLog {
  /** Keeps a request in memory. Never throws or waits. */
  note(call: NotedCall): void;
}

export interface ApiOptions extends PaymentServices {
  readonly temporal: Temporal;
  readonly log: Log;
  /** The public address of this API, without a slash at the end. Links begin with it. */
  readonly apiUrl: string;
  readonly limits: ApiLimits;
  /** The time for a request before its response is 503, by default 4.3 s. */
  readonly workMs?: number;
  readonly requestLog: RequestLog;
  /** Aborts when the server begins to stop. */
  readonly stopping?: AbortSignal;
  /** The files of the documentation. Its pages may have inline code and styles. */
  readonly docs: readonly DocsFile[];
  /** Reads the package of the client, a file .tgz. It is kept after the first download. */
  readonly readClient: () => Promise<Buffer>;
}

export interface DocsFile {
  /** As in `/docs/quickstart`. */
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** The state of a request, which the middlewares share. */
export interface ApiState {
  requestId: string;
  /** Merchant and mode, once the request is authenticated. */
  tenant?: string;
  /** The id of the key, for the log. Set once the key is found, even if it is then refused. */
  keyId?: string;
  /** Merchant and mode of that key, for the request log. */
  keyTenant?: string;
  /** The JSON body, for the request log. */
  body?: string;
  /** The payment or refund in the response, for the request log. */
  objectId?: string;
  /** Why the request was refused, for the request log. */
  refused?: { readonly code: string; readonly message: string };
}

export interface Caller {
  readonly mode: Mode;
  /** Merchant and mode: the tenant of every query. */
  readonly tenant: string;
  /** The id of the key. */
  readonly keyId: string;
}

/** A call with a key. `body` is the object that was sent, usually without nulls at its top level. */
export interface Call extends Body {
  readonly api: ApiOptions;
  readonly caller: Caller;
  /** The id in the path; empty for paths without one. */
  readonly id: string;
  /** The query string as it was sent. */
  readonly query: string;
  /** The same call in the form that `operations/` takes. */
  readonly request: MerchantRequest;
}

export interface Reply {
  readonly status: number;
  /** The body. It is bytes if many responses share it. */
  readonly text: string | Buffer;
  readonly headers?: Readonly<Record<string, string>>;
}

export type Handler = (call: Call) => Promise<Reply>;

/** Returns a reply with the object as its body. */
export const replyWith = (status: number, object: unknown): Reply => ({
  status,
  text: JSON.stringify(object),
});

/** Returns the reply to a request that has created or changed an object. */
export const replyWithResult = (status: number, { text, isReplay }: RequestResult): Reply => ({
  status,
  text,
  ...(isReplay ? { headers: { 'Idempotent-Replayed': 'true' } } : {}),
});
