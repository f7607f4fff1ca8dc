/** The cost of checking the most expensive bodies of 64 KiB, compared with parsing them. */
import { describe, expect, it } from 'vitest';
import { Refusal } from '../../operations/refusal.ts';
import { EVENT_LIST } from '../../api/events.ts';
import { readKey } from '../../api/body.ts';
import { parseObject } from '../../api/json.ts';
import { MAX_BODY_BYTES } from '../../api/body.ts';
import { MAX_URI_LENGTH } from '../../http/limits.ts';
import { PAYMENT_LIST } from '../../api/payments.ts';
import { parseListQuery, refuseParameters } from '../../api/query.ts';
import { cancelSchema, outcomeSchema, paymentSchema, refundSchema } from '../../api/schemas.ts';
import { compile, validate } from '../../api/validate.ts';

/** The longest check of a 64 KiB body, as a multiple of the time to parse it. */
const MAX_RATIO = 8;
const MAX_ROUNDS = 10;

const SCHEMAS = [paymentSchema, refundSchema, cancelSchema, outcomeSchema].map(compile);

/** Returns a body of 64 KiB that repeats `unit` between head and tail. */
function fill(head: string, unit: (index: number) => string, tail: string): string {
  const parts = [head];
  let left = MAX_BODY_BYTES - Buffer.byteLength(head + tail);
  for (let index = 0; ; index += 1) {
    const part = unit(index);
    left -= Buffer.byteLength(part);
    if (left < 0) return [...parts, tail].join('');
    parts.push(part);
  }
}

const REST = '"amount":12500,"currency":"AMD"';
const text = (field: string, unit: string, head = ''): string =>
  fill(`{${REST},"${field}":"${head}`, () => unit, '"}');
const members = (unit: (index: number) => string): string => fill('{"a":1', unit, '}');
const metadata = (unit: (index: number) => string): string =>
  fill(`{${REST},"metadata":{"a":""`, unit, '}}');
const numbers = (unit: string): string => fill('{"a":[1', () => unit, ']}');

/** Metadata with the maximum number of values, each of the maximum length. */
const values = (unit: string): string => {
  const value = unit.repeat(1_000).slice(0, 500);
  const all = Array.from({ length: 50 }, (_, i) => `"k${i}":"${value}"`);
  return `{${REST},"metadata":{${all.join(',')}}}`;
};

const UNITS = ['a', '0 ', '4 ', '4/', '4444-', '٤ ', '\u200b4', '%34', '\\u0034 ', '\u0300\u0316'];
const BODIES: readonly (readonly [what: string, body: string])[] = [
  ...['description', 'reason', 'order_id', 'return_url', 'cancel_url', 'expires_at', 'currency']
    .flatMap((field) => UNITS.map((unit) => [field, unit] as const))
    .map(([field, unit]) => [`${field} of ${unit}`, text(field, unit)] as const),
  ...['a.', '1-', 'հ', 'م.', '../', '%34%20', ' '].map(
    (unit) => [`address of ${unit}`, text('return_url', unit, 'https://a.am/')] as const,
  ),
  ...['a.', '1-', 'հ', 'م.'].map(
    (unit) => [`host of ${unit}`, text('return_url', unit, 'https://')] as const,
  ),
  ...UNITS.map((unit) => [`metadata values of ${unit}`, values(unit)] as const),
  ...['0 ', '4 ', '6304/', 'a'].map((unit): [string, string] => [
    `too many metadata values of ${unit}`,
    metadata((i) => `,"k${i}":"${unit.repeat(1_000).slice(0, 500)}"`),
  ]),
  ['unknown names', members((i) => `,"k${i.toString(36)}":1`)],
  ['long unknown names', members((i) => `,"${i}${'a'.repeat(500)}":1`)],
  ['escaped unknown names', members((i) => `,"\\u0041${i.toString(36)}":1`)],
  ['metadata keys', metadata((i) => `,"${i.toString(36)}":""`)],
  ['malformed metadata keys', metadata((i) => `,"k ${i.toString(36)}":1`)],
  ['metadata keys of digits', metadata((i) => `,"4-4-${i}":""`)],
  ['a long metadata key', fill(`{${REST},"metadata":{"`, () => '4-', '":""}}')],
  ['brackets', '['.repeat(MAX_BODY_BYTES)],
  ['nested lists', '['.repeat(MAX_BODY_BYTES / 2) + ']'.repeat(MAX_BODY_BYTES / 2)],
  ['nested objects', '{"a":'.repeat(10_000) + '1' + '}'.repeat(10_000)],
  ...['1', '1.5e3', '""', '"\\n"', '{}', '{"a":1}', '[]'].map((item): [string, string] => [
    `a list of ${item}`,
    numbers(`,${item}`),
  ]),
  ['a long integer', fill('{"amount":1', () => '2', '}')],
  ['a long fraction', fill('{"amount":1.', () => '0', '}')],
  ['a long exponent', fill('{"amount":1e', () => '9', '}')],
  ['backslashes', fill('{"a":"', () => '\\\\', '"}')],
  ['quotes', fill('{"a":"', () => '\\"', '"}')],
  ['half surrogates', fill('{"a":"', () => '\\ud83d', '"}')],
  ['backslashes without an end', fill('{"a":"', () => '\\\\', '')],
];

