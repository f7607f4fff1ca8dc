import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { COMMAND, tollgate } from './command.ts';

const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const BODY = '{"id":"evt_01ARZ3NDEKTSV4RRFFQ69G5FAV","type":"payment.completed"}';

let folder: string;
let file: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-secrets-'));
  file = path.join(folder, 'body.json');
  await writeFile(file, BODY);
});
afterAll(async () => rm(folder, { recursive: true }));

const explain = (...more: string[]): string[] => {
  return ['explain', '--body', file, '--timestamp', '1767225600', ...more];
};

/** Returns the right headers, which need the right secret. */
const headersOf = (stdout: string): unknown => (JSON.parse(stdout) as { headers: unknown }).headers;

describe('an option with the value -', () => {
  it.each([
    ['one line', `${SECRET}\n`],
    ['a line without a line break', SECRET],
    ['a line with a Windows line break', `${SECRET}\r\n`],
    ['only the first of several lines', `${SECRET}\nwhsec_other\n`],
  ])('reads %s of standard input', async (_, input) => {
    const { code, stdout, stderr } = await tollgate(explain('--secret', '-', '--json'), {}, input);
    expect([code, stderr]).toEqual([0, '']);
    const given = await tollgate(explain('--secret', SECRET, '--json'));
    expect(headersOf(stdout)).toEqual(headersOf(given.stdout));
  });

  it('is replaced by the secret even in the repeatable --old-secret', async () => {
    const { stdout: right } = await tollgate(explain('--secret', SECRET, '--json'));
    const computed = right.match(/v1=[0-9a-f]{64}/)?.[0] ?? '';
    const other = ['--secret', `whsec_${'A'.repeat(43)}=`, '--computed', computed];
    const found = async (...old: string[]) =>
      (await tollgate(explain(...other, ...old, '--json'), {}, `${SECRET}\n`)).stdout;
    expect(await found()).toContain('"unexplained"');
    expect(await found('--old-secret', '-')).not.toContain('"unexplained"');
  });

  it.each([
    ['nothing', ''],
    ['an empty line', `\n${SECRET}\n`],
    ['a line that is too long', 'x'.repeat(1_025)],
  ])('refuses %s', async (_, input) => {
    const { code, stdout, stderr } = await tollgate(explain('--secret', '-'), {}, input);
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toBe(
      'tollgate: --secret: standard input must have a first line of 1 to 1024 characters.\n',
    );
  });

  it.each([
    ['two secrets', () => explain('--secret', '-', '--old-secret', '-')],
    ['a key and a secret', () => ['check', '--url', '9', '--secret', '-', '--api-key', '-']],
    ['a body', () => ['explain', '--body', '-', '--timestamp', '1', '--secret', '-']],
  ])('refuses to share standard input with %s', async (_, args) => {
    const { code, stderr } = await tollgate(args(), {}, `${SECRET}\n${SECRET}\n`);
    expect([code, stderr]).toEqual([
      2,
      expect.stringMatching(/^tollgate: Only one option can be -: set TOLL/),
    ]);
  });

  it('reads an API key, which the client then checks', async () => {
    const { code, stderr } = await tollgate(
      ['trigger', 'payment.completed', '--api-key', '-'],
      {},
      'hello\n',
    );
    expect([code, stderr]).toEqual([2, expect.stringMatching(/^tollgate: apiKey must be/)]);
  });

  it('prompts for the secret at a terminal, and does not show it', async () => {
    const args = [COMMAND, ...explain('--secret', '-', '--json')];
    const typed = ['-c', AT_A_TERMINAL, SECRET, process.execPath, ...args];
    const { stdout } = await promisify(execFile)('python3', typed);
    const [before = '', after = ''] = stdout.split('secret: ');
    expect(before).toBe('');
    expect(after).toContain('"signed":');
    expect(after).not.toContain(SECRET);
    expect(after).not.toContain(SECRET.slice(6, 20));
  });

  it.each(['listen', 'trigger', 'check', 'explain'])(
    'is explained by the help of %s',
    async (command) => {
      const { stdout } = await tollgate([command, '--help']);
      const text = stdout.replaceAll(/\s+/g, ' ');
      expect(text).toContain('- reads standard input');
      expect(text).toContain('Other users of this machine can see the options');
    },
  );
});

/** Runs a command at a new terminal, types a line at the prompt, and prints what is shown. */
const AT_A_TERMINAL = `
import os, pty, sys
pid, terminal = pty.fork()
if pid == 0:
    os.execv(sys.argv[2], sys.argv[2:])
shown = b''
while True:
    try:
        chunk = os.read(terminal, 4096)
    except OSError:
        break
    if not chunk:
        break
    if b'secret: ' in chunk:
        os.write(terminal, sys.argv[1].encode() + b'\\r')
    shown += chunk
os.waitpid(pid, 0)
sys.stdout.write(shown.decode())
`;
