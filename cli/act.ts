/** How the commands that work on the database are run, and what they print. */
import type { Command } from 'commander';
import { readConfig } from '../config/config.ts';
import { Refusal } from '../operations/refusal.ts';
import { bodyOf, sentenceOf } from './access.ts';
import { openServices } from './services.ts';
import type { OpenServices } from './services.ts';

type Action<T> = (services: OpenServices, options: T) => Promise<object>;

/** What an option takes is checked by its command: here everything is text. */
export function act<T extends object>(command: Command, action: Action<T>): void {
  command
    .option('--json', 'print one line of JSON')
    .action(async (options: T & { json?: boolean }) =>
      run(options, async () => withServices(async (services) => action(services, options))),
    );
}

/** What the action makes of the configured services, which are closed after it. */
export async function withServices<R>(action: (services: OpenServices) => Promise<R>): Promise<R> {
  const services = await openServices(readConfig());
  try {
    return await action(services);
  } finally {
    await services.close();
  }
}

/** Prints what `action` answers, or why it does not; exits with 1 for the latter. */
export async function run<R extends object>(
  options: { json?: boolean },
  action: () => Promise<R>,
  toText: (result: R) => string = toLines,
): Promise<void> {
  try {
    const result = await action();
    console.log(options.json ? JSON.stringify(result) : toText(result));
  } catch (error) {
    complain(options, error);
  }
}

/** Prints a refusal, or a fault, as one sentence or as the API answers it; it ends with 1 then. */
export function complain({ json }: { json?: boolean }, error: unknown): void {
  process.exitCode = 1;
  const sentence = error instanceof Refusal ? error.message : `tollgate: ${sentenceOf(error)}`;
  console.error(json ? JSON.stringify(bodyOf(error)) : sentence);
}

const text = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : String(value);

function toLines(result: object): string {
  const width = Math.max(...Object.keys(result).map((key) => key.length));
  const line = ([key, value]: [string, unknown]) => `${key.padEnd(width)}  ${text(value)}`;
  return Object.entries(result).map(line).join('\n');
}
