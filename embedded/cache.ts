import { randomUUID } from 'node:crypto';
import { mkdir, readdir, rename, rm, stat } from 'node:fs/promises';
import path from 'node:path';

/** Longer than any download. An older half-filled folder was left by a killed program. */
const ABANDONED_MS = 60 * 60 * 1000;

/** Returns the folder of this platform. Other machines may share the cache over a network. */
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
 * Fills a cache folder if it is missing. It is filled under another name and then renamed, so it is
 * never seen half full. If several programs fill it at the same time, all use the first result.
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
  for (const name of await readdir(parent).catch(() => [])) {
    if (!name.startsWith(`${path.basename(folder)}.tmp-`)) continue;
    const file = path.join(parent, name);
    const entry = await stat(file).catch(() => undefined);
    if (entry && Date.now() - entry.mtimeMs > ABANDONED_MS)
      await rm(file, { recursive: true, force: true });
  }
}
