import { createHmac } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeWebhookSecret, signatureHeaders } from '../../outbound/sign.ts';
import { tollgate } from './command.ts';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const ID = 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const TIMESTAMP = '1767225600';
const BODY = `{"id":"${ID}","type":"payment.completed"}`;

let file: string;
let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-explain-'));
  file = path.join(folder, 'body.json');
  await writeFile(file, BODY);
});
afterAll(async () => rm(folder, { recursive: true }));

const about = (...more: string[]): string[] => {
  return ['explain', '--body', file, '--timestamp', TIMESTAMP, '--secret', SECRET, ...more];
};

interface Explained {
  verdict: 'right' | 'wrong' | null;
  headers: { name: string; expected: string; fits?: boolean }[];
  findings: { code: string; kind: string; about: string | null; says: string }[];
}

describe('tollgate explain', () => {
  it('prints what is signed and the headers of the published vector', async () => {
    const { code, stdout, stderr } = await tollgate(about());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toMatch(/^Nothing to judge: give the signature as --header/);
    expect(stdout).toContain(`service-signature signs\n  ${TIMESTAMP}.${BODY}\n`);
    expect(stdout).toContain(`webhook-signature signs\n  ${ID}.${TIMESTAMP}.${BODY}\n`);
    for (const header of [
      'service-signature: v1=4de2498251bbe03504a34fe05806237886caa7adc14a8dafdeb35ec1de07cc52\n',
      'webhook-signature: v1,jkAjcECu1C+X4VJ3KA/N2THsJHubSuNSSDltXoEXU78=\n',
    ]) {
      expect(stdout).toContain(header);
    }
    expect(stdout).toMatch(/Note: This machine has a clock \d+ s ahead/);
    expect(stdout).not.toContain(SECRET);
  });

  it('says first that a signature is right', async () => {
    const right = createHmac('sha256', SECRET).update(`${TIMESTAMP}.${BODY}`).digest('hex');
    const { code, stdout } = await tollgate(about('--header', `Service-Signature: v1=${right}`));
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^RIGHT: the signature fits\.\n/)]);
  });

  it('explains a wrong value, with a body from standard input', async () => {
    const spaced = BODY.replaceAll(':"', ': "').replace(',', ', ');
    const hmac = createHmac('sha256', SECRET).update(`${TIMESTAMP}.${spaced}`);
    const args = ['explain', '--body', '-', '--timestamp', TIMESTAMP, '--computed'];
    const env = { TOLLGATE_WEBHOOK_SECRET: SECRET };
    const { code, stdout } = await tollgate([...args, hmac.digest('hex')], env, BODY);
    expect(code).toBe(1);
    expect(stdout).toMatch(/^WRONG: what was given does not fit\.\n/);
    expect(stdout).toMatch(/WRONG \(service-signature\): The body that was signed.*is at byte 6: /);
  });

  it('reads time and id from the headers, compares them, and tries other secrets', async () => {
    const old = makeWebhookSecret();
    const message = { id: 'evt_2', timestamp: 1_767_225_601, body: BODY };
    const lines = Object.entries({
      ...signatureHeaders(message, [SECRET]),
      'webhook-signature': signatureHeaders(message, [old])['webhook-signature'],
    }).flatMap(([name, value]) => ['--header', `${name}: ${value}`]);
    const args = ['explain', '--body', file, '--secret', SECRET, '--old-secret', old, '--json'];
    const { code, stdout } = await tollgate([...args, ...lines]);
    const { verdict, headers, findings } = JSON.parse(stdout) as Explained;
    expect([code, verdict]).toEqual([1, 'wrong']);
    expect(headers.map(({ name, fits }) => [name, fits])).toEqual([
      ['service-timestamp', true],
      ['service-signature', true],
      ['webhook-id', true],
      ['webhook-timestamp', true],
      ['webhook-signature', false],
    ]);
    expect(findings).toMatchObject([
      { code: 'fits', kind: 'note', about: 'service-signature' },
      { code: 'other_secret', kind: 'mistake', about: 'webhook-signature' },
      { code: 'clock', kind: 'note', about: null },
    ]);
  });

  it('needs either a given request or a stored one', async () => {
    const nothing = await tollgate(['explain', '--json']);
    expect([nothing.code, nothing.stdout]).toEqual([2, '']);
    const refused = { code: 'parameter_missing', param: 'body' };
    expect(JSON.parse(nothing.stderr)).toMatchObject({ error: refused });
    const both = await tollgate(about('--delivery', 'dlv_1'));
    expect([both.code, both.stderr]).toEqual([2, expect.stringMatching(/cannot be used with/)]);
  });
});

const refused = async (...args: string[]): Promise<string> => {
  const { code, stdout, stderr } = await tollgate(['explain', ...args]);
  expect([code, stdout]).toEqual([2, '']);
  return stderr;
};

describe('tollgate explain refuses', () => {
  it.each<[string, () => string[], RegExp]>([
    ['no timestamp', () => ['--body', file, '--secret', SECRET], /--delivery dlv_/],
    [
      'a missing file',
      () => ['--body', '/nowhere', '--timestamp', '1'],
      /^tollgate: --body: ENOENT/,
    ],
    ['a malformed header', () => ['--header', 'v1=1'], /write it as "Name: value"/],
    ...['now', `${TIMESTAMP}000`].map((time): [string, () => string[], RegExp] => [
      `the timestamp ${time}`,
      () => ['--body', file, '--timestamp', time],
      /must be whole unix seconds/,
    ]),
    ['no secret', () => ['--body', file, '--timestamp', '1'], /^tollgate: The secret is missing/],
    [
      'a secret without whsec_',
      () => ['--body', file, '--timestamp', '1', '--secret', 'AAAA'],
      /whsec_ and/,
    ],
  ])('%s', async (_, args, message) => {
    expect(await refused(...args())).toMatch(message);
  });

  it.each([
    ['without an id', Buffer.from('{}'), /^tollgate: The body has no id: give --id/],
    [
      'that is not UTF-8',
      Buffer.from('{"id":"é"}', 'latin1'),
      /^tollgate: --body: it is not UTF-8/,
    ],
  ])('a body %s', async (_, bytes, message) => {
    const body = path.join(folder, 'other.json');
    await writeFile(body, bytes);
    const args = ['--body', body, '--timestamp', TIMESTAMP, '--secret', SECRET];
    expect(await refused(...args)).toMatch(message);
  });
});
