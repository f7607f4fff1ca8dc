import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';
import { execa } from 'execa';
import { serverEnvironment, type Environment } from './environment.ts';
import { reason } from './errors.ts';

/** Printing a version takes well under a second, even on the first run after a boot. */
const OUTPUT_LIMIT_MS = 15_000;

/** Returns the first executable file of this name in the folders of a PATH value. */
export async function onPath(name: string, searchPath: string): Promise<string> {
  for (const folder of searchPath.split(path.delimiter).filter(Boolean)) {
    const file = path.join(folder, name);
    if (await isExecutable(file)) return file;
  }
  throw new Error(`${name} is not on PATH`);
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

/** Runs a program that only prints something, and returns that. Throws if it does not run. */
export async function outputOf(
  file: string,
  args: readonly string[],
  env: Environment,
): Promise<string> {
  const limits = { env: serverEnvironment(env), extendEnv: false, timeout: OUTPUT_LIMIT_MS };
  try {
    return (await execa(file, args, limits)).stdout.trim();
  } catch (error) {
    throw new Error(`${file} does not run: ${reason(error)}`, { cause: error });
  }
}

interface VersionCheck {
  /** Matches the output of `--version`. Its first group is the version. */
  pattern: RegExp;
  /** The oldest [major, minor] that is accepted. */
  atLeast: readonly [number, number];
}

/** Returns the file. Throws if the program does not run on this machine, or is too old. */
export async function checkVersion(
  file: string,
  { pattern, atLeast }: VersionCheck,
  env: Environment,
): Promise<string> {
  const version = pattern.exec(await outputOf(file, ['--version'], env))?.[1];
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  if (major > atLeast[0] || (major === atLeast[0] && minor >= atLeast[1])) return file;
  throw new Error(`${file} is version ${version ?? 'unknown'}, ${atLeast.join('.')} is needed`);
}
