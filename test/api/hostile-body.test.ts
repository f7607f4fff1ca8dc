/** Bodies of every size, encoding and content type. */
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { codeOf, countAll, exchange, expectDocumented } from './hostile.ts';
import { PAYMENT, openStand } from './harness.ts';

const { mongo, tenant, api } = await openStand('hostile_body');

const LIMIT = 64 * 1024;
const BODY = Buffer.from(JSON.stringify(PAYMENT));
const JSON_TYPE = 'Content-Type: application/json';
/** Returns the body of a payment, padded with spaces to that number of bytes. */
const sized = (bytes: number): Buffer => Buffer.from(BODY.toString().padEnd(bytes, ' '));
const lengthOf = (body: Buffer): string => `Content-Length: ${body.length}`;

/** Returns the body in chunks of that number of bytes. */
function chunked(body: Buffer, size: number): Buffer {
  const parts: Buffer[] = [];
  for (let at = 0; at < body.length; at += size) {
    const part = body.subarray(at, at + size);
    parts.push(Buffer.from(`${part.length.toString(16)}\r\n`), part, Buffer.from('\r\n'));
  }
  return Buffer.concat([...parts, Buffer.from('0\r\n\r\n')]);
}

async function post(lines: readonly string[], body: Buffer): Promise<string | number> {
  const head = [
    'POST /v1/payments HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${tenant.secret}`,
    ...lines,
  ];
  const before = await countAll(mongo);
  const sent = Buffer.concat([Buffer.from(`${head.join('\r\n')}\r\n\r\n`, 'latin1'), body]);
  const [answer] = await exchange(api.port, sent, { answers: 1 });
  if (!answer) throw new Error('There was no response.');
  expectDocumented(answer);
  const made = answer.status === 201 ? 1 : 0;
  expect(await countAll(mongo)).toEqual({ ...before, payments: before['payments']! + made });
  return codeOf(answer);
}

describe('a body of 64 KiB', () => {
  it.each<[string, number, string | number]>([
    ['is accepted', LIMIT, 201],
    ['plus a byte is refused', LIMIT + 1, 'body_too_large'],
    ['times sixteen is refused', 16 * LIMIT, 'body_too_large'],
  ])('%s', async (_, bytes, code) => {
    const body = sized(bytes);
    expect(await post([JSON_TYPE, lengthOf(body)], body)).toBe(code);
    const inChunks = [JSON_TYPE, 'Transfer-Encoding: chunked'];
    for (const size of [1_000, bytes]) expect(await post(inChunks, chunked(body, size))).toBe(code);
  });

  it('may arrive byte by byte', async () => {
    const body = sized(2_000);
    expect(await post([JSON_TYPE, 'Transfer-Encoding: chunked'], chunked(body, 1))).toBe(201);
  });

  it('cannot be exceeded by chunk extensions', async () => {
    const body = Buffer.from(`5;${'a'.repeat(20_000)}\r\n{"a":\r\n0\r\n\r\n`);
    expect(await post([JSON_TYPE, 'Transfer-Encoding: chunked'], body)).toBe('body_too_large');
  });

  it('cannot be exceeded by trailers', async () => {
    const body = Buffer.from(`2\r\n{}\r\n0\r\nX-A: ${'a'.repeat(20_000)}\r\n\r\n`);
    expect(await post([JSON_TYPE, 'Transfer-Encoding: chunked'], body)).toBe('headers_too_large');
  });

  it('is measured while it is read, whatever Content-Length is', async () => {
    const claim = 'Content-Length: 9999999999';
    expect(await post([JSON_TYPE, claim], BODY)).toBe('body_too_large');
  });
});

const utf16 = (order: 'le' | 'be'): Buffer => {
  const bytes = Buffer.from(`\ufeff${BODY.toString()}`, 'utf16le');
  return order === 'le' ? bytes : bytes.swap16();
};

describe('an encoding', () => {
  it.each<[string, Buffer, string | number]>([
    ['UTF-16, little-endian', utf16('le'), 'json_invalid'],
    ['UTF-16, big-endian', utf16('be'), 'json_invalid'],
    ['UTF-8 with a BOM, which is ignored', Buffer.from(`\ufeff${BODY.toString()}`), 201],
    ['two BOMs', Buffer.from(`\ufeff\ufeff${BODY.toString()}`), 'json_invalid'],
    ['Latin 1', Buffer.from(`{"description":"caf\xe9"}`, 'latin1'), 'json_invalid'],
    ['UTF-7', Buffer.from('+AHsAIg-a+ACIAOg-1+AH0-'), 'json_invalid'],
    ['gzip without the header', gzipSync(BODY), 'json_invalid'],
    ['NULs after the end', Buffer.concat([BODY, Buffer.alloc(10)]), 'json_invalid'],
    ['a form', Buffer.from('amount=100&currency=AMD'), 'json_invalid'],
    ['XML', Buffer.from('<!DOCTYPE a [<!ENTITY b SYSTEM "file:///etc/passwd">]>'), 'json_invalid'],
    ['two objects', Buffer.concat([BODY, BODY]), 'json_invalid'],
    ['a comment', Buffer.concat([BODY, Buffer.from('// a')]), 'json_invalid'],
  ])('of the body: %s', async (_, body, code) => {
    expect(await post([JSON_TYPE, lengthOf(body)], body)).toBe(code);
  });

  it.each(['gzip', 'br', 'deflate', 'zstd', 'x-gzip', 'gzip, identity', 'aws-chunked', 'GZIP'])(
    'of the content is refused: %s',
    async (encoding) => {
      const body = gzipSync(BODY);
      const lines = [JSON_TYPE, `Content-Encoding: ${encoding}`, lengthOf(body)];
      expect(await post(lines, body)).toBe('content_type_unsupported');
    },
  );
});

describe('a content type', () => {
  it.each<readonly string[]>([
    [],
    ['Content-Type:'],
    ['Content-Type: text/plain'],
    ['Content-Type: text/json'],
    ['Content-Type: application/x-www-form-urlencoded'],
    ['Content-Type: multipart/form-data; boundary=a'],
    ['Content-Type: application/xml'],
    ['Content-Type: application/problem+json'],
    ['Content-Type: application/json-patch+json'],
    ['Content-Type: application/json, text/plain'],
    ['Content-Type: application/json; charset=utf-16'],
    ['Content-Type: application/json; charset=iso-8859-1'],
    ['Content-Type: application/json; charset=utf-8; charset=utf-7'],
    ['Content-Type: application/json; charset='],
    ['Content-Type: application/json\xff'],
    [`Content-Type: application/json;${' '.repeat(8_000)}x`],
    ['Content-Type: text/plain', 'Content-Type: application/json'],
  ])('that is not JSON in UTF-8 is refused: %j', async (...types) => {
    expect(await post([...types, lengthOf(BODY)], BODY)).toBe('content_type_unsupported');
  });

  it('is not required for an empty body', async () => {
    expect(await post(['Content-Length: 0'], Buffer.alloc(0))).toBe('parameter_missing');
    expect(await post([], Buffer.alloc(0))).toBe('parameter_missing');
    expect(await post([JSON_TYPE, 'Transfer-Encoding: chunked'], Buffer.from('0\r\n\r\n'))).toBe(
      'json_invalid',
    );
  });
});
