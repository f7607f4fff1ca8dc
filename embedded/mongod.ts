import { mkdir, rename, rm } from 'node:fs/promises';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';

import { fillFolder, platformCache } from './cache.ts';
import { DOWNLOAD_LIMIT_MS, probe } from './download.ts';
import type { Source } from './resolve.ts';
import type { FindOptions } from './sources.ts';

/** The release line that the production set-up runs. */
export const MONGOD_VERSION = '8.0.17';

const DOWNLOAD_SERVER = 'https://fastdl.mongodb.org';

/** Where a download of mongod is kept; the program in it is called `mongod`. */
export function mongodFolder(cacheDir: string): string {
  return path.join(platformCache(cacheDir), `mongod-${MONGOD_VERSION}`);
}

/** MongoDB's own download for this system, kept in the cache. */
export function fromMongoDb(options: FindOptions): Source<string> {
  return {
    what: `official download from fastdl.mongodb.org (mongod ${MONGOD_VERSION})`,
    async find() {
      if (options.downloads === false) throw new Error('downloads are turned off');
      options.log(`looking for mongod ${MONGOD_VERSION} at fastdl.mongodb.org`);
      const folder = mongodFolder(options.cacheDir);
      await fillFolder(folder, download);
      return path.join(folder, 'mongod');
    },
  };
}

async function download(folder: string): Promise<void> {
  await probe(DOWNLOAD_SERVER);
  // Loaded only here: a start from the cache does not need it.
  const { MongoBinary } = await import('mongodb-memory-server-core');
  const downloadDir = path.join(folder, 'download');
  await mkdir(downloadDir);
  const late = delay(DOWNLOAD_LIMIT_MS, undefined, { ref: false }).then(() => {
    throw new Error(`not finished after ${DOWNLOAD_LIMIT_MS / 60_000} min`);
  });
  const file = await Promise.race([
    MongoBinary.getPath({ version: MONGOD_VERSION, downloadDir }),
    late,
  ]);
  if (!file.startsWith(downloadDir)) throw new Error(`${file} is not what was downloaded`);
  await rename(file, path.join(folder, 'mongod'));
  await rm(downloadDir, { recursive: true });
}
