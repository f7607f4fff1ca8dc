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

const about = (...more: string[]): string[] => [
  'explain',
  '--body',
  file,
  '--timestamp',
  TIMESTAMP,
  '--secret',
  SECRET,
  ...more,
];

describe('tollgate explain', () => {
  it('prints what is signed and the headers of the published vector', async () => {
    const { code, stdout, stderr } = await tollgate(about());
    expect([code, stderr]).toEqual([0, '']);
    expect(stdout).toContain(`Service-Signature signs\n  ${TIMESTAMP}.${BODY}\n`);
    expect(stdout).toContain(`webhook-signature signs\n  ${ID}.${TIMESTAMP}.${BODY}\n`);
    const headers = signatureHeaders({ id: ID, timestamp: Number(TIMESTAMP), body: BODY }, [
      SECRET,
    ]);
    for (const [name, value] of Object.entries(headers)) {
      expect(stdout).toContain(`${name.toLowerCase()}: ${value}\n`);
    }
    expect(stdout).toMatch(/Note: It was signed \d+ s ago/);
    expect(stdout).not.toContain(SECRET);
  });

  it('says what a wrong value comes from, with a body from standard input', async () => {
    const spaced = BODY.replaceAll(':"', ': "').replace(',', ', ');
    const hmac = createHmac('sha256', SECRET).update(`${TIMESTAMP}.${spaced}`);
    const args = ['explain', '--body', '-', '--timestamp', TIMESTAMP, '--computed'];
    const env = { TOLLGATE_WEBHOOK_SECRET: SECRET };
    const { code, stdout } = await tollgate([...args, hmac.digest('hex')], env, BODY);
    expect(code).toBe(0);
    expect(stdout).toMatch(/WRONG \(service-signature\): The JSON was parsed.*with spaces/);
  });

  it('compares headers and tries other secrets', async () => {
    const old = makeWebhookSecret();
    const headers = signatureHeaders({ id: ID, timestamp: Number(TIMESTAMP), body: BODY }, [old]);
    const given = ['--header', `Webhook-Signature: ${headers['webhook-signature']}`];
    const { stdout } = await tollgate(about('--old-secret', old, ...given, '--json'));
    const explanation = JSON.parse(stdout) as {
      headers: { name: string; fits?: boolean }[];
      findings: { code: string }[];
    };
    expect(explanation.headers.find(({ fits }) => fits === false)?.name).toBe('webhook-signature');
    expect(explanation.findings.map(({ code }) => code)).toContain('other_secret');
  });

  it('refuses a file that there is not, and a header that is none', async () => {
    const nowhere = ['explain', '--body', path.join(folder, 'none'), '--timestamp', '1'];
    const missing = await tollgate(nowhere);
    expect([missing.code, missing.stderr]).toEqual([1, expect.stringMatching(/^--body: ENOENT/)]);
    const { code, stderr } = await tollgate(about('--header', 'v1=1'));
    expect([code, stderr]).toEqual([1, expect.stringMatching(/write it as "Name: value"/)]);
  });

  it('needs a request at hand or one on record, and not both', async () => {
    const nothing = await tollgate(['explain', '--json']);
    expect([nothing.code, nothing.stdout]).toEqual([1, '']);
    const refused = { code: 'parameter_missing', param: 'body' };
    expect(JSON.parse(nothing.stderr)).toMatchObject({ error: refused });
    const half = await tollgate(['explain', '--body', file]);
    expect([half.code, half.stderr]).toEqual([1, expect.stringMatching(/--delivery dlv_/)]);
    const both = await tollgate(about('--delivery', 'dlv_1'));
    expect([both.code, both.stderr]).toEqual([1, expect.stringMatching(/cannot be used with/)]);
  });

  it('takes time and id from the headers as they came', async () => {
    const headers = signatureHeaders({ id: 'evt_2', timestamp: 1_767_225_601, body: BODY }, [
      SECRET,
    ]);
    const bare = ['explain', '--body', file, '--secret', SECRET, '--json'];
    const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
    const told = async (kept: (line: string) => boolean, ...more: string[]) => {
      const given = lines.filter(kept).flatMap((line) => ['--header', line]);
      const { stdout } = await tollgate([...bare, ...given, ...more]);
      return JSON.parse(stdout) as {
        headers: { name: string; expected: string; fits?: boolean }[];
        findings: { code: string }[];
      };
    };
    const all = await told(() => true);
    expect(all.headers.map(({ name, fits }) => [name, fits])).toEqual([
      ['service-timestamp', true],
      ['service-signature', true],
      ['webhook-id', true],
      ['webhook-timestamp', true],
      ['webhook-signature', true],
    ]);
    const standard = await told((line) => line.startsWith('webhook-'));
    expect(standard.headers.at(-1)).toMatchObject({ name: 'webhook-signature', fits: true });
    const other = await told((line) => line.startsWith('Service-'), '--timestamp', TIMESTAMP);
    expect(other.headers[0]).toMatchObject({ expected: TIMESTAMP, fits: false });
    expect(other.findings.map(({ code }) => code)).toContain('timestamp_given');
  });

  it('says when the computation is right and the request was signed with another secret', async () => {
    const theirs = createHmac('sha256', makeWebhookSecret()).update(`${TIMESTAMP}.${BODY}`);
    const own = createHmac('sha256', SECRET).update(`${TIMESTAMP}.${BODY}`).digest('hex');
    const header = `Service-Signature: v1=${theirs.digest('hex')}`;
    const { stdout } = await tollgate(about('--header', header, '--computed', own));
    expect(stdout).toMatch(
      /WRONG \(service-signature\): What was received was made with another sec/,
    );
    expect(stdout).toMatch(
      /Note \(service-signature\): What was computed is right for this secret/,
    );
    expect(stdout).not.toMatch(/The signature is right|None of the usual mistakes/);
  });

  it('needs a secret and an id', async () => {
    const bare = ['explain', '--body', '-', '--timestamp', '1'];
    expect((await tollgate(bare, {}, BODY)).stderr).toMatch(/^The secret is missing/);
    expect((await tollgate(bare, {}, '{}')).stderr).toMatch(/^The body has no id: give --id/);
  });
});
