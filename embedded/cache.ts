import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** No fetch takes this long: a half-filled folder that is older was left by a killed program. */
const ABANDONED_MS = 60 * 60 * 1000;

/** Machines that share a cache folder by a network drive must not share programs. */
export function platformCache(cacheDir: string): string {
  return path.resolve(cacheDir, `${process.platform}-${process.arch}`);
}

export async function exists(file: string): Promise<boolean> {
  return stat(file).then(
    () => true,
    () => false,
  );
}

/**
 * Makes sure that a cache folder is there, whole: it is filled under another name and then renamed,
 * so nobody ever sees a half-filled one. Of two programs that fill the same folder at the same
 * time one wins, and both use the winner's.
 */
export async function fillFolder(
  folder: string,
  fill: (temporary: string) => Promise<void>,
): Promise<void> {
  if (await exists(folder)) return;
  await removeAbandoned(folder);
  const temporary = `${folder}.tmp-${randomUUID()}`;
  await mkdir(temporary, { recursive: true, mode: 0o755 });
  try {
    await fill(temporary);
    await rename(temporary, folder).catch(async (error: unknown) => {
      if (!(await exists(folder))) throw error;
    });
  } finally {
    await rm(temporary, { recursive: true, force: true });
  }
}

async function removeAbandoned(folder: string): Promise<void> {
  const parent = path.dirname(folder);
  const prefix = `${path.basename(folder)}.tmp-`;
  const names = await readdir(parent).catch(() => []);
  for (const name of names.filter((entry) => entry.startsWith(prefix))) {
    const file = path.join(parent, name);
    const age = Date.now() - (await stat(file).catch(() => ({ mtimeMs: Date.now() }))).mtimeMs;
    if (age > ABANDONED_MS) await rm(file, { recursive: true, force: true });
  }
}
