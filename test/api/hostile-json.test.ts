/** Hostile JSON in every field of every call with a body. */
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import * as schemas from '../../api/schemas.ts';
import { updateSchema } from '../../api/update.ts';
import { countAll, expectDocumented } from './hostile.ts';
import { PAYMENT, putPayment, openStand } from './harness.ts';
import type { Reply } from './harness.ts';

const stand = await openStand('hostile_json');

/** Every call with a body: a valid body, and its schema. */
const CALLS: Record<string, { right: object; schema: { properties: object } }> = {
  '/v1/payments': { right: PAYMENT, schema: schemas.paymentSchema },
  '/v1/payments/:id': { right: { description: 'Tea' }, schema: updateSchema },
  '/v1/payments/:id/cancel': { right: {}, schema: schemas.cancelSchema },
  '/v1/test/payments/:id/outcome': { right: { outcome: 'approve' }, schema: schemas.outcomeSchema },
  '/v1/test/payments/:id/advance': { right: { to: 'expiry' }, schema: schemas.advanceSchema },
  '/v1/refunds': { right: { payment_id: '' }, schema: schemas.refundSchema },
};
const PATHS = Object.keys(CALLS);

let id: string;
let before: unknown;
beforeAll(async () => {
  const paid = { status: 'completed', amount: 500 } as const;
  CALLS['/v1/refunds']!.right = { payment_id: (await putPayment(stand, paid))._id };
  id = (await putPayment(stand))._id;
  before = await state();
});
afterEach(async () => {
  expect(await state()).toEqual(before);
});

const state = async () => ({
  counts: await countAll(stand.mongo),
  payment: await stand.mongo.payments.findOne({ _id: id }),
});

/** Sends the body to that call. Refusals change nothing, which is checked after each test. */
async function post(path: string, raw: string): Promise<Reply> {
  const reply = await stand.api.send('POST', path.replace(':id', id), { raw });
  expectDocumented(reply);
  return reply;
}

