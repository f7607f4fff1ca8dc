/**
 * Adds actions to commands without loading their modules. Help and usage errors then load neither
 * the database's driver nor Temporal's client, which are slow to load.
 */
import type { Command } from 'commander';
import type { SecretOptions } from './secrets.ts';
import type { OpenServices } from './services.ts';

type Action<T> = (services: OpenServices, options: T) => Promise<object>;
type LocalAction<T> = (options: T, args: readonly string[]) => Promise<void> | void;

/**
 * Adds an action on the service's database, which `load` imports when the command runs. All options
 * are text, and the action checks their values. Returns the command.
 */
export function addAction<T extends object>(
  command: Command,
  load: () => Promise<Action<T>>,
): Command {
  return command
    .option('--json', 'print one line of JSON')
    .action(async (options: T & { json?: boolean }) => {
      const [{ run, withServices }, action] = await Promise.all([import('./act.ts'), load()]);
      await run(options, async () => withServices(async (services) => action(services, options)));
    });
}

/** Adds an action without a database. It gets the command's options and arguments. */
export function addLocalAction<T extends SecretOptions & { json?: boolean }>(
  command: Command,
  load: () => Promise<LocalAction<T>>,
): Command {
  return command.action(async () => {
    const [{ run }, action] = await Promise.all([import('./local.ts'), load()]);
    await run(command.opts<T>(), async (options) => action(options, command.args));
  });
}
