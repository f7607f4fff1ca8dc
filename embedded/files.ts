/** Replaces files as a whole, so that a reader never finds half of one, even after a crash. */
import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { codeOf } from './errors.ts';

/** Writes the file, readable by its owner only. It is on the disk when this returns. */
export function replaceFile(file: string, text: string): void {
  const temporary = `${file}.new`;
  // A killed start may have left one with another mode, and writing to a file keeps its mode.
  rmSync(temporary, { force: true });
  writeFileSync(temporary, text, { mode: 0o600, flush: true });
  moveFile(temporary, file);
}

/** Renames a file within its folder. The new name is on the disk when this returns. */
export function moveFile(from: string, to: string): void {
  renameSync(from, to);
  const folder = openSync(path.dirname(to), 'r');
  try {
    fsyncSync(folder);
  } catch (error) {
    // Some file systems do not sync folders.
    if (codeOf(error) !== 'EINVAL') throw error;
  } finally {
    closeSync(folder);
  }
}