/** Returns the valid body of a call as text, with one field set to that JSON. */
function bodyWith(path: string, field: string, json: string): string {
  const { right } = CALLS[path]!;
  const rest = Object.entries(right).filter(([name]) => name !== field);
  const members = rest.map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`);
  return `{${[...members, `${JSON.stringify(field)}:${json}`].join(',')}}`;
}

it('CALLS lists every call with a body', () => {
  const posts = ROUTES.filter(([method]) => method === 'POST').map(([, path]) => path);
  expect(PATHS.toSorted()).toEqual(posts.toSorted());
});

const FIELDS = PATHS.flatMap((path) =>
  Object.keys(CALLS[path]!.schema.properties).map((field): [string, string] => [path, field]),
);

describe('a field', () => {
  it.each(FIELDS)('of %s accepts no operator or other structure: %s', async (path, field) => {
    const hostile = [
      '{"$ne":null}',
      '{"$gt":""}',
      '{"$where":"sleep(1)"}',
      '[]',
      '[1]',
      '["a"]',
      'true',
      '1.5',
      '1e0',
    ];
    for (const json of hostile) {
      const reply = await post(path, bodyWith(path, field, json));
      expect([json, reply.status]).toEqual([json, 400]);
      expect(reply.json.error.param.split('.')[0]).toBe(field);
    }
  });

  it.each(PATHS)(
    'of %s is unknown if it is named like an operator or a JavaScript property',
    async (path) => {
      const names = ['$ne', '$set', 'toString', 'hasOwnProperty', '_id', 'm', 'status', 'livemode'];
      for (const name of names) {
        const reply = await post(path, bodyWith(path, name, '{"$ne":1}'));
        expect(reply.json.error.errors).toContainEqual(
          expect.objectContaining({ param: name, code: 'parameter_unknown' }),
        );
      }
    },
  );
});

/** Places for a member, down to the greatest depth that a body may have. */
const PLACES: [string, (member: string) => string][] = [
  ['at the top', (member) => `{${member}}`],
  ['in metadata', (member) => `{"metadata":{${member}}}`],
  ['in a list', (member) => `{"a":[{${member}}]}`],
  ['eight levels down', (member) => `${'{"a":'.repeat(7)}{${member}}${'}'.repeat(7)}`],
];

describe.each(PATHS)('a body for %s', (path) => {
  it.each(PLACES)('is refused with a key that JavaScript treats specially %s', async (_, place) => {
    for (const key of [
      '__proto__',
      'constructor',
      'prototype',
      '\\u005f_proto__',
      'constru\\u0063tor',
    ]) {
      const reply = await post(path, place(`"${key}":{"admin":true}`));
      expect([key, reply.json.error.code]).toEqual([key, 'json_invalid']);
    }
    expect(({} as Record<string, unknown>)['admin']).toBeUndefined();
  });

  it.each([
    ['of lists', '['.repeat(32_000) + ']'.repeat(32_000)],
    ['of lists without end', '['.repeat(64 * 1024)],
    ['of objects', `${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}`],
    ['of both', `{"a":${'[{"a":'.repeat(8_000)}1${'}]'.repeat(8_000)}}`],
    ['in metadata', `{"metadata":${'{"a":'.repeat(10_000)}1${'}'.repeat(10_000)}}`],
  ])('is refused if it is deeply nested: %s', async (_, raw) => {
    expect((await post(path, raw)).json.error.code).toBe('json_invalid');
  });

  it.each([
    '[]',
    '[{}]',
    '5',
    '"text"',
    'null',
    'true',
    '{}{}',
    '{} x',
    '{"a":1,}',
    "{'a':1}",
    '{a:1}',
    '',
  ])('is refused if it is not one JSON object: %s', async (raw) => {
    const reply = await post(path, raw || ' ');
    expect([reply.status, reply.json.error.code]).toEqual([400, 'json_invalid']);
  });

  it.each([
    ['names', Array.from({ length: 400 }, (_, i) => `"k${i}":1`).join(',')],
    ['values', `"a":[${'1,'.repeat(1_000)}1]`],
    ['texts', `"a":[${'"",'.repeat(1_000)}""]`],
    ['objects', `"a":[${'{},'.repeat(600)}{}]`],
    [
      'names in metadata',
      `"metadata":{${Array.from({ length: 400 }, (_, i) => `"k${i}":""`).join()}}`,
    ],
  ])('is refused with too many names and values: %s', async (_, members) => {
    const { error } = (await post(path, `{${members}}`)).json;
    expect([error.code, error.message]).toEqual([
      'json_invalid',
      'The request body has too many names and values.',
    ]);
  });

  it('is refused with a repeated key', async () => {
    const field = Object.keys(CALLS[path]!.schema.properties)[0]!;
    const reply = await post(path, `{"${field}":"a","${field}":"b"}`);
    expect(reply.json.error.code).toBe('json_invalid');
  });
});

describe('an amount', () => {
  it.each([
    ['1e400', 'parameter_invalid'],
    ['-1e400', 'parameter_invalid'],
    ['12.5', 'parameter_invalid'],
    ['1e-5', 'parameter_invalid'],
    ['-0', 'amount_too_small'],
    ['0', 'amount_too_small'],
    ['-100', 'amount_too_small'],
    ['9007199254740993', 'amount_too_large'],
    ['123456789012345678901234567890', 'amount_too_large'],
    ['1e21', 'parameter_invalid'],
    ['1e3', 'parameter_invalid'],
    ['100.0', 'parameter_invalid'],
    ['1000e-1', 'parameter_invalid'],
    ['-0.0', 'parameter_invalid'],
    ['9'.repeat(60_000), 'parameter_invalid'],
    [`1.${'0'.repeat(60_000)}`, 'parameter_invalid'],
    [`1e${'9'.repeat(60_000)}`, 'parameter_invalid'],
    ['"100"', 'parameter_invalid'],
    ['"1e2"', 'parameter_invalid'],
    ['""', 'parameter_invalid'],
  ])('of %s is refused, for a payment and for a refund', async (json, code) => {
    for (const path of ['/v1/payments', '/v1/refunds']) {
      const { error } = (await post(path, bodyWith(path, 'amount', json))).json;
      expect([error.param, error.code]).toEqual(['amount', code]);
      expect(error.message.length).toBeLessThan(300);
    }
  });

  it.each(['0100', '+100', '0x64', '.5', '1.', '1_000', '٥٠٠', 'NaN', 'Infinity', '1n'])(
    'is not JSON as %s',
    async (json) => {
      const reply = await post('/v1/payments', bodyWith('/v1/payments', 'amount', json));
      expect(reply.json.error.code).toBe('json_invalid');
    },
  );

  it('of 99999999 is accepted', async () => {
    const reply = await post('/v1/payments', bodyWith('/v1/payments', 'amount', '99999999'));
    expect([reply.status, reply.json.amount]).toEqual([201, 99_999_999]);
    before = await state();
  });

  it('with a decimal point is refused with the integer to send, in the currency of the body', async () => {
    const url = '"return_url":"https://shop.example/"';
    const reply = await post('/v1/payments', `{"amount":19.00,"currency":"EUR",${url}}`);
    expect(reply.json.error).toMatchObject({
      code: 'parameter_invalid',
      param: 'amount',
      message: 'amount 19.00 has a decimal point. Send 1900 for 19.00 EUR.',
    });
  });

  it('with a decimal point does not hide other errors', async () => {
    const { error } = (await post('/v1/payments', '{"amount":19.00,"locale":"de"}')).json;
    const params = error.errors.map(({ param }: { param: string }) => param);
    expect(params).toEqual(['amount', 'currency', 'return_url', 'locale']);
    expect(error.message).toContain("Send an integer in the currency's minor unit");
  });

  it.each(['19.00', '1e3', '0.0', '1e400'])(
    'must be an integer in expected_refundable too, not %s',
    async (json) => {
      const reply = await post('/v1/refunds', bodyWith('/v1/refunds', 'expected_refundable', json));
      const { param, code, message } = reply.json.error;
      expect([param, code]).toEqual(['expected_refundable', 'parameter_invalid']);
      expect(message).toContain(`expected_refundable ${json} `);
    },
  );

  it('of a refund is refused before its payment is looked up', async () => {
    const body = `{"payment_id":"pay_01ARZ3NDEKTSV4RRFFQ69G5FAV","amount":19.00}`;
    const { error } = (await post('/v1/refunds', body)).json;
    expect([error.code, error.param]).toEqual(['parameter_invalid', 'amount']);
    expect(error.message).toMatch(/^amount 19\.00 has a decimal point\. Send an integer/);
  });
});
