/** Every text that a merchant can send, with characters that often cause faults. */
import { beforeAll, describe, expect, it } from 'vitest';
import { cancelSchema, outcomeSchema, paymentSchema, refundSchema } from '../../api/schemas.ts';
import { codeOf, countAll, exchange, expectDocumented } from './hostile.ts';
import { PAYMENT, putPayment, openStand } from './harness.ts';
import type { Reply } from './harness.ts';

const stand = await openStand('hostile_text');

/** Texts that every free text field stores unchanged. */
const KEPT: [string, string][] = [
  ['a line break', 'a\nb'],
  ['CR and LF', 'a\r\nSet-Cookie: b=c'],
  ['a tab', 'a\tb'],
  ['a control character', 'a\u0001\u001b[31mb\u007f'],
  ['a C1 control character', 'a\u0085b'],
  ['line separators', 'a\u2028b\u2029c'],
  ['a right-to-left override', 'a\u202egnp.exe'],
  ['invisible characters', '\u200b\u200d\u2060\ufeff'],
  ['a leading BOM', '\ufeffa'],
  ['four-byte characters', '😀🎟️👩‍👩‍👧'],
  ['a noncharacter', 'a\uffff\u{10ffff}b'],
  ['different Unicode forms', 'e\u0301 ≠ é'],
  ['Armenian', 'Շնորհակալություն'],
  ['markup', '<script>alert(1)</script>"\'`${a}{{a}}'],
  ['an operator', '$where'],
  ['text like JSON', '{"$ne":1}\\u0000'],
  ['a path', '../../etc/passwd'],
];

/** Malformed texts, which JSON.stringify would not write. */
const BROKEN: [string, string | Buffer][] = [
  ['NUL', '\\u0000'],
  ['NUL inside', 'a\\u0000b'],
  ['a high surrogate', '\\ud83d'],
  ['a low surrogate', '\\ude00'],
  ['surrogates in the wrong order', '\\ude00\\ud83d'],
  ['a raw line break', '\n'],
  ['a raw tab', '\t'],
  ['a raw NUL', '\0'],
  ['an unknown escape', '\\x41'],
  ['half an escape', '\\u12'],
  ['a surrogate in UTF-8', Buffer.from([0xed, 0xa0, 0x80])],
  ['a byte that begins no character', Buffer.from([0xff])],
  ['an overlong form', Buffer.from([0xc0, 0xaf])],
  ['half a character', Buffer.from([0xf0, 0x9f, 0x98])],
];

/** A call with a free text field: its body with that text, and the text in its response. */
interface Place {
  readonly path: string;
  readonly body: (text: string) => object;
  readonly read: (answer: Reply['json']) => unknown;
}

let paid = '';
const payment = (fields: object): object => ({ ...PAYMENT, ...fields });
const PLACES: Record<string, Place> = {
  'order_id of a payment': {
    path: '/v1/payments',
    body: (order_id) => payment({ order_id }),
    read: (answer) => answer.order_id,
  },
  'description of a payment': {
    path: '/v1/payments',
    body: (description) => payment({ description }),
    read: (answer) => answer.description,
  },
  'metadata of a payment': {
    path: '/v1/payments',
    body: (a) => payment({ metadata: { a } }),
    read: (answer) => answer.metadata.a,
  },
  'reason of a cancellation': {
    path: '/v1/payments/:id/cancel',
    body: (reason) => ({ reason }),
    read: (answer) => answer.cancellation.reason,
  },
  'description of a refund': {
    path: '/v1/refunds',
    body: (description) => ({ payment_id: paid, amount: 1, description }),
    read: (answer) => answer.description,
  },
  'metadata of a refund': {
    path: '/v1/refunds',
    body: (a) => ({ payment_id: paid, amount: 1, metadata: { a } }),
    read: (answer) => answer.metadata.a,
  },
};

beforeAll(async () => {
  paid = (await putPayment(stand, { status: 'completed', amount: 50_000 }))._id;
});

async function post({ path }: Place, sent: { body?: object; raw?: Buffer }): Promise<Reply> {
  const id = path.includes(':id') ? (await putPayment(stand))._id : '';
  const reply = await stand.api.send('POST', path.replace(':id', id), sent);
  expectDocumented(reply);
  return reply;
}

/** Returns the body as bytes, with `inside` in place of the text. */
function rawWith({ body }: Place, inside: string | Buffer): Buffer {
  const [head = '', tail = ''] = JSON.stringify(body('@@')).split('@@');
  return Buffer.concat([Buffer.from(head), Buffer.from(inside), Buffer.from(tail)]);
}

