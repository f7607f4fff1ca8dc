/** Query strings of every list, and ids in every path. */
import { beforeAll, describe, expect, it } from 'vitest';
import { ROUTES } from '../../api/routes.ts';
import { mintId } from '../../store/mint.ts';
import { countAll, expectDocumented } from './hostile.ts';
import { makeTenant, putPayment, openStand } from './harness.ts';
import type { Reply } from './harness.ts';

const stand = await openStand('hostile_query');

let counts: Record<string, number>;
beforeAll(async () => {
  await putPayment(stand, { order_id: 'a' });
  counts = await countAll(stand.mongo);
});

async function get(path: string): Promise<Reply> {
  const reply = await stand.api.send('GET', path);
  expectDocumented(reply);
  return reply;
}

/** Every list, with the parameters that not all lists have. */
const LISTS: Record<string, readonly string[]> = {
  '/v1/payments': ['status', 'order_id'],
  '/v1/refunds': ['payment_id', 'status'],
  '/v1/events': ['type', 'payment_id'],
  '/v1/webhook-endpoints': [],
};
const COMMON = ['limit', 'starting_after', 'ending_before', 'created_at[gte]', 'created_at[lt]'];
const CASES = Object.entries(LISTS).flatMap(([path, own]) =>
  [...COMMON, ...own].map((name): [string, string] => [path, name]),
);

const isList = ([method, path]: (typeof ROUTES)[number]): boolean =>
  method === 'GET' && !path.includes(':id') && path !== '/v1/currencies';

it('LISTS has every list', () => {
  const paths = ROUTES.filter(isList).map(([, path]) => path);
  expect(Object.keys(LISTS).toSorted()).toEqual(paths.toSorted());
});

const OPERATORS = [
  '$ne',
  '$gt',
  '$gte',
  '$in',
  '$regex',
  '$where',
  '$exists',
  '',
  '0',
  '__proto__',
];

describe('a parameter', () => {
  it.each(CASES)('of %s accepts no operator: %s', async (path, name) => {
    for (const operator of OPERATORS) {
      for (const text of ['', '1']) {
        const query = `${name}[${operator}]=${text}`;
        for (const sent of [query, query.replace(/[[\]$]/g, encodeURIComponent)]) {
          const reply = await get(`${path}?${sent}`);
          expect([sent, reply.status]).toEqual([sent, 400]);
        }
      }
    }
  });

  it.each(CASES)('of %s is refused if it is repeated or an object: %s', async (path, name) => {
    for (const query of [`${name}=1&${name}=1`, `${name}=1&${name}=2`, `${name}=[object Object]`]) {
      const free = name === 'order_id' && !query.includes('&');
      expect((await get(`${path}?${query}`)).status).toBe(free ? 200 : 400);
    }
  });

  it.each([
    '0',
    '-1',
    '101',
    '1.5',
    '1e1',
    '0x10',
    '+5',
    ' 5',
    '5%20',
    '٥',
    '',
    'NaN',
    '%00',
    '1%00',
    '9'.repeat(400),
    '5;10',
    '5,10',
    '%F0%9F%98%80',
    'null',
    'true',
    '010abc',
  ])('named limit is refused unless it is an integer from 1 to 100: %s', async (text) => {
    expect((await get(`/v1/payments?limit=${text}`)).json.error.code).toBe('limit_out_of_range');
  });

  it.each([
    '',
    'x',
    '%00',
    'pay_',
    `pay_${'Z'.repeat(26)}`,
    `pay_${'0'.repeat(26)}%00`,
    '%ff',
    '../x',
    'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV',
    'pay_01arz3ndektsv4rrffq69g5fav',
    '%5B%5D',
    '%7B%7D',
  ])('that is a cursor is refused unless it is an id of that list: %s', async (text) => {
    for (const name of ['starting_after', 'ending_before']) {
      const { error } = (await get(`/v1/payments?${name}=${text}`)).json;
      expect([error.code, error.param]).toEqual(['cursor_invalid', name]);
    }
  });

  it.each([
    '',
    'x',
    '0',
    '1767225600',
    '2026-13-01T00:00:00Z',
    '2026-01-01',
    '%00',
    '9'.repeat(500),
    '2026-01-01T00:00:00',
    '2026-02-30T00:00:00Z',
    '2026-01-01T00:00:00+02:00',
    'now',
    '-1',
  ])(
    'that is a time is refused unless it is in RFC 3339 form and URL-encoded: %s',
    async (text) => {
      const { error } = (await get(`/v1/payments?created_at[gte]=${text}`)).json;
      expect([error.code, error.param]).toEqual(['parameter_invalid', 'created_at[gte]']);
    },
  );

  it.each([
    '__proto__',
    'constructor',
    'toString',
    'prototype[a]',
    'm',
    'merchant_id',
    '$where',
    '',
  ])('that is unknown is refused with its name: %s', async (name) => {
    const { error } = (await get(`/v1/payments?${encodeURIComponent(name)}=1`)).json;
    expect([error.code, error.param]).toEqual(['parameter_unknown', name]);
  });

  it('of any length gets a short response', async () => {
    const many = Array.from({ length: 1_500 }, (_, i) => i.toString(36)).join('&');
    for (const query of [many, 'a'.repeat(8_000), '&'.repeat(8_000), '%00'.repeat(2_500)]) {
      const reply = await get(`/v1/payments?${query}`);
      expect(reply.text.length).toBeLessThan(16 * 1024);
    }
  });

  it.each([
    'order_id=%00',
    'order_id=',
    `order_id=${'o'.repeat(129)}`,
    'status=,',
    'status=created,',
  ])('that can match nothing is refused: %s', async (query) => {
    expect((await get(`/v1/payments?${query}`)).json.error.code).toBe('parameter_invalid');
  });

  it('named order_id is compared as text and never as a pattern', async () => {
    for (const text of ['.*', '^a', '$ne', '{"$ne":1}', 'A', 'a%20', '%25', 'a%0A', '%ff']) {
      const reply = await get(`/v1/payments?order_id=${text}`);
      expect([text, reply.json.data]).toEqual([text, []]);
    }
  });
});

