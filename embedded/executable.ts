import { access, constants, stat } from 'node:fs/promises';
import path from 'node:path';

import { execa } from 'execa';

import { serverEnvironment, type Environment } from './environment.ts';
import { reason } from './wait.ts';

/** Printing a version takes well under a second; a program that hangs at it is of no use. */
const VERSION_LIMIT_MS = 15_000;

/** The first file of this name in the folders of a PATH value that may be executed. */
export async function onPath(name: string, searchPath: string): Promise<string | undefined> {
  for (const folder of searchPath.split(path.delimiter).filter(Boolean)) {
    const file = path.join(folder, name);
    if (await isExecutable(file)) return file;
  }
  return undefined;
}

export async function isExecutable(file: string): Promise<boolean> {
  try {
    await access(file, constants.X_OK);
    return (await stat(file)).isFile();
  } catch {
    return false;
  }
}

interface VersionQuestion {
  file: string;
  /** Its first group is the version in the program's answer. */
  pattern: RegExp;
  /** The oldest [major, minor] that will do. */
  atLeast: readonly [number, number];
  env: Environment;
}

/**
 * Runs `<file> --version`, which shows that the program can run on this machine at all.
 * Throws when it cannot, or when it is older than asked.
 */
export async function checkVersion(question: VersionQuestion): Promise<void> {
  const { file, pattern, atLeast, env } = question;
  let output: string;
  try {
    const { stdout } = await execa(file, ['--version'], {
      env: serverEnvironment(env),
      extendEnv: false,
      timeout: VERSION_LIMIT_MS,
    });
    output = stdout;
  } catch (error) {
    throw new Error(`${file} does not run: ${reason(error)}`, { cause: error });
  }
  const version = pattern.exec(output)?.[1];
  const [major = 0, minor = 0] = (version ?? '').split('.').map(Number);
  if (major > atLeast[0] || (major === atLeast[0] && minor >= atLeast[1])) return;
  throw new Error(`${file} is version ${version ?? 'unknown'}, ${atLeast.join('.')} is needed`);
}
