/** Reading JSON that a stranger wrote: what JSON.parse lets through is not all harmless. */
import { Refusal } from './errors.ts';
import { MAX_JSON_DEPTH, MAX_JSON_TOKENS } from './limits.ts';

const FORBIDDEN_KEYS = new Set(['__proto__', 'constructor', 'prototype']);
const TOKENS = /"[^"\\]*(?:\\.[^"\\]*)*"|[{}[\]:]|-?\d[\d.eE+-]*/g;
const STRING = /^"/;
const INTEGER = /^-?\d+$/;
/** NUL ends strings in other programs, and half a surrogate pair cannot be stored as UTF-8. */
const UNSTORABLE = /[\0\p{Cs}]/u;

/** A JSON number with a point or an exponent, as it was written: a double forgets `19.00`. */
export class DecimalNumber {
  readonly text: string;

  constructor(text: string) {
    this.text = text;
  }
}

const refuse = (message: string): Refusal => new Refusal('json_invalid', { message });

/**
 * Returns the object that the text holds. Its own numbers with a point or an exponent come as
 * `DecimalNumber`. Refuses (`json_invalid`) what is no JSON object, is nested too deep, has too
 * many parts, a key twice, a key that means something to JavaScript, NUL or half surrogate pairs.
 */
export function parseObject(bytes: Uint8Array): Record<string, unknown> {
  const text = decode(bytes);
  const value = parse(text);
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    throw refuse('The request body must be a JSON object.');
  }
  return { ...value, ...Object.fromEntries(readTokens(text)) };
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

/**
 * Checks the tokens of a text that JSON.parse has accepted, and returns the decimal numbers of the
 * outermost object by their keys. Loops, because depth is an attack, and gives up early.
 */
function readTokens(text: string): Map<string, DecimalNumber> {
  const open: Set<string>[] = [];
  const decimals = new Map<string, DecimalNumber>();
  let last = '';
  let count = 0;
  for (const [token] of text.matchAll(TOKENS)) {
    if (token === '{' || token === '[') open.push(new Set());
    else if (token === '}' || token === ']') open.pop();
    else if (token === ':') checkKey(last, open.at(-1));
    else if (STRING.test(token)) last = readString(token);
    else if (open.length === 1 && !INTEGER.test(token))
      decimals.set(last, new DecimalNumber(token));
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
