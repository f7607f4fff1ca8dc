/** Parses JSON from clients. Refuses some harmful JSON that JSON.parse accepts. */
import { shownName } from '../operations/names.ts';
import { Refusal } from '../operations/refusal.ts';
import { explainJson } from './jsonfault.ts';

/** Levels of objects and arrays in a body: the deepest valid one has 2. */
export const MAX_JSON_DEPTH = 8;
/** Names, values, colons and brackets of a body: the largest valid one has fewer than 250. */
const MAX_JSON_TOKENS = 1_000;
const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]|-?\d[\d.eE+-]*/g;
const STRING = /^"/;
const INTEGER = /^-?\d+$/;
/** NUL ends strings in other programs. Half a surrogate pair cannot be stored as UTF-8. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** The original text of numbers with a decimal point or an exponent, by top-level name. */
export type Decimals = ReadonlyMap<string, string>;

const refuse = (message: string): Refusal => new Refusal('json_invalid', { message });

/**
 * Returns the object in the text. Refuses (`json_invalid`) any other JSON value, and objects that
 * are nested too deep or have too many parts. Also refuses duplicate keys, keys with a meaning in
 * JavaScript, NUL, and halves of surrogate pairs.
 */
export function parseObject(bytes: Uint8Array) {
  const text = decode(bytes);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse(`The request body is ${kindOf(value)}. Send one JSON object, such as {}.`);
  }
  const decimals = readTokens(text);
  return { value: value as Record<string, unknown>, decimals };
}

/** Returns the words for a JSON value that is not an object. */
function kindOf(value: unknown): string {
  if (Array.isArray(value)) return 'a list';
  return value === null ? 'null' : `a ${typeof value}`;
}

function decode(bytes: Uint8Array): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    throw refuse('The request body is not valid UTF-8. Send it in UTF-8.');
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    throw refuse(explainJson(text));
  }
}

/**
 * Checks the tokens of a text that JSON.parse has accepted, and returns the decimals of the
 * outermost object. Uses a loop instead of recursion, because deep nesting is an attack, and stops
 * at the first fault.
 */
function readTokens(text: string): Decimals {
  const open: Set<string>[] = [];
  const decimals = new Map<string, string>();
  let last = '';
  let count = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') checkKey(last, open.at(-1));
    else if (STRING.test(token)) last = readString(token);
    else if (open.length === 1 && !INTEGER.test(token)) decimals.set(last, token);
    if (open.length > MAX_JSON_DEPTH) {
      throw refuse(`The request body is nested deeper than ${MAX_JSON_DEPTH} levels.`);
    }
    count += 1;
    if (count > MAX_JSON_TOKENS) throw refuse('The request body has too many names and values.');
  }
  return decimals;
}

function readString(token: string): string {
  const text = token.includes('\\') ? (JSON.parse(token) as string) : token.slice(1, -1);
  if (!UNSTORABLE.test(text)) return text;
  throw refuse('The request body has a string with NUL or half of a surrogate pair in it.');
}

function checkKey(key: string, seen: Set<string> | undefined): void {
  if (FORBIDDEN_KEYS.has(key)) throw refuse(`The request body has a forbidden key: ${key}.`);
  if (seen?.has(key)) {
    const shown = shownName(key) ?? 'a name';
    throw refuse(`The request body has ${shown} twice in one object. Remove one of them.`);
  }
  seen?.add(key);
}

/** Returns the value as JSON with sorted keys. Two requests are the same if these texts are. */
export function canonicalJson(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonicalJson).join(',')}]`;
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const members = Object.entries(value)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([key, member]) => `${JSON.stringify(key)}:${canonicalJson(member)}`);
  return `{${members.join(',')}}`;
}
