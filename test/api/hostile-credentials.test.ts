/** API keys and idempotency keys in the headers. */
import { describe, expect, it } from 'vitest';
import { codeOf, countAll, exchange, expectDocumented } from './hostile.ts';
import { PAYMENT, openStand } from './harness.ts';

const { mongo, tenant, api } = await openStand('hostile_credentials');

const BODY = JSON.stringify(PAYMENT);
const CLOSED = 'Connection: close';

function post(lines: readonly string[]): Buffer {
  const head = [
    'POST /v1/payments HTTP/1.1',
    'Host: a',
    `Authorization: Bearer ${tenant.secret}`,
    'Content-Type: application/json',
    `Content-Length: ${BODY.length}`,
    CLOSED,
    ...lines,
  ];
  return Buffer.from(`${head.join('\r\n')}\r\n\r\n${BODY}`, 'latin1');
}

async function codesOf(sent: Buffer): Promise<(string | number)[]> {
  const answers = await exchange(api.port, sent);
  for (const answer of answers) expectDocumented(answer);
  return answers.map(codeOf);
}

const bare = (...lines: string[]): Buffer =>
  Buffer.from(
    ['GET /v1/payments HTTP/1.1', 'Host: a', CLOSED, ...lines, '', ''].join('\r\n'),
    'latin1',
  );

describe('Authorization', () => {
  it.each<[string, () => string[], string]>([
    ['Basic', () => [`Basic ${btoa(`${tenant.secret}:`)}`], 'api_key_missing'],
    ['Digest', () => ['Digest username="a"'], 'api_key_missing'],
    ['the key alone', () => [tenant.secret], 'api_key_missing'],
    ['two schemes', () => [`Bearer Bearer ${tenant.secret}`], 'api_key_missing'],
    ['a list', () => [`Bearer ${tenant.secret}, Bearer ${tenant.secret}`], 'api_key_missing'],
    ['a tab', () => [`Bearer\t${tenant.secret}`], 'api_key_missing'],
    ['quotes', () => [`Bearer "${tenant.secret}"`], 'api_key_invalid'],
    ['other characters', () => ['Bearer sk_test_\xe9\xff'], 'api_key_invalid'],
    ['other digits', () => [`Bearer ${tenant.secret}\xb2`], 'api_key_invalid'],
    ['12 KiB', () => [`Bearer sk_test_${'a'.repeat(12_000)}`], 'api_key_invalid'],
    ['12 KiB of spaces', () => [`Bearer ${' '.repeat(12_000)}a b`], 'api_key_missing'],
    ['an operator', () => ['Bearer [$ne]=1'], 'api_key_invalid'],
  ])('with %s is refused', async (_, values, code) => {
    const sent = bare(...values().map((value) => `Authorization: ${value}`));
    const [answer] = await exchange(api.port, sent);
    expectDocumented(answer!);
    expect([answer!.status, codeOf(answer!)]).toEqual([401, code]);
    expect(answer!.text).not.toContain(tenant.secret);
  });

  it('given twice is read the first time only', async () => {
    const [right, wrong] = [`Authorization: Bearer ${tenant.secret}`, 'Authorization: Bearer x'];
    expect((await exchange(api.port, bare(right, wrong))).map(codeOf)).toEqual([200]);
    expect((await exchange(api.port, bare(wrong, right))).map(codeOf)).toEqual(['api_key_invalid']);
  });
});

describe('Idempotency-Key', () => {
  it.each<[string, string[]]>([
    ['empty', ['']],
    ['of 256 characters', ['k'.repeat(256)]],
    ['of 10,000 characters', ['k'.repeat(10_000)]],
    ['with a space', ['a b']],
    ['with a tab', ['a\tb']],
    ['with other characters', ['caf\xe9']],
    ['given twice', ['a', 'b']],
    ['given twice the same', ['a', 'a']],
  ])('%s is refused', async (_, keys) => {
    const before = await countAll(mongo);
    const sent = post(keys.map((key) => `Idempotency-Key: ${key}`));
    expect(await codesOf(sent)).toEqual(['idempotency_key_invalid']);
    expect(await countAll(mongo)).toEqual(before);
  });

  it.each(['$ne', '{"$gt":""}', '__proto__', '../..', "';--", '%00', 'k'.repeat(255)])(
    'is treated as plain text: %s',
    async (key) => {
      const sent = post([`Idempotency-Key: ${key}`]);
      expect(await codesOf(sent)).toEqual([201]);
      const [answer] = await exchange(api.port, sent);
      expect(answer!.headers.get('idempotent-replayed')).toBe('true');
    },
  );
});
