/** The commands of `tollgate`. */
import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { addCompletion, addLocalCommands } from './commands-local.ts';
import { addOperatorCommands } from './commands-operator.ts';
import { addExamples, setManners } from './manners.ts';

const EXIT_CODES = `
Exit codes: 0 done; 1 the result is no, such as a wrong signature; 2 wrong usage, or refused;
3 the service cannot be reached, or failed. \`doctor\` has codes of its own.
Every command but \`completion\` has --json. Its errors are JSON then, too.`;

/** Adds the commands to `program` and returns it. A wrong command line throws commander's error. */
export function makeProgram(program = new Command('tollgate')): Command {
  program
    .description('Manage a Tollgate installation, and develop against one.')
    .version(VERSION)
    .addHelpText('after', EXIT_CODES);
  setManners(program);
  addOperatorCommands(program);
  addLocalCommands(program);
  addCompletion(program);
  addExamples(program);
  return program;
}
