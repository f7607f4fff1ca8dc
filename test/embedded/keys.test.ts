import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { isKeyStaged, keepKeys, readKeys, stageKey } from '../../embedded/keys.ts';

let folder: string;
beforeEach(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-keys-'));
});
afterEach(async () => rm(folder, { recursive: true }));

const place = (name: string): string => path.join(folder, name);
const put = async (name: string, ...keys: Buffer[]): Promise<void> =>
  writeFile(place(name), keys.map((key) => `${key.toString('base64')}\n`).join(''));
const [ONE, TWO, THREE] = [randomBytes(32), randomBytes(32), randomBytes(32)];

describe('keepKeys', () => {
  it('creates a key once, readable by its owner only', async () => {
    const made = keepKeys(folder);
    expect(made.current).toHaveLength(32);
    expect(made.previous).toEqual([]);
    expect(keepKeys(folder)).toEqual(made);
    expect((await stat(place('secret.key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secret.key']);
  });

  it.each(['secret.key', 'secret.key.next', 'secret.key.previous'])(
    'refuses a %s without a key, and changes nothing',
    async (name) => {
      await put('secret.key', ONE);
      await put('secret.key.next', TWO);
      await writeFile(place(name), 'nearly-a-key\n');
      const fault = `${place(name)} must hold 32 bytes in base64 on each line.`;
      expect(() => keepKeys(folder)).toThrow(fault);
      expect(existsSync(place('secret.key.next'))).toBe(true);
    },
  );

  it('puts a staged key in use, and keeps all older ones', async () => {
    await put('secret.key', TWO);
    await put('secret.key.previous', ONE);
    expect(stageKey(folder)).toBe(true);
    const kept = keepKeys(folder);
    expect(kept.previous).toEqual([TWO, ONE]);
    expect([ONE, TWO].some((key) => key.equals(kept.current))).toBe(false);
    expect(readKeys(folder)).toEqual(kept);
    for (const name of await readdir(folder)) {
      expect((await stat(place(name))).mode & 0o777).toBe(0o600);
    }
    expect(isKeyStaged(folder)).toBe(false);
    expect(keepKeys(folder)).toEqual(kept);
  });

  // The folder after a kill at each step of the replacement.
  it.each<[string, () => Promise<void>]>([
    ['before anything was written', async () => put('secret.key.next', THREE)],
    [
      'while the older keys were saved',
      async () => {
        await put('secret.key.next', THREE);
        await writeFile(place('secret.key.previous.new'), TWO.toString('base64').slice(0, 20));
      },
    ],
    [
      'after the older keys were saved',
      async () => {
        await put('secret.key.next', THREE);
        await put('secret.key.previous', TWO, ONE);
      },
    ],
    [
      'after the new key was in place',
      async () => {
        await put('secret.key', THREE);
        await put('secret.key.previous', TWO, ONE);
      },
    ],
  ])('continues after a kill %s, and loses no key', async (_, leave) => {
    await put('secret.key', TWO);
    await put('secret.key.previous', ONE);
    await leave();
    // Programs that read before the next start still find the key in use.
    const before = readKeys(folder);
    expect([before?.current, ...(before?.previous ?? [])]).toEqual(
      expect.arrayContaining([ONE, TWO]),
    );
    expect(keepKeys(folder)).toEqual({ current: THREE, previous: [TWO, ONE] });
  });

  it('creates a whole key if a kill interrupted the first one', async () => {
    await writeFile(place('secret.key.new'), 'AAAA');
    expect(keepKeys(folder).current).toHaveLength(32);
  });
});

describe('stageKey', () => {
  it('does not change the keys in use, and creates one key even if called twice', async () => {
    const kept = keepKeys(folder);
    expect(stageKey(folder)).toBe(true);
    const next = await readFile(place('secret.key.next'), 'utf8');
    expect(stageKey(folder)).toBe(false);
    expect(await readFile(place('secret.key.next'), 'utf8')).toBe(next);
    expect(readKeys(folder)).toEqual(kept);
    expect(isKeyStaged(folder)).toBe(true);
  });
});
