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
  it('makes a key once, for its owner only', async () => {
    const made = await keepKeys(folder);
    expect(made.current).toHaveLength(32);
    expect(made.previous).toEqual([]);
    expect(await keepKeys(folder)).toEqual(made);
    expect((await stat(place('secret.key'))).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['secret.key']);
  });

  it.each(['secret.key', 'secret.key.next', 'secret.key.previous'])(
    'refuses a %s that holds no key, and touches nothing',
    async (name) => {
      await put('secret.key', ONE);
      await put('secret.key.next', TWO);
      await writeFile(place(name), 'nearly-a-key\n');
      const said = await keepKeys(folder).catch(String);
      expect(said).toBe(`Error: ${place(name)} must hold 32 bytes in base64 on each line.`);
      expect(existsSync(place('secret.key.next'))).toBe(true);
    },
  );

  it('takes the key that waits into use, and keeps all that were', async () => {
    await put('secret.key', TWO);
    await put('secret.key.previous', ONE);
    expect(await stageKey(folder)).toBe(true);
    const kept = await keepKeys(folder);
    expect(kept.previous).toEqual([TWO, ONE]);
    expect([ONE, TWO].some((key) => key.equals(kept.current))).toBe(false);
    expect(readKeys(folder)).toEqual(kept);
    for (const name of await readdir(folder)) {
      expect((await stat(place(name))).mode & 0o777).toBe(0o600);
    }
    expect(isKeyStaged(folder)).toBe(false);
    expect(await keepKeys(folder)).toEqual(kept);
  });

  // The folder as a kill leaves it, after each step in which the key is changed.
  it.each<[string, () => Promise<void>]>([
    ['before anything was written', async () => put('secret.key.next', THREE)],
    [
      'in the middle of writing down the older keys',
      async () => {
        await put('secret.key.next', THREE);
        await writeFile(place('secret.key.previous.new'), TWO.toString('base64').slice(0, 20));
      },
    ],
    [
      'when the older keys were written down',
      async () => {
        await put('secret.key.next', THREE);
        await put('secret.key.previous', TWO, ONE);
      },
    ],
    [
      'when the new key was in its place',
      async () => {
        await put('secret.key', THREE);
        await put('secret.key.previous', TWO, ONE);
      },
    ],
  ])('goes on after a kill %s, and no key is lost', async (_, leave) => {
    await put('secret.key', TWO);
    await put('secret.key.previous', ONE);
    await leave();
    // Whoever looks before the next start finds the key that sealed so far, too.
    const before = readKeys(folder);
    expect([before?.current, ...(before?.previous ?? [])]).toEqual(
      expect.arrayContaining([ONE, TWO]),
    );
    expect(await keepKeys(folder)).toEqual({ current: THREE, previous: [TWO, ONE] });
  });

  it('makes a whole key after a kill in the middle of the first one', async () => {
    await writeFile(place('secret.key.new'), 'AAAA');
    expect((await keepKeys(folder)).current).toHaveLength(32);
  });
});

describe('stageKey', () => {
  it('changes nothing of what is in use, and makes one key however often it is asked', async () => {
    const kept = await keepKeys(folder);
    expect(await stageKey(folder)).toBe(true);
    const next = await readFile(place('secret.key.next'), 'utf8');
    expect(await stageKey(folder)).toBe(false);
    expect(await readFile(place('secret.key.next'), 'utf8')).toBe(next);
    expect(readKeys(folder)).toEqual(kept);
    expect(isKeyStaged(folder)).toBe(true);
  });
});
