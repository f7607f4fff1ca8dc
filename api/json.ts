/** Reading JSON that a stranger wrote: what JSON.parse lets through is not all harmless. */
import { Refusal } from './errors.ts';
import { MAX_JSON_DEPTH } from './limits.ts';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]/g;
/** NUL ends strings in other programs, and half a surrogate pair cannot be stored as UTF-8. */
const UNSTORABLE = /[\0\p{Cs}]/u;

const refuse = (message: string): Refusal => new Refusal('json_invalid', { message });

/**
 * The object that the text holds. Refuses (`json_invalid`) what is no JSON object, is nested too
 * deep, has a key twice, a key that means something to JavaScript, NUL or half surrogate pairs.
 */
export function parseObject(bytes: Uint8Array): Record<string, unknown> {
  const text = decode(bytes);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('The request body must be a JSON object.');
  }
  checkTokens(text);
  return value as Record<string, unknown>;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('The request body is not valid UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse('The request body is not valid JSON.');
  }
}

/** Walks the tokens of a text that JSON.parse has accepted; loops, because depth is an attack. */
function checkTokens(text: string): void {
  const open: Set<string>[] = [];
  let last = '';
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') checkKey(last, open.at(-1));
    else last = readString(token);
    if (open.length > MAX_JSON_DEPTH) {
      throw refuse(`The request body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
    }
  }
}

function readString(token: string): string {
  const text = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
  if (!UNSTORABLE.test(text)) return text;
  throw refuse('The request body has a string with NUL or half of a surrogate pair in it.');
}

function checkKey(key: string, seen: Set<string> | undefined): void {
  if (FORBIDDEN_KEYS.has(key)) throw refuse(`The request body has a forbidden key: ${key}.`);
  if (seen?.has(key)) throw refuse('The request body has the same key twice in one object.');
  seen?.add(key);
}

/** The value as JSON with sorted keys: two requests are the same when these texts are. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
