/** `tollgate` as a process: what it loads, how it ends, and that its output arrives. */
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { pathToFileURL } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { useDatabase } from '../store/database.ts';
import { withDatabase } from '../support/processes.ts';
import { startTollgate, tollgate } from './command.ts';

const database = useDatabase('cli-process');
const ENCRYPTION_KEY = randomBytes(32).toString('base64');
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
/** Refuses to load the driver, the client and the hash. */
const WITHOUT = pathToFileURL(path.join(import.meta.dirname, 'without.mjs')).href;

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
  it.each<[string, () => string[], number]>([
    ['--version', () => ['--version'], 0],
    ['help', () => ['--help'], 0],
    ['a usage error', () => ['merchant', 'destroy'], 1],
    ['a refusal', () => ['deliveries', '--json'], 1],
    ['a fault', () => ['encryption-key', 'rotate'], 1],
    ['a result', () => ['audit', '--json'], 0],
    ['a refusal before the API is called', () => ['trigger', 'payment.created'], 1],
  ])('prints and ends as in this process: %s', async (_, args, code) => {
    const { ended } = startTollgate(args(), environment());
    expect((await ended).code).toBe(code);
    expect(await ended).toEqual(await tollgate(args(), environment()));
  });

  it('loads neither driver, Temporal client nor password hash before a command needs them', async () => {
    const without = environment({ NODE_OPTIONS: `--import=${WITHOUT}` });
    for (const args of [['--help'], ['--version'], ['listen', '--help'], ['merchant', 'destroy']]) {
      expect(await startTollgate(args, without).ended).toEqual(await tollgate(args, environment()));
    }
    const trigger = ['trigger', 'payment.completed', '--api-key', 'sk_test_1', '--api-url'];
    const { stderr } = await startTollgate([...trigger, 'http://127.0.0.1:1'], without).ended;
    expect(stderr).toMatch(/could not be reached/);
    const needing = await startTollgate(['audit'], without).ended;
    expect(needing.stderr).toContain('is not to be loaded');
  });

  it('delivers all of a long output into a pipe', async () => {
    const body = path.join(folder, 'long.json');
    await writeFile(body, JSON.stringify({ id: 'evt_1', note: 'x'.repeat(1_000_000) }));
    const args = ['explain', '--body', body, '--timestamp', '1', '--secret', SECRET, '--json'];
    const { code, stdout } = await startTollgate(args).ended;
    expect([code, stdout.length > 1_000_000]).toEqual([0, true]);
    expect(() => JSON.parse(stdout) as unknown).not.toThrow();
  });

  it('ends when Temporal is configured with what there is not', async () => {
    const env = environment({ TEMPORAL_CONFIG_FILE: folder });
    const { code, stderr } = await startTollgate(['audit'], env).ended;
    expect([code, stderr]).toEqual([1, expect.stringMatching(/^tollgate: /)]);
  });
});
