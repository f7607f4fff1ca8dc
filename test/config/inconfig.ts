/** Reads the configuration in a process with nothing else in its environment. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { promisify } from 'node:util';
import { PROJECT } from '../support/servers/programs.ts';

export type Variables = Record<string, string>;

/** Evaluates `expression`, where `c` is config.ts. Returns an error as its name and message. */
export async function inConfig(expression: string, env: Variables, cwd: string): Promise<unknown> {
  const config = path.join(PROJECT, 'config.ts');
  const program = `
    const c = await import(${JSON.stringify(config)});
    let result;
    try { result = ${expression}; } catch (error) { result = [error.name, error.message]; }
    process.stdout.write(JSON.stringify(result) ?? 'null');`;
  const tsx = path.join(PROJECT, 'node_modules/tsx/dist/loader.mjs');
  const args = ['--import', tsx, '--input-type=module', '--eval', program];
  const bare = { PATH: process.env['PATH'] ?? '', ...env };
  const { stdout } = await promisify(execFile)(process.execPath, args, { cwd, env: bare });
  return JSON.parse(stdout);
}
