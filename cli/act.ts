/** Runs the commands that work on the database, and prints their results. */
import { readConfig } from '../config.ts';
import { isUnavailable } from '../store/mongo.ts';
import { IndexesMissing } from '../store/survey.ts';
import { Unavailable, complain } from './complain.ts';
import { toLines } from './output.ts';
import { openServices } from './services.ts';
import type { OpenServices } from './services.ts';

/** Runs the action with the configured services, and closes them after it. */
export async function withServices<R>(action: (services: OpenServices) => Promise<R>): Promise<R> {
  const services = await openServices(readConfig());
  try {
    return await action(services);
  } finally {
    await services.close();
  }
}

/** Prints the result of `action`. Prints the error if it throws, and sets its exit code. */
export async function run<R extends object>(
  options: { json?: boolean },
  action: () => Promise<R>,
  toText: (result: R) => string = toLines,
): Promise<void> {
  try {
    const result = await action();
    console.log(options.json ? JSON.stringify(result) : toText(result));
  } catch (error) {
    complain(options, faultOf(error));
  }
}

/** Returns the error to report: `Unavailable` if the database cannot be used now. */
export function faultOf(error: unknown): unknown {
  const { name, message, cause } = error as Error;
  if (isUnavailable(error) && name.startsWith('Mongo')) {
    const advice = 'The database is not available just now; run the command again.';
    return new Unavailable(`${advice} (${message})`, { cause: error });
  }
  const isTemporary =
    isUnavailable(error) || isUnavailable(cause) || error instanceof IndexesMissing;
  return isTemporary ? new Unavailable(message, { cause: error }) : error;
}
