import { describe, expect, it } from 'vitest';
import { PAYMENT, openStand } from './harness.ts';

const { api } = await openStand('body');

const nest = (depth: number): string => '{"a":'.repeat(depth) + '1' + '}'.repeat(depth);
const LIMIT = 64 * 1024;
/** Returns the body of a payment, padded with spaces to that number of bytes. */
const sized = (bytes: number): string => JSON.stringify(PAYMENT).padEnd(bytes, ' ');
const withField = (json: string): string => JSON.stringify(PAYMENT).replace('{', `{${json},`);

describe('a body', () => {
  it.each([
    ['that is not JSON', '{"amount":'],
    ['of spaces only', '  '],
    ['that is a list', '[]'],
    ['that is a number', '5'],
    ['that is null', 'null'],
    ['with a trailing comma', '{"amount":1,}'],
    ['with NaN', '{"amount":NaN}'],
    ['nested 9 deep', nest(9)],
    ['nested 10,000 deep', nest(10_000)],
    ['of 60,000 brackets', '['.repeat(60_000)],
    ['with a key twice', withField('"amount":1')],
    ['with a key twice, once escaped', withField('"\\u0061mount":1')],
    ['with a metadata key twice', withField('"metadata":{"a":"1","a":"2"}')],
    ['with __proto__', withField('"__proto__":{"locale":"ru"}')],
    ['with __proto__, escaped', withField('"\\u005f_proto__":{}')],
    ['with constructor', withField('"metadata":{"constructor":"x"}')],
    ['with prototype', withField('"metadata":{"prototype":"x"}')],
    ['with NUL in a value', withField('"order_id":"a\\u0000b"')],
    ['with NUL in a key', withField('"a\\u0000b":1')],
    ['with half a surrogate pair', withField('"description":"\\ud83d"')],
    ['with the other half', withField('"description":"x\\ude00"')],
    ['with half a surrogate pair in a key', withField('"\\udfff":1')],
  ])('%s is refused', async (_, raw) => {
    const reply = await api.send('POST', '/v1/payments', { raw });
    expect(reply.status).toBe(400);
    expect(reply.json.error.code).toBe('json_invalid');
  });

  it('that is not UTF-8 is refused', async () => {
    const raw = Buffer.from(withField('"description":"caf\xe9"'), 'latin1');
    const reply = await api.send('POST', '/v1/payments', { raw });
    expect([reply.status, reply.json.error.code]).toEqual([400, 'json_invalid']);
  });

  it('with a number beyond the range of a double is refused', async () => {
    const raw = JSON.stringify(PAYMENT).replace('12500', '1e400');
    const reply = await api.send('POST', '/v1/payments', { raw });
    expect([reply.status, reply.json.error.param]).toEqual([400, 'amount']);
  });

  it.each([
    ['text/plain'],
    ['application/x-www-form-urlencoded'],
    ['application/json; charset=latin1'],
    ['application/json; charset=utf-16'],
    ['application/jsonp'],
    ['multipart/form-data; boundary=x'],
  ])('of type %s is refused', async (type) => {
    const headers = { 'Content-Type': type };
    const reply = await api.send('POST', '/v1/payments', { body: PAYMENT, headers });
    expect([reply.status, reply.json.error.code]).toEqual([415, 'content_type_unsupported']);
  });

  it('with a content encoding is refused', async () => {
    const headers = { 'Content-Encoding': 'gzip' };
    const reply = await api.send('POST', '/v1/payments', { body: PAYMENT, headers });
    expect(reply.status).toBe(415);
  });

  it.each([
    'application/json',
    'Application/JSON; charset=UTF-8',
    'application/json;charset="utf-8"',
  ])('of type %s is accepted', async (type) => {
    const headers = { 'Content-Type': type };
    const reply = await api.send('POST', '/v1/payments', { body: PAYMENT, headers });
    expect(reply.status).toBe(201);
  });

  it('of 64 KiB is accepted, and one byte more is refused', async () => {
    expect((await api.send('POST', '/v1/payments', { raw: sized(LIMIT) })).status).toBe(201);
    const reply = await api.send('POST', '/v1/payments', { raw: sized(LIMIT + 1) });
    expect([reply.status, reply.json.error.code]).toEqual([413, 'body_too_large']);
  });

  it('sent in chunks is measured too', async () => {
    const chunk = new TextEncoder().encode(' '.repeat(LIMIT / 2));
    let left = 3;
    const stream = new ReadableStream({
      pull(controller) {
        left -= 1;
        if (left < 0) controller.close();
        else controller.enqueue(chunk);
      },
    });
    const headers = { 'Content-Type': 'application/json' };
    const reply = await api.send('POST', '/v1/payments', {
      headers,
      ...({ raw: stream } as unknown as { raw: string }),
    });
    expect([reply.status, reply.json.error.code]).toEqual([413, 'body_too_large']);
  });

  it('with a whole surrogate pair and many languages is returned unchanged', async () => {
    const description = 'Շնորհակալություն, спасибо 🎟️';
    const metadata = { note: '\u{1F600}\u202E"\\' };
    const body = { ...PAYMENT, description, metadata };
    const reply = await api.send('POST', '/v1/payments', { body });
    expect(reply.json).toMatchObject({ description, metadata });
  });

  it('that is missing counts as an empty object', async () => {
    const reply = await api.send('POST', '/v1/payments');
    const params = reply.json.error.errors.map(({ param }: { param: string }) => param);
    expect(params).toEqual(['amount', 'currency', 'return_url']);
  });
});
