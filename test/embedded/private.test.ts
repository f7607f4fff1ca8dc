import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { chmod, chown, mkdir, stat, symlink, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { platformCache } from '../../embedded/cache.ts';
import { keepKeys } from '../../embedded/keys.ts';
import { keepPrivate, keepUnwritable } from '../../embedded/private.ts';
import { makeReadyFile } from '../../embedded/ready.ts';
import { makeFolder } from './ground.ts';

/** Only root can give a folder to another user. */
const asRoot = process.getuid?.() === 0 ? it : it.skip;
const STRANGER = 12_345;

describe('folders', () => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ folder, remove } = await makeFolder());
  });
  afterEach(() => remove());

  const at = (...names: string[]): string => path.join(folder, ...names);
  const inCache = (...names: string[]): string[] => [
    path.relative(folder, platformCache(at('cache'))),
    ...names,
  ];

  const modeOf = async (...names: string[]): Promise<string> =>
    ((await stat(at(...names))).mode & 0o7777).toString(8);

  async function put(mode: number, ...names: string[]): Promise<void> {
    await mkdir(path.dirname(at(...names)), { recursive: true });
    await writeFile(at(...names), 'x');
    await chmod(at(...names), mode);
  }

  describe('keepPrivate', () => {
    it('creates a folder that only its owner can read', async () => {
      await keepPrivate(at('deep', 'data'));
      expect(await modeOf('deep', 'data')).toBe('700');
    });

    it('closes an open folder and the secrets in it to other users', async () => {
      const files = ['secret.key', 'secret.key.previous', 'ready.json.new', 'demo.json'];
      for (const file of files) await put(0o666, 'data', file);
      await put(0o644, 'data', 'readme');
      await chmod(at('data'), 0o777);
      await keepPrivate(at('data'));
      expect(await modeOf('data')).toBe('700');
      for (const file of files) expect(await modeOf('data', file)).toBe('600');
      expect(await modeOf('data', 'readme')).toBe('644');
    });

    it('closes the target of a link', async () => {
      await mkdir(at('real'));
      await chmod(at('real'), 0o755);
      await symlink(at('real'), at('data'));
      await keepPrivate(at('data'));
      expect(await modeOf('real')).toBe('700');
    });

    it('refuses a folder that all users share, and does not change its mode', async () => {
      await mkdir(at('shared'));
      await chmod(at('shared'), 0o1777);
      await expect(keepPrivate(at('shared'))).rejects.toThrow(/^All users share .*Set DATA_DIR/);
      expect(await modeOf('shared')).toBe('1777');
    });

    asRoot('refuses a folder of another user', async () => {
      await mkdir(at('data'));
      await chown(at('data'), STRANGER, STRANGER);
      const refused = keepPrivate(at('data'));
      await expect(refused).rejects.toThrow(/belongs to user 12345.*Set DATA_DIR/);
    });
  });

  describe('files with secrets', () => {
    it('can be read by their owner only, even if a killed start left a readable one', async () => {
      for (const name of ['secret.key.new', 'ready.json.new']) await put(0o666, name);
      keepKeys(folder);
      const ready = makeReadyFile(at('ready.json'));
      ready.publish({ mongodb_uri: 'mongodb://user:password@db' });
      expect([await modeOf('secret.key'), await modeOf('ready.json')]).toEqual(['600', '600']);
    });
  });

  describe('keepUnwritable', () => {
    it('removes the write access of others, in the folder and in all its programs', async () => {
      await put(0o775, ...inCache('python', 'temporal-1', 'bin', 'temporal'));
      await put(0o666, ...inCache('python', 'temporal-1', 'data'));
      for (const names of [
        ['cache'],
        inCache(),
        inCache('python'),
        inCache('python', 'temporal-1'),
      ])
        await chmod(at(...names), 0o777);
      await keepUnwritable(at('cache'));
      for (const names of [
        ['cache'],
        inCache(),
        inCache('python'),
        inCache('python', 'temporal-1'),
      ])
        expect(await modeOf(...names)).toBe('755');
      expect(await modeOf(...inCache('python', 'temporal-1', 'bin', 'temporal'))).toBe('755');
      expect(await modeOf(...inCache('python', 'temporal-1', 'data'))).toBe('644');
    });

    it('does not create a missing folder', async () => {
      await keepUnwritable(at('cache'));
      await expect(stat(at('cache'))).rejects.toThrow('ENOENT');
    });

    it('refuses a folder that all users share, and does not change its mode', async () => {
      await mkdir(at('shared'));
      await chmod(at('shared'), 0o1777);
      await expect(keepUnwritable(at('shared'))).rejects.toThrow(/^All users share .*CACHE_DIR/);
      expect(await modeOf('shared')).toBe('1777');
    });

    asRoot('refuses a cache that others may change and another user owns', async () => {
      await mkdir(at('cache'));
      await chown(at('cache'), STRANGER, STRANGER);
      await chmod(at('cache'), 0o777);
      await chmod(folder, 0o755);
      const code = `
        import { keepUnwritable } from './embedded/private.ts';
        process.setuid(${STRANGER + 1});
        await keepUnwritable(${JSON.stringify(at('cache'))}).catch((e) => console.log(e.message));`;
      const args = ['--import', 'tsx', '--input-type=module', '--eval', code];
      const env = { ...process.env, NODE_OPTIONS: '' };
      const message = String(execFileSync(process.execPath, args, { env }));
      expect(message).toMatch(/^Other users may change .*cache, and its mode cannot be set: EPERM/);
    });
  });
});
