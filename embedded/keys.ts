/**
 * The encryption key that a data folder keeps, and its replacement. A new key is staged in
 * `secret.key.next`. The next start, when no other program uses the data, puts it in use. The old
 * key stays in `secret.key.previous`, to decrypt what it has encrypted.
 */
import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { moveFile, replaceFile } from './files.ts';

const KEY_BYTES = 32;

interface KeptKeys {
  readonly current: Buffer;
  /** Newest first. */
  readonly previous: readonly Buffer[];
}

/**
 * Returns the folder's keys. Creates one if there is none, and puts a staged key in use. The old
 * key is saved first, so no crash loses a key. Only the program that runs on the data may call
 * this. Throws if a file holds anything but keys.
 */
export function keepKeys(dataDir: string): KeptKeys {
  const { key, next, previous } = filesOf(dataDir);
  const kept = readKeys(dataDir);
  if (!kept) writeKeys(key, [randomBytes(KEY_BYTES)]);
  if (kept && existsSync(next)) {
    readFile(next);
    writeKeys(previous, [kept.current, ...kept.previous]);
    moveFile(next, key);
  }
  const now = readKeys(dataDir);
  if (!now) throw new Error(`${key} was removed while it was created.`);
  return now;
}

/** Returns the keys in use; undefined if the folder has none. */
export function readKeys(dataDir: string): KeptKeys | undefined {
  const files = filesOf(dataDir);
  const [current] = readFile(files.key);
  if (!current) return undefined;
  // A start that was killed while it replaced the key may have left it in both files.
  const previous = readFile(files.previous).filter((key) => !key.equals(current));
  return { current, previous };
}

/** Creates the key that the next start puts in use. Returns false if one is staged already. */
export function stageKey(dataDir: string): boolean {
  if (isKeyStaged(dataDir)) return false;
  writeKeys(filesOf(dataDir).next, [randomBytes(KEY_BYTES)]);
  return true;
}

/** Returns true if a key is staged for the next start. */
export function isKeyStaged(dataDir: string): boolean {
  return existsSync(filesOf(dataDir).next);
}

function filesOf(dataDir: string): { key: string; next: string; previous: string } {
  const key = path.join(dataDir, 'secret.key');
  return { key, next: `${key}.next`, previous: `${key}.previous` };
}

/** Reads one key per line, in base64; none if there is no such file. */
function readFile(file: string): Buffer[] {
  if (!existsSync(file)) return [];
  const lines = readFileSync(file, 'utf8').split('\n');
  const keys = lines
    .filter((line) => line.trim() !== '')
    .map((line) => Buffer.from(line, 'base64'));
  if (keys.length > 0 && keys.every(({ length }) => length === KEY_BYTES)) return keys;
  throw new Error(`${file} must hold ${KEY_BYTES} bytes in base64 on each line.`);
}

function writeKeys(file: string, keys: readonly Buffer[]): void {
  replaceFile(file, keys.map((key) => `${key.toString('base64')}\n`).join(''));
}