const WITH_ID = ROUTES.filter(([, path]) => path.includes(':id')).map(
  ([method, path]): [string, string] => [method, path],
);

/** Valid bodies of the calls that need one, by the end of their path. */
const BODIES: Readonly<Record<string, object>> = {
  ':id': { description: 'Tea' },
  outcome: { outcome: 'approve' },
  advance: { to: 'expiry' },
};

describe('an id', () => {
  it.each(WITH_ID)(
    'that is malformed, unknown or of another merchant gets 404: %s %s',
    async (method, path) => {
      const other = await makeTenant(stand.mongo);
      const theirs = await putPayment({ mongo: stand.mongo, tenant: other });
      const before = await countAll(stand.mongo);
      const body = BODIES[path.split('/').at(-1) ?? ''] ?? {};
      const ids = [
        theirs._id,
        mintId('payment'),
        mintId('event'),
        `${mintId('refund')}%00`,
        '%00',
        '%zz',
        '%ff',
        '%ed%a0%80',
        '..%2f..',
        '$ne',
        '[object%20Object]',
        '__proto__',
        'a'.repeat(4_000),
        '%0d%0aX-A:%20b',
        '%F0%9F%98%80',
        encodeURIComponent('{"$ne":null}'),
        'null',
        '%2e%2e',
      ];
      for (const id of ids) {
        const sent = method === 'POST' ? { body } : {};
        const reply = await stand.api.send(method, path.replace(':id', id), sent);
        expectDocumented(reply);
        expect([id, reply.status]).toEqual([id, 404]);
        expect(reply.headers.get('x-a')).toBeNull();
      }
      expect(await countAll(stand.mongo)).toEqual(before);
      expect(await stand.mongo.payments.findOne({ _id: theirs._id })).toEqual(theirs);
    },
  );
});

it('no request of this file created anything', async () => {
  const now = await countAll(stand.mongo);
  const others = WITH_ID.length;
  expect(now).toEqual({ ...counts, payments: counts['payments']! + others });
});
