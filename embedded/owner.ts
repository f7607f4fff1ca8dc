import { rmSync, writeFileSync } from 'node:fs';
import { mkdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import { codeOf, StartError } from './errors.ts';
import { identityOf, signalGroup } from './identity.mjs';
import { waitUntil } from './wait.ts';

/** Longer than a guardian needs to stop what a killed program left: twice its grace period. */
const LEFTOVER_LIMIT_MS = 17_000;

/** SIGKILL ends a process at once, unless it waits for the disk. */
const KILL_LIMIT_MS = 5_000;

/** On a busy machine a killed program may still be visible for a moment. */
const DYING_MS = 2_000;

const FILE = 'running.json';

/** A process. A later process with the same id has another identity. */
interface ProcessMark {
  pid: number;
  identity?: string | undefined;
}

interface Running {
  owner: ProcessMark;
  /** The guardian and the servers. */
  others: ProcessMark[];
}

export interface Claim {
  /** Records which processes use the data now. */
  note(pids: readonly (number | undefined)[]): void;
  release(): void;
}

/**
 * Claims a data folder for this program alone, because two programs on the same data would destroy
 * it. Waits for processes that a killed program left, then kills them. Throws a `StartError` if
 * another program still uses the folder.
 */
export async function claimData(dataDir: string, log: (line: string) => void): Promise<Claim> {
  await mkdir(dataDir, { recursive: true });
  const file = path.join(dataDir, FILE);
  const running: Running = { owner: mark(process.pid), others: [] };
  const write = (flag: 'w' | 'wx') =>
    writeFileSync(file, `${JSON.stringify(running, undefined, 2)}\n`, { flag });
  const claim = (): boolean => {
    try {
      write('wx');
      return true;
    } catch (error) {
      if (codeOf(error) === 'EEXIST') return false;
      throw error;
    }
  };
  if (!claim()) {
    const user = await endLeftovers(file, log);
    if (user === undefined) rmSync(file, { force: true });
    if (user !== undefined || !claim()) {
      throw new StartError(
        `${user ?? 'another program'} uses ${dataDir}. ` +
          'Stop it, or set DATA_DIR to another folder.',
      );
    }
  }
  return {
    note(pids) {
      running.others = pids.filter((pid) => pid !== undefined).map(mark);
      write('w');
    },
    release: () => rmSync(file, { force: true }),
  };
}

/** Stops what a killed program left. Returns the process that still uses the data, if any. */
async function endLeftovers(
  file: string,
  log: (line: string) => void,
): Promise<string | undefined> {
  const before = await readRunning(file);
  if (before === undefined) return undefined;
  const ownerIsGone = await waitUntil(() => !isAlive(before.owner), DYING_MS);
  if (!ownerIsGone) return `process ${before.owner.pid}`;
  const left = () => before.others.filter(isAlive);
  if (left().length > 0) log('waiting for the processes of an earlier run to stop');
  if (await waitUntil(() => left().length === 0, LEFTOVER_LIMIT_MS)) return undefined;
  for (const { pid } of left()) signalGroup(pid, 'SIGKILL');
  if (await waitUntil(() => left().length === 0, KILL_LIMIT_MS)) return undefined;
  return `process ${left()[0]?.pid}, which does not end,`;
}

/** Returns undefined for a file that a crash has cut off. */
async function readRunning(file: string): Promise<Running | undefined> {
  try {
    return JSON.parse(await readFile(file, 'utf8')) as Running;
  } catch {
    return undefined;
  }
}

function mark(pid: number): ProcessMark {
  return { pid, identity: identityOf(pid) };
}

function isAlive({ pid, identity }: ProcessMark): boolean {
  return identity !== undefined && identityOf(pid) === identity;
}
