import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';

import { identityOf, signalGroup } from './identity.mjs';
import { codeOf, waitUntil } from './wait.ts';

/** Longer than a guardian may take to stop what a killed program left (its grace, twice). */
const LEFTOVER_LIMIT_MS = 17_000;

/** After SIGKILL a process is gone at once, unless the disk keeps it. */
const KILL_LIMIT_MS = 5_000;

/** A program that was killed a moment ago may still be seen on a busy machine. */
const DYING_MS = 2_000;

const FILE = 'running.json';

/** A process that can be told from a later one with the same number. */
interface ProcessMark {
  pid: number;
  identity?: string | undefined;
}

interface Running {
  owner: ProcessMark;
  /** The guardian and the servers. */
  others: ProcessMark[];
}

/** Two programs on the same data would destroy it: the second one is refused. */
export class DataInUseError extends Error {
  override name = 'DataInUseError';
}

export interface Claim {
  /** Notes which processes work on the data now. */
  note(pids: readonly (number | undefined)[]): void;
  release(): void;
}

/**
 * Takes a data folder for this program alone. What a killed program left running on it is waited
 * for, then stopped. Throws a DataInUseError while its program lives.
 */
export async function claimData(dataDir: string, log: (line: string) => void): Promise<Claim> {
  await mkdir(dataDir, { recursive: true });
  const file = path.join(dataDir, FILE);
  const running: Running = { owner: mark(process.pid), others: [] };
  if (!(await create(file, running))) {
    await endLeftovers(file, { dataDir, log });
    await rm(file, { force: true });
    if (!(await create(file, running))) throw inUse(dataDir, 'another program');
  }
  return {
    // Written at once: a note that is still under way must not outlive the release.
    note(pids) {
      running.others = pids.filter((pid) => pid !== undefined).map(mark);
      writeFileSync(file, text(running));
    },
    release: () => rmSync(file, { force: true }),
  };
}

async function create(file: string, running: Running): Promise<boolean> {
  try {
    await writeFile(file, text(running), { flag: 'wx' });
    return true;
  } catch (error) {
    if (codeOf(error) === 'EEXIST') return false;
    throw error;
  }
}

async function endLeftovers(
  file: string,
  { dataDir, log }: { dataDir: string; log: (line: string) => void },
): Promise<void> {
  const before = await readRunning(file);
  if (before === undefined) return;
  const gone = await waitUntil(() => !isAlive(before.owner), DYING_MS);
  if (!gone) throw inUse(dataDir, `process ${before.owner.pid}`);
  const left = () => before.others.filter(isAlive);
  if (left().length > 0) log('waiting until what an earlier run left has stopped');
  if (await waitUntil(() => left().length === 0, LEFTOVER_LIMIT_MS)) return;
  for (const { pid } of left()) signalGroup(pid, 'SIGKILL');
  if (await waitUntil(() => left().length === 0, KILL_LIMIT_MS)) return;
  throw inUse(dataDir, `process ${left()[0]?.pid}, which does not end,`);
}

async function readRunning(file: string): Promise<Running | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Running;
  } catch {
    // A file that was cut off by a crash says nothing.
    return undefined;
  }
}

function inUse(dataDir: string, by: string): DataInUseError {
  const message = `${by} works on ${dataDir}. Stop it, or set DATA_DIR to another folder.`;
  return new DataInUseError(message);
}

function mark(pid: number): ProcessMark {
  return { pid, identity: identityOf(pid) };
}

function isAlive({ pid, identity }: ProcessMark): boolean {
  return identity !== undefined && identityOf(pid) === identity;
}

function text(running: Running): string {
  return `${JSON.stringify(running, undefined, 2)}\n`;
}
