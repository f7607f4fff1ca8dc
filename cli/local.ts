/** How the commands that need no database are run. */
import { ConfigError } from '../config.ts';
import { Refusal } from '../operations/refusal.ts';
import { TollgateError } from '../sdk/errors.ts';
import { complain } from './complain.ts';
import { readSecrets } from './secrets.ts';
import type { SecretOptions } from './secrets.ts';

/**
 * Runs an action with the secrets from standard input filled in. Prints a refusal or a fault as one
 * sentence, and sets the exit code 1 then.
 */
export async function run<T extends SecretOptions & { json?: boolean }>(
  options: T,
  action: (given: T) => Promise<void> | void,
): Promise<void> {
  try {
    await action(await readSecrets(options));
  } catch (error) {
    const known = [Refusal, TollgateError, ConfigError];
    if (!known.some((kind) => error instanceof kind)) throw error;
    complain(options, error);
  }
}
