/**
 * Runs the `tollgate` command with a new environment, in a folder without a project.
 *
 * `tollgate` runs the program in the test's own process. Use it for the effect and the output of a
 * command: the start of a process takes longer than most commands.
 *
 * `startTollgate` starts a process. Use it to test the process itself: signals, standard input, two
 * commands at once, the end, and whether the whole output arrives.
 */
import { spawn } from 'node:child_process';
import { Console } from 'node:console';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Command, CommanderError } from 'commander';
import { vi } from 'vitest';
import { makeProgram } from '../../cli/program.ts';
import { testServers } from '../support/run.ts';
import { until } from '../support/until.ts';

export const COMMAND = path.join(testServers().programs, 'cli', 'tollgate.js');

type Variables = Readonly<Record<string, string>>;

export interface Outcome {
  code: number | null;
  stdout: string;
  stderr: string;
}

export interface Running {
  /** Returns the output until now. */
  printed(): string;
  /** Returns the parsed lines of its output with `--json`. */
  lines(): Record<string, unknown>[];
  /** Waits until the output matches. */
  prints(pattern: RegExp): Promise<void>;
  /** Sends SIGINT, as Ctrl-C does, and waits for the end. */
  interrupt(): Promise<Outcome>;
  /** Sends SIGKILL. */
  kill(): void;
  ended: Promise<Outcome>;
}

/** Starts the command, with `input` on its standard input. */
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
    lines() {
      const whole = texts.stdout.slice(0, texts.stdout.lastIndexOf('\n') + 1);
      const lines = whole.split('\n').filter((line) => line !== '');
      return lines.map((line) => JSON.parse(line) as Record<string, unknown>);
    },
    async prints(pattern) {
      await until(
        () => {
          if (child.exitCode !== null) throw new Error(`It ended: ${texts.stdout}${texts.stderr}`);
          return texts.stdout;
        },
        (text) => pattern.test(text),
      );
    },
    kill: () => void child.kill('SIGKILL'),
    async interrupt() {
      child.kill('SIGINT');
      return ended;
    },
  };
}

/** Runs the command in this process, or in a separate one if it gets standard input. */
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
 * Lends this process to a command: its environment, working folder, output and exit code. Throws if
 * another command has them.
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
