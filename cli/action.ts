/**
 * Adds actions to commands without loading what the actions need. Help and usage errors then need
 * neither the database's driver nor Temporal's client, which take longer to load than to use.
 */
import type { Command } from 'commander';
import type { OpenServices } from './services.ts';

type Action<T> = (services: OpenServices, options: T) => Promise<object>;

/**
 * Adds an action on the service's database, which `load` imports when the command runs. The action
 * checks the values of its options: here everything is text.
 */
export function addAction<T extends object>(
  command: Command,
  load: () => Promise<Action<T>>,
): void {
  command
    .option('--json', 'print one line of JSON')
    .action(async (options: T & { json?: boolean }) => {
      const [{ run, withServices }, action] = await Promise.all([import('./act.ts'), load()]);
      await run(options, async () => withServices(async (services) => action(services, options)));
    });
}
