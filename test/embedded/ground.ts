// Folders, processes and start options for the tests of this room.
import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { identityOf } from '../../embedded/identity.mjs';
import { waitUntil } from '../../embedded/wait.ts';

const PROJECT = fileURLToPath(new URL('../..', import.meta.url));

/** The limit of every wait. Most take a second; a busy machine may need far more. */
export const LIMIT_MS = 60_000;

/** Makes a temporary folder and returns it with the function that removes it. */
export async function makeFolder(): Promise<{ folder: string; remove: () => Promise<void> }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-embedded-'));
  return { folder, remove: () => rm(folder, { recursive: true, force: true, maxRetries: 5 }) };
}

/** Returns start options that find the run's cached programs and collect the log in `lines`. */
export function makePlace(lines: string[] = []) {
  const { env } = process;
  return {
    cacheDir: path.resolve(PROJECT, env['CACHE_DIR'] ?? '.cache'),
    path: env['PATH'] ?? '',
    env,
    log: (line: string) => void lines.push(line),
  };
}

export function isAlive(pid: number | undefined): boolean {
  return pid !== undefined && identityOf(pid) !== undefined;
}

export function allEnd(pids: readonly (number | undefined)[]): Promise<boolean> {
  return waitUntil(() => !pids.some(isAlive), LIMIT_MS);
}

const programs: ChildProcess[] = [];

/** Kills the programs of `runProgram` that a failed test left. */
export function endPrograms(): void {
  for (const child of programs.splice(0)) child.kill('SIGKILL');
}

/** Runs a module as a separate program. `next` returns the next line that it prints, as JSON. */
export function runProgram(code: string): { child: ChildProcess; next: () => Promise<unknown> } {
  const args = ['--import', 'tsx', '--input-type=module', '--eval', code];
  const child = spawn(process.execPath, args, {
    cwd: PROJECT,
    env: { ...process.env, NODE_OPTIONS: '' },
    // With an inherited output, Vitest would wait for a leftover program.
    stdio: ['ignore', 'pipe', 'ignore'],
  });
  programs.push(child);
  let text = '';
  child.stdout.on('data', (chunk: Buffer) => (text += chunk.toString()));
  return {
    child,
    async next() {
      const hasLine = await waitUntil(() => text.includes('\n'), LIMIT_MS);
      if (!hasLine) throw new Error(`No line within ${LIMIT_MS} ms; so far: '${text}'`);
      const [line = '', ...rest] = text.split('\n');
      text = rest.join('\n');
      return JSON.parse(line);
    },
  };
}