/** Runs a check, which may refuse. */
function attempt(check: () => unknown): void {
  try {
    check();
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
  }
}

const PLAIN = members((i) => `,"k${i.toString(36)}":1`);
const parse = (): unknown => JSON.parse(PLAIN);

/**
 * Returns true if no check takes longer than the parsing times a factor. The shortest of several
 * runs counts, because the machine may be busy.
 */
function isCheap(works: readonly (() => void)[], factor = MAX_RATIO): boolean {
  const shortest = new Map<() => unknown, number>();
  for (let round = 0; round < MAX_ROUNDS; round += 1) {
    for (const work of [parse, ...works]) {
      const begun = performance.now();
      work();
      const ms = performance.now() - begun;
      shortest.set(work, Math.min(shortest.get(work) ?? ms, ms));
    }
    const limitMs = (shortest.get(parse) ?? 0) * factor;
    if (works.every((work) => (shortest.get(work) ?? 0) < limitMs)) return true;
  }
  return false;
}

describe('checking a body of 64 KiB', () => {
  it.each(BODIES)('costs little more than parsing it: %s', (_, sent) => {
    const bytes = Buffer.from(sent);
    expect(bytes.length).toBeLessThanOrEqual(MAX_BODY_BYTES);
    const checks = SCHEMAS.map((schema) => () => {
      attempt(() => {
        const { value: body, decimals } = parseObject(bytes);
        validate(schema, { body, decimals });
      });
    });
    expect(isCheap(checks)).toBe(true);
  });
});

const repeated = (head: string, unit: string): string =>
  head + unit.repeat((MAX_URI_LENGTH - head.length) / unit.length);
const QUERIES = [
  Array.from({ length: 2_000 }, (_, i) => i.toString(36)).join('&'),
  repeated('', 'limit=1&'),
  repeated('', 'created_at[gte]=1&'),
  repeated('created_at[gte]=', '2026-'),
  repeated('created_at[gte]=', '('),
  repeated('status=', 'a,'),
  repeated('type=', ','),
  repeated('type=', 'payment.*,'),
  repeated('order_id=', '4+'),
  repeated('order_id=', '%30%20'),
  repeated('', '%00='),
];

describe('reading a query string or a key of the largest size', () => {
  it.each(QUERIES)('costs less than parsing a body: %.40s', (query) => {
    const work = (): void => {
      for (const list of [PAYMENT_LIST, EVENT_LIST]) attempt(() => parseListQuery(list, query));
      attempt(() => refuseParameters(query));
    };
    expect(isCheap([work])).toBe(true);
  });

  it.each(['4-', '0/', '4444-', '%34', 'k'])(
    'costs less than parsing a body: a key of %s',
    (unit) => {
      for (const length of [255, 16_000]) {
        const key = unit.repeat(length).slice(0, length);
        expect(isCheap([() => attempt(() => readKey(key))], 1)).toBe(true);
      }
    },
  );
});
