import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { chmod, readdir, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { findMongo, findTemporal, findTestServer } from '../../embedded/binaries.ts';
import { isExecutable } from '../../embedded/executable.ts';
import { StartError } from '../../embedded/errors.ts';
import { makeFolder, makePlace } from './ground.ts';

/** Without the network an error takes milliseconds, or longer on a busy machine. */
const QUICK_MS = 3_000;

describe('findTemporal, findMongo and findTestServer', () => {
  let folder: string;
  let remove: () => Promise<void>;
  beforeEach(async () => {
    ({ folder, remove } = await makeFolder());
  });
  afterEach(() => remove());

  /** Returns a place with nothing on PATH, nothing cached and no download. */
  function nothing() {
    return { ...makePlace(), path: folder, cacheDir: path.join(folder, 'c'), downloads: false };
  }

  async function makeProgram(name: string, output: string): Promise<string> {
    const file = path.join(folder, name);
    await writeFile(file, `#!/bin/sh\necho "${output}"\n`);
    await chmod(file, 0o755);
    return file;
  }

  const searches = [
    {
      name: 'Temporal',
      find: findTemporal,
      tried: ['TEMPORAL_CLI_PATH', 'temporal on PATH', 'cached', 'github.com', 'pip'],
      advice: 'TEMPORAL_ADDRESS',
    },
    {
      name: 'MongoDB',
      find: findMongo,
      tried: ['MONGOD_PATH', 'mongod on PATH', 'cached', 'fastdl.mongodb.org', 'pip'],
      advice: 'MONGODB_URI',
    },
    {
      name: 'the test server',
      find: findTestServer,
      tried: ['cached', 'pip'],
      advice: 'Python 3.11',
    },
  ];

  it.each(searches)(
    'list every source of $name that was tried, in order, and what to install',
    async (search) => {
      const startedAt = performance.now();
      const error = await search.find(nothing()).catch((thrown: unknown) => thrown);
      expect(performance.now() - startedAt).toBeLessThan(QUICK_MS);
      expect(error).toBeInstanceOf(StartError);
      const text = String(error);
      expect(text).toMatch(new RegExp(search.tried.join('[^]*')));
      expect(text).toContain('python3 is not on PATH');
      expect(text).toContain(search.advice);
    },
  );

  it('use a configured path, or name the variable that is wrong', async () => {
    const old = await makeProgram('old', 'temporal version 1.3.0 (Server 1.27.1)');
    const refused = (cliPath: string) => findTemporal({ ...nothing(), cliPath });
    await expect(refused(path.join(folder, 'none'))).rejects.toThrow(/^TEMPORAL_CLI_PATH names/);
    await expect(refused(old)).rejects.toThrow(/^TEMPORAL_CLI_PATH cannot be used.*1\.3.*1\.9/);
    const mongodPath = await makeProgram('given', 'db version v8.0.17');
    const found = await findMongo({ ...nothing(), mongodPath });
    expect(found).toEqual({ kind: 'mongod', command: mongodPath });
  });

  it('use a program on PATH, but not one that is too old', async () => {
    await makeProgram('temporal', 'temporal version 1.3.0 (Server 1.27.1)');
    await expect(findTemporal(nothing())).rejects.toThrow(/is version 1\.3, 1\.9 is needed/);
    const command = await makeProgram('temporal', 'temporal version 1.10.0 (Server 1.33.0)');
    expect(await findTemporal(nothing())).toBe(command);
  });

  it('share one whole copy when two fill the same cache at the same time', async () => {
    const cacheDir = path.join(folder, 'c');
    const options = { ...makePlace(), cacheDir, downloads: false };
    const [one, two] = await Promise.all([findTestServer(options), findTestServer(options)]);
    expect(one).toBe(two);
    expect(await isExecutable(one)).toBe(true);
    const files = await readdir(path.dirname(path.dirname(path.dirname(one))));
    expect(files).toHaveLength(1);
    expect(await findTestServer({ ...options, path: '' })).toBe(one);
  });
});
