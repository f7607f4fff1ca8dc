/**
 * Adds actions to commands without loading their modules. Help and usage errors then load neither
 * the database's driver nor Temporal's client, which are slow to load.
 */
import { Argument, Option } from 'commander';
import type { Command } from 'commander';
import type { SecretOptions } from './secrets.ts';
import type { OpenServices } from './services.ts';

type Action<T> = (services: OpenServices, options: T) => Promise<object>;
type LocalAction<T> = (options: T, args: readonly string[]) => Promise<void> | void;
/** Returns a result for people. */
type View = (result: never, options: { body?: boolean }) => string;

interface Taken {
  /** The name of the argument, and of the option that does the same. */
  readonly name: string;
  readonly text: string;
  /** True if the command can run without it. */
  readonly optional?: boolean;
  /** The options that have no effect beside a delivery, `dlv_...`. */
  readonly excludes?: readonly string[];
}

const taken = new WeakMap<Argument, Taken>();

/** Adds an argument, such as `we_...`. The option of its name does the same, as in scripts. */
export function takes(command: Command, given: Taken): Command {
  const { name, text, optional = false, excludes = [] } = given;
  const argument = new Argument(`[${name}]`, text);
  taken.set(argument, given);
  const option = new Option(`--${name} <${name}>`, text).conflicts([...excludes]).hideHelp();
  if (!optional) command.usage(`[options] <${name}>`);
  return command.addArgument(argument).addOption(option);
}

/**
 * Adds an action on the service's database, which `load` imports when the command runs. All options
 * are text, and the action checks their values. People see the result by the view of `loadView`, or
 * else line by line. Returns the command.
 */
export function addAction<T extends object>(
  command: Command,
  load: () => Promise<Action<T>>,
  loadView?: () => Promise<View>,
): Command {
  return command.option('--json', 'print one line of JSON').action(async () => {
    const [{ run, withServices }, action] = await Promise.all([import('./act.ts'), load()]);
    const view = await loadView?.();
    const toText = view && ((result: object) => view(result as never, command.opts()));
    const perform = async (): Promise<object> => {
      const options = await optionsOf<T>(command);
      return withServices(async (services) => action(services, options));
    };
    await run(command.opts(), perform, toText);
  });
}

/** Adds an action without a database. It gets the command's options and arguments. */
export function addLocalAction<T extends SecretOptions & { json?: boolean }>(
  command: Command,
  load: () => Promise<LocalAction<T>>,
): Command {
  return command.action(async () => {
    const [{ run }, action] = await Promise.all([import('./local.ts'), load()]);
    await run(command.opts<T>(), async (options) => {
      await action(await optionsOf(command, options), command.args);
    });
  });
}

/**
 * Returns the options, with the arguments of `takes` among them. Throws `Refusal` for an argument
 * that is missing, given twice, or beside an option that has no effect then.
 */
async function optionsOf<T extends object>(command: Command, options = command.opts<T>()) {
  const found = { ...options } as Record<string, unknown>;
  for (const [index, argument] of command.registeredArguments.entries()) {
    const rule = taken.get(argument);
    if (rule === undefined) continue;
    const { name, text, optional } = rule;
    const value = command.args[index];
    const { invalid, missing } = await import('./refusals.ts');
    if (value === undefined) {
      if (found[name] !== undefined || optional) continue;
      throw missing(name, `The ${name} is missing. Give ${text}`);
    }
    if (found[name] !== undefined)
      throw invalid(name, `Give the ${name} once: ${value} or --${name}.`);
    const excludes = value.startsWith('we_') ? [] : (rule.excludes ?? []);
    const needless = excludes.find((each) => command.getOptionValueSource(each) === 'cli');
    if (needless !== undefined) {
      const flag = command.options.find((each) => each.attributeName() === needless)?.long;
      throw invalid(name, `${flag} has no effect with ${value}. Leave one of them out.`);
    }
    found[name] = value;
  }
  return found as T;
}
