/** A JSON file that is replaced as a whole, so a reader finds either the old or the new text. */

import { existsSync } from 'node:fs';
import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

/** Other users of this machine must not read the orders. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** Returns the value in the file, or undefined if there is no file. Throws if it is not JSON. */
export async function readJson(path: string): Promise<unknown> {
  if (!existsSync(path)) return undefined;
  const text = await readFile(path, 'utf8');
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not valid JSON; move it away to start with a new one`, {
      cause: error,
    });
  }
}

/** Writes the value as it is at the time of the call. Two writes must not overlap. */
export async function writeJson(path: string, value: unknown): Promise<void> {
  const text = `${JSON.stringify(value)}\n`;
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  const draft = `${path}.tmp`;
  const file = await open(draft, 'w', FILE_MODE);
  try {
    await file.writeFile(text);
    // Without this, a power cut can keep the rename but lose the text.
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
