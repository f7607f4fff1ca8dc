/**
 * The package of the client, which the service offers to integrators. `npm run build` makes its file.
 * From source, the first download after a change does, which takes seconds.
 */
import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';

export const CLIENT_FILE = 'tollgate-sdk.tgz';

const PROJECT = path.resolve(import.meta.dirname, '..');
/** The rooms whose code is in the package, and the files that decide how it is made. */
const ROOMS = [
  'check',
  'cli',
  'config',
  'domain',
  'explain',
  'operations',
  'outbound',
  'sdk',
  'store',
];
const FILES = ['concurrency.ts', 'config.ts', 'pack.mjs', 'package-lock.json'];

/** Returns the file's bytes. */
export async function readClient(): Promise<Buffer> {
  const built = path.join(import.meta.dirname, CLIENT_FILE);
  return readFile(existsSync(built) ? built : await packed());
}

/** Returns the path of the package of this source. Makes it if there is none. */
async function packed(): Promise<string> {
  const file = path.join(PROJECT, 'sdk', 'packed', `${hashOfSource()}.tgz`);
  if (!existsSync(file)) {
    await promisify(execFile)(process.execPath, [path.join(PROJECT, 'pack.mjs'), file]);
  }
  return file;
}

function hashOfSource(): string {
  const hash = createHash('sha256');
  const inRooms = ROOMS.flatMap((room) =>
    readdirSync(path.join(PROJECT, room), { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.(?:ts|json|md)$/.test(name) && !/^(?:dist|packed)/.test(name))
      .map((name) => path.join(room, name))
      .toSorted(),
  );
  for (const name of [...FILES, ...inRooms]) {
    hash.update(name).update(readFileSync(path.join(PROJECT, name)));
  }
  return hash.digest('hex').slice(0, 16);
}