describe.each(Object.entries(PLACES))('the %s', (_name, place) => {
  it.each(KEPT)('is returned unchanged with %s', async (_, text) => {
    const reply = await post(place, { body: place.body(text) });
    expect(reply.status).toBeLessThan(300);
    expect(place.read(reply.json)).toBe(text);
    const { object, id } = reply.json;
    const again = await stand.api.send('GET', `/v1/${object}s/${id}`);
    expect(place.read(again.json)).toBe(text);
  });

  it.each(BROKEN)('is refused with %s', async (_, inside) => {
    const before = await countAll(stand.mongo);
    if (place.path.includes(':id')) before['payments']! += 1;
    const reply = await post(place, { raw: rawWith(place, inside) });
    expect([reply.status, reply.json.error.code]).toEqual([400, 'json_invalid']);
    expect(await countAll(stand.mongo)).toEqual(before);
  });
});

/** Every call, with its free text fields. All other fields have a strict form. */
const STRICT = [
  ['/v1/payments', PAYMENT, paymentSchema, ['order_id', 'description', 'metadata', 'amount']],
  ['/v1/payments/:id/cancel', {}, cancelSchema, ['reason']],
  ['/v1/test/payments/:id/outcome', {}, outcomeSchema, []],
  ['/v1/refunds', {}, refundSchema, ['description', 'metadata', 'amount', 'expected_refundable']],
] as const;

const STRICT_FIELDS = STRICT.flatMap(([path, right, { properties }, free]) =>
  Object.keys(properties)
    .filter((field) => !(free as readonly string[]).includes(field))
    .map((field): [string, string, object] => [path, field, right]),
);

describe('a field with a strict form', () => {
  it.each(STRICT_FIELDS)('of %s refuses all hostile texts: %s', async (path, field, right) => {
    const { _id } = await putPayment(stand);
    for (const [name, text] of KEPT) {
      const body = { ...right, [field]: text };
      const reply = await stand.api.send('POST', path.replace(':id', _id), { body });
      expectDocumented(reply);
      expect([name, reply.status]).toEqual([name, 400]);
      expect(reply.json.error.errors.map(({ param }: { param: string }) => param)).toContain(field);
    }
  });

  it.each(KEPT)('that is a URL encodes or refuses the text: %s', async (_, text) => {
    const return_url = `https://shop.example/a${text}b`;
    const reply = await stand.api.send('POST', '/v1/payments', { body: payment({ return_url }) });
    expectDocumented(reply);
    // A URL without control characters and unknown placeholders is stored as browsers write it.
    if (reply.status === 400) expect(reply.json.error.code).toBe('url_invalid');
    else expect(reply.json.return_url).toBe(new URL(return_url).href);
    const isRefused = /\p{Cc}|\{[A-Za-z]+\}/u.test(text);
    expect(isRefused).toBe(reply.status === 400);
  });

  it.each(KEPT)('that is a metadata key refuses the text: %s', async (_, text) => {
    const body = payment({ metadata: { [text]: 'a' } });
    const reply = await stand.api.send('POST', '/v1/payments', { body });
    expectDocumented(reply);
    expect(reply.status).toBe(400);
  });
});

describe('the header Link', () => {
  it.each([
    'a\r\nSet-Cookie: b=c',
    'a>; rel="next", <https://evil.example',
    'ж\u2028"',
    '%0d%0aX: y',
  ])('has filters in URL-encoded form only: %j', async (order_id) => {
    for (let i = 0; i < 2; i += 1) await putPayment(stand, { order_id });
    const query = new URLSearchParams({ limit: '1', order_id });
    const head = ['Host: a', `Authorization: Bearer ${stand.tenant.secret}`, 'Connection: close'];
    const sent = `GET /v1/payments?${query} HTTP/1.1\r\n${head.join('\r\n')}\r\n\r\n`;
    const [answer, ...more] = await exchange(stand.api.port, sent);
    expect([codeOf(answer!), more, answer!.headers.get('set-cookie')]).toEqual([200, [], null]);
    const link = answer!.headers.get('link') ?? '';
    const [, next = ''] = /^<([^<>\s]+)>; rel="next"$/.exec(link) ?? [];
    expect(new URL(next).searchParams.get('order_id')).toBe(order_id);
    expect(new URL(next).origin).toBe('https://api.example');
  });
});
