/**
 * The encryption key that a data folder keeps for itself, and its change. A new key waits in
 * `secret.key.next` and is taken into use by the next start, when nothing runs on the data that
 * does not know it; the one before stays in `secret.key.previous`, to open what it has sealed.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import path from 'node:path';
import { codeOf } from './wait.ts';

const KEY_BYTES = 32;

interface KeptKeys {
  readonly current: Buffer;
  /** Newest first. */
  readonly previous: readonly Buffer[];
}

/**
 * The keys of the folder; a folder without one gets one, and a key that waits is taken into use.
 * The older one is written down first, so that a crash at any point leaves both. Only for the
 * program whose data this is. Throws when a file holds something else than keys.
 */
export async function keepKeys(dataDir: string): Promise<KeptKeys> {
  const { key, next, previous } = filesOf(dataDir);
  const kept = readKeys(dataDir);
  if (!kept) await writeKeys(key, [randomBytes(KEY_BYTES)]);
  if (kept && existsSync(next)) {
    requireKeys(next);
    await writeKeys(previous, [kept.current, ...kept.previous]);
    await moveInto(next, key);
  }
  const now = readKeys(dataDir);
  if (!now) throw new Error(`${key} was taken away while it was made.`);
  return now;
}

/** The keys as they are in use; undefined when the folder has none. */
export function readKeys(dataDir: string): KeptKeys | undefined {
  const files = filesOf(dataDir);
  const [current] = readFile(files.key) ?? [];
  if (!current) return undefined;
  // A start that was killed while it changed the key may have left it in both files.
  const previous = (readFile(files.previous) ?? []).filter((key) => !key.equals(current));
  return { current, previous };
}

/** Makes a key that the next start takes into use; false when one waits already. */
export async function stageKey(dataDir: string): Promise<boolean> {
  const { next } = filesOf(dataDir);
  if (existsSync(next)) return false;
  await writeKeys(next, [randomBytes(KEY_BYTES)]);
  return true;
}

/** Whether a key waits for the next start. */
export function isKeyStaged(dataDir: string): boolean {
  return existsSync(filesOf(dataDir).next);
}

function filesOf(dataDir: string): { key: string; next: string; previous: string } {
  const key = path.join(dataDir, 'secret.key');
  return { key, next: `${key}.next`, previous: `${key}.previous` };
}

/** One key a line, in base64; undefined when there is no such file. */
function readFile(file: string): Buffer[] | undefined {
  return existsSync(file) ? requireKeys(file) : undefined;
}

function requireKeys(file: string): Buffer[] {
  const lines = readFileSync(file, 'utf8').split('\n');
  const keys = lines
    .filter((line) => line.trim() !== '')
    .map((line) => Buffer.from(line, 'base64'));
  if (keys.length > 0 && keys.every(({ length }) => length === KEY_BYTES)) return keys;
  throw new Error(`${file} must hold ${KEY_BYTES} bytes in base64 on each line.`);
}

/** Whole or not at all, readable by its owner only, and on the disk when this returns. */
async function writeKeys(file: string, keys: readonly Buffer[]): Promise<void> {
  const handle = await open(`${file}.new`, 'w', 0o600);
  try {
    // A start that was killed may have left a file with another mode, and opening a file keeps its
    // mode.
    await handle.chmod(0o600);
    await handle.writeFile(keys.map((key) => `${key.toString('base64')}\n`).join(''));
    await handle.sync();
  } finally {
    await handle.close();
  }
  await moveInto(`${file}.new`, file);
}

async function moveInto(from: string, file: string): Promise<void> {
  await rename(from, file);
  const folder = await open(path.dirname(file), 'r');
  try {
    await folder.sync();
  } catch (error) {
    // Some file systems sync no folders; the rename itself was whole all the same.
    if (codeOf(error) !== 'EINVAL') throw error;
  } finally {
    await folder.close();
  }
}
