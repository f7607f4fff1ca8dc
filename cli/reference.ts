/** The commands as the documentation lists them. */
import type { Command } from 'commander';
import { makeProgram } from './program.ts';

/** Returns every command that does something, in the order of the help. */
export function listCommands() {
  return makeProgram().commands.flatMap((command) => leavesOf(command, ''));
}

type Entry = ReturnType<typeof entryOf>;

/** Returns the command itself, or the commands of a group. */
function leavesOf(command: Command, group: string): Entry[] {
  const name = `${group}${command.name()}`;
  if (command.commands.length === 0) return [entryOf(command, name)];
  return command.commands.flatMap((each) => leavesOf(each, `${name} `));
}

function entryOf(command: Command, name: string) {
  return {
    name,
    usage: `tollgate ${name} ${command.usage()}`,
    description: command.description(),
    options: command.options
      .filter(({ hidden }) => !hidden)
      .map(({ flags, description, mandatory, defaultValue }) => ({
        flags,
        description:
          defaultValue === undefined
            ? description
            : `${description} (by default ${JSON.stringify(defaultValue)})`,
        isRequired: mandatory,
      })),
  };
}
