/** Requests to the API, as the merchant's developers see them afterwards. */
import { containsCardNumber } from './cardnumber.ts';
import type { TenantRow } from './merchant.ts';

/** How long requests are kept, in milliseconds: 7 days. */
export const CALL_KEPT_MS = 7 * 24 * 60 * 60 * 1_000;

export interface Call extends TenantRow {
  /** The request's id, as in the header `Request-Id`. */
  _id: string;
  at: Date;
  method: string;
  path: string;
  status: number;
  /** The error's code and message; null if the request succeeded. */
  error: { code: string; message: string } | null;
  key_id: string;
  duration_ms: number;
  /** The beginning of the JSON body without secrets; null if there was none. */
  body: string | null;
  /** True if the body was longer. */
  is_cut: boolean;
  /** The payment or refund that the response shows. */
  object_id: string | null;
  /** The number of earlier requests that may be missing before this one. */
  omitted?: number;
  /** What the list can be filtered by; made by `tagsOf`. */
  tags: string[];
}

export const STATUS_CLASSES = ['2xx', '4xx', '5xx'] as const;
export type StatusClass = (typeof STATUS_CLASSES)[number];

/** Filters of the list of requests. */
export interface CallFilter {
  readonly status?: StatusClass | undefined;
  /** A path as `routeOf` returns it. */
  readonly route?: string | undefined;
}

/** Matches an id in a path. */
const ID = /\/[a-z]{2,3}_[0-9A-Z]{26}(?=\/|$)/g;

/** Returns the path with `{id}` in place of ids. */
export const routeOf = (path: string): string => path.replaceAll(ID, '/{id}');

/** Returns the one tag that all requests of the filter have, so that one index serves every list. */
export const tagOf = ({ status, route }: CallFilter): string => `${status ?? ''} ${route ?? ''}`;

/** Returns the tags of a request: one for each filter that it matches. */
export function tagsOf({ status, path }: Pick<Call, 'status' | 'path'>): string[] {
  const of = `${Math.floor(status / 100)}xx` as StatusClass;
  const route = routeOf(path);
  return [{}, { status: of }, { route }, { status: of, route }].map(tagOf);
}

/** The most characters of a body that are kept. */
export const MAX_BODY_CHARS = 4_096;
const REMOVED = '[removed]';
/** Our secret keys and signing secrets, also if they are cut off. */
const SECRETS = /(?:sk_(?:test|live)_|whsec_)[\w+/=-]*/g;
const DIGIT_RUNS = /\d+(?:[\s.-]{1,2}\d+)*/g;
/** The end of a text that may be the beginning of a card number. */
const OPEN_END = /[\d\s.-]+$/;

/** Returns the beginning of a text without card numbers, keys and signing secrets. */
export function safeText(text: string): { text: string; isCut: boolean } {
  const isCut = text.length > MAX_BODY_CHARS;
  const kept = isCut ? text.slice(0, MAX_BODY_CHARS).replace(OPEN_END, '') : text;
  const safe = kept
    .replaceAll(SECRETS, REMOVED)
    .replaceAll(DIGIT_RUNS, (run) => (containsCardNumber(run) ? REMOVED : run));
  return { text: containsCardNumber(safe) ? REMOVED : safe, isCut };
}
