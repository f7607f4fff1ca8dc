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
  /** The beginning of the JSON body without secrets; null if there was none, or it was too long. */
  body: string | null;
  /** True if the body was longer than what is kept. */
  is_cut: boolean;
  /** The payment or refund that the response shows. */
  object_id: string | null;
  /** The number of earlier requests that may be missing before this one. */
  omitted?: number;
  /** The values for the list's filters; made by `tagsOf`. */
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

/** The most characters of a text that are kept. */
export const MAX_KEPT_CHARS = 4_096;
const REMOVED = '[removed]';
/** Our secret keys and signing secrets. */
const SECRETS = /(?:sk_(?:test|live)_|whsec_)[\w+/=-]*/g;
/** The end of a text that may be the beginning of a card number. */
const OPEN_END = /[\d\s.-]+$/;

/** Returns the text without keys and signing secrets; nothing of it if it has a card number. */
export function safeText(text: string): string {
  return containsCardNumber(text) ? REMOVED : text.replaceAll(SECRETS, REMOVED);
}

/**
 * Returns a JSON object as text without card numbers, keys and signing secrets, cut at the limit.
 * Keeps only the values of members that are `known`: people send card codes under other names.
 */
export function safeBody(
  json: string,
  known: ReadonlySet<string>,
): { text: string; isCut: boolean } {
  const body = JSON.parse(json) as Record<string, unknown>;
  const kept = Object.entries(body).map(([name, value]) => [
    safeText(name),
    known.has(name) ? safeValue(value) : REMOVED,
  ]);
  // A number may also be spread over several values.
  const text = safeText(JSON.stringify(Object.fromEntries(kept)));
  if (text.length <= MAX_KEPT_CHARS) return { text, isCut: false };
  return { text: text.slice(0, MAX_KEPT_CHARS).replace(OPEN_END, ''), isCut: true };
}

function safeValue(value: unknown): unknown {
  if (typeof value === 'string') return safeText(value);
  if (typeof value === 'number') return containsCardNumber(String(value)) ? REMOVED : value;
  if (Array.isArray(value)) return value.map(safeValue);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).map(([name, inner]) => [safeText(name), safeValue(inner)]);
  return Object.fromEntries(members) as unknown;
}
