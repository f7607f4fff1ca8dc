/**
 * Keeps other users of this machine from reading the data folder or changing programs in the cache.
 * The folders may be older than this program or created by hand, so each start sets their modes.
 */
import { chmod, lstat, mkdir, readdir, realpath, stat } from 'node:fs/promises';
import path from 'node:path';
import { platformCache } from './cache.ts';
import { codeOf, reason, StartError } from './errors.ts';

const OTHERS = 0o077;
const OTHERS_WRITE = 0o022;
/** The bit of a folder that all users share, such as the one for temporary files. */
const STICKY = 0o1000;

/** The files with secrets. They may be copied elsewhere, so their modes are set too. */
const SECRET_FILES = /^(secret\.key|ready\.json|demo\.json|demo-orders\.json)/;

/**
 * Creates the data folder if it is missing, and keeps other users from reading it and its secrets.
 * Throws a `StartError` if it belongs to another user, who could change its mode back.
 */
export async function keepPrivate(dataDir: string): Promise<void> {
  await mkdir(dataDir, { recursive: true, mode: 0o700 });
  const folder = await realpath(dataDir);
  await refuseShared(folder, 'DATA_DIR');
  const { uid } = await stat(folder);
  const own = process.getuid?.();
  if (own !== undefined && uid !== own) {
    throw new StartError(
      `${folder} belongs to user ${uid}, who could read the keys in it. ` +
        `Set DATA_DIR to another folder, or make user ${own} its owner.`,
    );
  }
  await close(folder, OTHERS);
  for (const name of await readdir(folder)) {
    if (SECRET_FILES.test(name)) await close(path.join(folder, name), OTHERS);
  }
}

/**
 * Makes sure that only its owner may change the cache, because its programs are run. Throws a
 * `StartError` if others may change it and we cannot set its mode.
 */
export async function keepUnwritable(cacheDir: string): Promise<void> {
  const folder = await realpath(cacheDir).catch(() => undefined);
  if (folder === undefined) return;
  await refuseShared(folder, 'CACHE_DIR');
  await close(folder, OTHERS_WRITE);
  await closeAll(platformCache(folder));
}

/** Makes sure that only its owner may change a folder and everything in it. */
export async function closeAll(folder: string): Promise<void> {
  const names = await readdir(folder, { recursive: true }).catch(() => []);
  await Promise.all(['', ...names].map((name) => close(path.join(folder, name), OTHERS_WRITE)));
}

/** Throws a `StartError` for a folder that all users share: its mode must stay. */
async function refuseShared(folder: string, variable: string): Promise<void> {
  if (((await stat(folder)).mode & STICKY) === 0) return;
  throw new StartError(`All users share ${folder}. Set ${variable} to a folder of its own.`);
}

/** Removes the bits of `mask` from the file's mode. Skips links: they have no mode of their own. */
async function close(file: string, mask: number): Promise<void> {
  try {
    const entry = await lstat(file);
    if (entry.isSymbolicLink() || (entry.mode & mask) === 0) return;
    await chmod(file, entry.mode & 0o777 & ~mask);
  } catch (error) {
    // Another start may be filling or clearing the same folder.
    if (codeOf(error) === 'ENOENT') return;
    const what = mask === OTHERS ? 'read' : 'change';
    const message = `Other users may ${what} ${file}, and its mode cannot be set: ${reason(error)}`;
    throw new StartError(message, { cause: error });
  }
}
