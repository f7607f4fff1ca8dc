/** The `tollgate` command as a developer runs it: a process with a terminal and an environment. */
import { spawn } from 'node:child_process';
import { tmpdir } from 'node:os';
import path from 'node:path';
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

/** Runs it to its end. */
export async function tollgate(
  args: readonly string[],
  env: Variables = {},
  input = '',
): Promise<Outcome> {
  return startTollgate(args, env, input).ended;
}
