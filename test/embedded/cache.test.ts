import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { mkdir, readdir, readFile, utimes, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { fillFolder } from '../../embedded/cache.ts';
import { makeFolder } from './ground.ts';

async function fill(temporary: string, name: string): Promise<void> {
  await writeFile(path.join(temporary, 'a'), name);
  await delay(50);
  await writeFile(path.join(temporary, 'b'), name);
}

describe('fillFolder', () => {
  let parent: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ folder: parent, remove } = await makeFolder());
  });
  afterEach(() => remove());

  it('leaves nothing if filling fails', async () => {
    const failing = fillFolder(path.join(parent, 'tool'), () => Promise.reject(new Error('cut')));
    await expect(failing).rejects.toThrow('cut');
    expect(await readdir(parent)).toEqual([]);
  });

  it('leaves one whole folder if several callers fill it at the same time', async () => {
    const folder = path.join(parent, 'tool');
    const names = ['one', 'two', 'three'];
    await Promise.all(
      names.map((name) => fillFolder(folder, (temporary) => fill(temporary, name))),
    );
    const [a, b] = await Promise.all(['a', 'b'].map((file) => readFile(path.join(folder, file))));
    expect(a).toEqual(b);
    expect(await readdir(parent)).toEqual(['tool']);
  });

  it('does not fill an existing folder', async () => {
    const folder = path.join(parent, 'tool');
    await mkdir(folder);
    await fillFolder(folder, () => Promise.reject(new Error('called')));
  });

  it('removes what a killed program left an hour ago, but not what another fills now', async () => {
    const [old, young] = [path.join(parent, 'tool.tmp-1'), path.join(parent, 'tool.tmp-2')];
    await Promise.all([mkdir(old), mkdir(young)]);
    await utimes(old, 1, 1);
    await fillFolder(path.join(parent, 'tool'), () => Promise.resolve());
    expect(await readdir(parent)).toEqual(['tool', 'tool.tmp-2']);
  });
});
