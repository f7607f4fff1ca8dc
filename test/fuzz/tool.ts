/** Schemathesis, installed from its pins into the cache, and one run of it. */
import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { fillFolder, platformCache } from '../../embedded/cache.ts';
import { installerEnvironment } from '../../embedded/environment.ts';

const run = promisify(execFile);

const HERE = import.meta.dirname;
const PINS = path.join(HERE, 'requirements.txt');
/** The time limit of the installation: 30 MB take minutes over a slow connection. */
const INSTALL_LIMIT_MS = 10 * 60 * 1000;
/** The time limit of a run, which takes a minute or two. */
const RUN_LIMIT_MS = 30 * 60 * 1000;

/** Some of the packages are compiled for one minor version of Python. */
const VERSION_QUESTION = 'import sys; print("py%d.%d" % sys.version_info[:2])';

/** Returns the folder with the tool. Installs it if it is missing. */
export async function installTool(cacheDir: string): Promise<string> {
  const pins = await readFile(PINS);
  const { stdout } = await run('python3', ['-c', VERSION_QUESTION]);
  const hash = createHash('sha256').update(pins).digest('hex').slice(0, 8);
  const folder = path.join(platformCache(cacheDir), 'python', `fuzz-${hash}-${stdout.trim()}`);
  await fillFolder(folder, async (target) => {
    console.log('Installing Schemathesis with pip');
    const quiet = ['--quiet', '--no-input', '--disable-pip-version-check'];
    const args = ['-m', 'pip', 'install', ...quiet, '--only-binary', ':all:'];
    await run('python3', [...args, '--target', target, '--requirement', PINS], {
      env: installerEnvironment(process.env),
      timeout: INSTALL_LIMIT_MS,
    });
  });
  return folder;
}

export interface Task {
  /** The folder with the tool. */
  readonly tool: string;
  /** The folder for its output. */
  readonly folder: string;
  readonly apiUrl: string;
  readonly apiKey: string;
  /** Completed payments, so that refunds can be accepted. */
  readonly payments: readonly string[];
  readonly seed: number;
  /** The maximum number of cases for each call and phase. */
  readonly examples: number;
}

export interface Result {
  /** The number of requests that were sent. */
  readonly cases: number;
  readonly hasPassed: boolean;
}

const ENTRY = 'from schemathesis.cli import schemathesis; schemathesis()';

/** Runs all phases and checks with one seed. The report goes to the terminal. */
export async function fuzz(task: Task): Promise<Result> {
  const args = [
    ['-c', ENTRY, 'run', `${task.apiUrl}/openapi.json`],
    ['--header', `Authorization: Bearer ${task.apiKey}`],
    ['--phases', 'examples,coverage,fuzzing,stateful', '--checks', 'all', '--no-color'],
    ['--seed', String(task.seed), '--max-examples', String(task.examples)],
  ].flat();
  const child = spawn('python3', args, {
    cwd: task.folder,
    env: {
      ...installerEnvironment(process.env),
      PYTHONPATH: task.tool,
      PYTHONDONTWRITEBYTECODE: '1',
      SCHEMATHESIS_HOOKS: path.join(HERE, 'hooks.py'),
      FUZZ_PAYMENTS: task.payments.join(','),
    },
    stdio: ['ignore', 'pipe', 'inherit'],
    timeout: RUN_LIMIT_MS,
  });
  let output = '';
  child.stdout.on('data', (chunk: Buffer) => {
    output += chunk.toString();
    process.stdout.write(chunk);
  });
  const code = await new Promise<number | null>((resolve, reject) => {
    child.once('error', reject);
    child.once('close', resolve);
  });
  const cases = Number(/([\d,]+) generated/.exec(output)?.[1]?.replaceAll(',', '') ?? 0);
  return { cases, hasPassed: code === 0 };
}
