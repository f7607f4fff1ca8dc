/** A JSON file that is replaced as a whole: whoever reads it finds the old text or the new one. */

import { mkdir, open, readFile, rename } from 'node:fs/promises';
import { dirname } from 'node:path';

import { textMember } from './json.ts';

/** Orders are nobody else's business on this machine. */
const FILE_MODE = 0o600;
const FOLDER_MODE = 0o700;

/** The value in the file, or undefined when there is no such file. Throws when it is not JSON. */
export async function readJson(path: string): Promise<unknown> {
  let text: string;
  try {
    text = await readFile(path, 'utf8');
  } catch (error) {
    if (textMember(error, 'code') === 'ENOENT') return undefined;
    throw error;
  }
  try {
    return JSON.parse(text);
  } catch (error) {
    throw new Error(`${path} is not valid JSON; move it away to start anew`, { cause: error });
  }
}

/**
 * A function that writes what `snapshot` answers. Writes never overlap; calls made while one is
 * under way share the next one. The promise is kept once everything that was true at the call is
 * on the disk, and broken when that failed.
 */
export function createWriter(path: string, snapshot: () => unknown): () => Promise<void> {
  let latest: Promise<void> = Promise.resolve();
  let queued: Promise<void> | undefined;
  const begin = async (): Promise<void> => {
    queued = undefined;
    await replace(path, `${JSON.stringify(snapshot())}\n`);
  };
  return async () => {
    // A failed write was reported to those who asked for it; the next one starts all the same.
    queued ??= latest.then(begin, begin);
    latest = queued;
    await queued;
  };
}

async function replace(path: string, text: string): Promise<void> {
  await mkdir(dirname(path), { recursive: true, mode: FOLDER_MODE });
  const draft = `${path}.tmp`;
  const file = await open(draft, 'w', FILE_MODE);
  try {
    await file.writeFile(text);
    // Without this a power cut may keep the rename and lose the text.
    await file.sync();
  } finally {
    await file.close();
  }
  await rename(draft, path);
}
