/** Runs the commands that need no database. */
import { ConfigError } from '../config.ts';
import { Refusal } from '../operations/refusal.ts';
import { TollgateError } from '../sdk/errors.ts';
import { Unavailable, complain } from './complain.ts';
import { readSecrets } from './secrets.ts';
import type { SecretOptions } from './secrets.ts';

/**
 * Runs an action, with the secret from standard input filled in. Prints an expected error as one
 * sentence, and sets its exit code.
 */
export async function run<T extends SecretOptions & { json?: boolean }>(
  options: T,
  action: (given: T) => Promise<void>,
): Promise<void> {
  try {
    await action(await readSecrets(options));
  } catch (error) {
    const expected = [Refusal, TollgateError, ConfigError, Unavailable];
    if (!expected.some((kind) => error instanceof kind)) throw error;
    complain(options, error);
  }
}
