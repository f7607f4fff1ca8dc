/** `tollgate` as a process: its modules, its end and its output. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../store/database.ts';
import { withDatabase } from '../support/servers/deployment.ts';
import { startTollgate, tollgate } from './command.ts';

const database = await useDatabase('cli-process');
const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
/** Packages that take longer to load than most commands take to run. */
const HEAVY = ['mongodb', '@temporalio/client', '@node-rs/argon2'];

/** Makes a process refuse to load these packages. */
function without(names: readonly string[]): Record<string, string> {
  const { href } = pathToFileURL(path.join(import.meta.dirname, 'without.mjs'));
  return { NODE_OPTIONS: `--import=${href}?${names.join(',')}` };
}

let folder: string;
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-process-'));
});
afterAll(async () => rm(folder, { recursive: true }));

const environment = (more: Record<string, string> = {}): Record<string, string> => ({
  MONGODB_URI: withDatabase(database.uri, database.name),
  ENCRYPTION_KEY,
  ...more,
});

describe('tollgate as a process', () => {
  it.each([
    ['--version', ['--version'], 0],
    ['a usage error', ['merchant', 'destroy'], 2],
    ['a refusal', ['deliveries', '--json'], 2],
    ['a fault', ['encryption-key', 'rotate'], 2],
    ['a result', ['audit', '--json'], 0],
  ])('has the same output and exit code as in this process: %s', async (_, args, code) => {
    const outcome = await startTollgate(args, environment()).ended;
    expect(outcome.code).toBe(code);
    expect(outcome).toEqual(await tollgate(args, environment()));
  });

  it.each([
    ['--help', ['--help'], [...HEAVY, 'envalid', '@temporalio/envconfig']],
    ['trigger', ['trigger', 'payment.created'], HEAVY],
    ['listen', ['listen', '--forward-to', '9000', '--since', 'yesterday'], HEAVY],
    ['smoke', ['smoke', '--every', 'never'], HEAVY],
    ['check', ['check', '--url', '9000', '--secret', 'none'], HEAVY],
    ['audit', ['audit', '--json'], HEAVY.filter((name) => name !== 'mongodb')],
  ])('loads only what the command needs: %s', async (_, args, needless) => {
    const outcome = await startTollgate(args, environment(without(needless))).ended;
    expect(outcome).toEqual(await tollgate(args, environment()));
  });

  it('loads the database driver for a command on the database', async () => {
    const { code, stderr } = await startTollgate(['audit'], environment(without(HEAVY))).ended;
    expect([code, stderr]).toEqual([3, expect.stringContaining('mongodb must not be loaded')]);
  });

  it('writes all of a long output to a pipe', async () => {
    const body = path.join(folder, 'long.json');
    await writeFile(body, JSON.stringify({ id: 'evt_1', note: 'x'.repeat(200_000) }));
    const args = ['explain', '--body', body, '--timestamp', '1', '--secret', SECRET, '--json'];
    const { code, stdout } = await startTollgate(args).ended;
    expect([code, stdout.length > 200_000]).toEqual([0, true]);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
  });

  it('exits if the configuration of Temporal cannot be read', async () => {
    const env = environment({ TEMPORAL_CONFIG_FILE: folder });
    const { code, stderr } = await startTollgate(['audit'], env).ended;
    expect([code, stderr]).toEqual([
      3,
      expect.stringMatching(/^tollgate: TEMPORAL_CONFIG_FILE: EISDIR/),
    ]);
  });
});
