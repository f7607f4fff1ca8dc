/**
 * The `tollgate` command, with a new environment and in a folder without a project.
 *
 * `tollgate` runs the program in the test's own process. Use it for what a command does and prints:
 * to start a process takes longer than most commands.
 *
 * `startTollgate` starts a process. Use it where the process is the subject: signals, standard
 * input, two commands at once, how it ends, and whether all that it printed arrives.
 */
import { spawn } from 'node:child_process';
import { Console } from 'node:console';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { vi } from 'vitest';
import { makeProgram } from '../../cli/program.ts';
import { until } from '../support/until.ts';

export const COMMAND = path.resolve(import.meta.dirname, '../../cli/tollgate.js');

type Variables = Readonly<Record<string, string>>;

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  /** What it has printed until now. */
  printed(): string;
  /** What it printed with `--json`, line by line. */
  told(): Record<string, unknown>[];
  /** Waits until it has printed that. */
  says(pattern: RegExp): Promise<void>;
  /** Ends it as Ctrl-C does, and answers how it ended. */
  interrupt(): Promise<Outcome>;
  ended: Promise<Outcome>;
}

/** Starts it; `input` is what comes on its standard input. */
export function startTollgate(args: readonly string[], env: Variables = {}, input = ''): Running {
  const child = spawn(process.execPath, [COMMAND, ...args], {
    cwd: tmpdir(),
    env: { PATH: process.env['PATH'] ?? '', ...env },
  });
  child.stdin.end(input);
  const texts = { stdout: '', stderr: '' };
  for (const name of ['stdout', 'stderr'] as const) {
    child[name].setEncoding('utf8').on('data', (text: string) => (texts[name] += text));
  }
  const ended = new Promise<Outcome>((resolve) => {
    child.once('close', (code) => resolve({ code, ...texts }));
  });
  return {
    ended,
    printed: () => texts.stdout,
    told() {
      const whole = texts.stdout.slice(0, texts.stdout.lastIndexOf('\n') + 1);
      const lines = whole.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    async says(pattern) {
      await until(
        () => {
          if (child.exitCode !== null) throw new Error(`It ended: ${texts.stdout}${texts.stderr}`);
          return texts.stdout;
        },
        (text) => pattern.test(text),
      );
    },
    async interrupt() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/** Runs it to its end: in this process, or in its own if it is given standard input. */
export async function tollgate(
  args: readonly string[],
  env: Variables = {},
  input?: string,
): Promise<Outcome> {
  if (input !== undefined) return startTollgate(args, env, input).ended;
  const taken = takeOver(env);
  try {
    const program = makeProgram(new Command('tollgate').exitOverride());
    await program.parseAsync([...args], { from: 'user' });
    return { code: Number(process.exitCode ?? 0), ...taken.texts };
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return { code: error.exitCode, ...taken.texts };
  } finally {
    taken.giveBack();
  }
}

let isTaken = false;

/**
 * Gives a command everything of this process that it uses: environment, working folder, output and
 * exit code. Throws if another command has them: there is one of each.
 */
function takeOver(env: Variables) {
  if (isTaken) throw new Error('Another command runs in this process: use startTollgate for two.');
  isTaken = true;
  const texts = { stdout: '', stderr: '' };
  const { env: ownEnv, exitCode } = process;
  const [ownConsole, folder] = [console, process.cwd()];
  const spies = (['stdout', 'stderr'] as const).map((name) =>
    vi.spyOn(process[name], 'write').mockImplementation((text) => {
      texts[name] += String(text);
      return true;
    }),
  );
  globalThis.console = new Console(process.stdout, process.stderr);
  process.env = { PATH: ownEnv['PATH'] ?? '', ...env };
  process.exitCode = undefined;
  process.chdir(tmpdir());
  const giveBack = (): void => {
    for (const spy of spies) spy.mockRestore();
    globalThis.console = ownConsole;
    Object.assign(process, { env: ownEnv, exitCode });
    process.chdir(folder);
    isTaken = false;
  };
  return { texts, giveBack };
}
