/** How every command reports a wrong command line, and shows its examples. */
import type { Command, CommanderError } from 'commander';
import { EXAMPLES } from './examples.ts';

const USAGE = 2;

/** Kinds of usage errors that are not simply a wrong value. */
const CODES: Readonly<Record<string, string>> = {
  'commander.unknownOption': 'parameter_unknown',
  'commander.unknownCommand': 'parameter_unknown',
  'commander.missingArgument': 'parameter_missing',
  'commander.missingMandatoryOptionValue': 'parameter_missing',
  'commander.optionMissingArgument': 'parameter_missing',
};

/**
 * Makes usage errors look like all other errors, and end with the code 2. Commands inherit it when
 * they are added. Throws commander's error, so that the caller can end the process.
 */
export function setManners(program: Command): void {
  program
    .configureHelp({ showGlobalOptions: true })
    // The error is printed below, when its kind is known.
    .configureOutput({ outputError: () => undefined })
    .exitOverride((error) => {
      if (error.exitCode !== 0) {
        error.exitCode = USAGE;
        // For a group without a command, its help has been printed.
        if (error.code !== 'commander.help') report(program, error);
      }
      throw error;
    });
}

function report(program: Command, { code, message: text }: CommanderError): void {
  const [what = '', hint] = text.replace(/^error: /, '').split('\n');
  const [, guess] = /^\(Did you mean (.*)\?\)$/.exec(hint ?? '') ?? [];
  const help = `\`${nameOf(program)} --help\``;
  const advice = guess === undefined ? `See ${help}.` : `Did you mean ${guess}? See ${help}.`;
  const message = `${what.replace(/\.$/, '')}. ${advice}`;
  const error = {
    type: 'invalid_request',
    code: CODES[code] ?? 'parameter_invalid',
    message,
    param: null,
  };
  // The program has no such option itself, so its arguments include that of the command.
  const isJson = program.args.includes('--json');
  console.error(isJson ? JSON.stringify({ error }) : `tollgate: ${message}`);
}

/** Returns the name of the command that was meant, as far as it is known. */
function nameOf(program: Command): string {
  const names = [program.name()];
  let found: Command | undefined = program;
  for (const word of program.args) {
    found = found.commands.find((each) => each.name() === word);
    if (found === undefined) break;
    names.push(word);
  }
  return names.join(' ');
}

/** Adds to each command the examples of its name. */
export function addExamples(command: Command, name = ''): void {
  for (const each of command.commands) addExamples(each, `${name} ${each.name()}`.trim());
  const lines = EXAMPLES[name];
  if (lines === undefined) return;
  const shown = lines.map((line) => `  tollgate ${line}`).join('\n');
  command.addHelpText('after', `\nExamples:\n${shown}`);
}
