/** The commands of `tollgate`. */
import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { addLocalCommands } from './commands-local.ts';
import { addOperatorCommands } from './commands-operator.ts';

/**
 * Adds the commands to `program` and returns it. A test passes a program with `exitOverride`, so
 * that a command does not end the test's process. Commands inherit it when they are added.
 */
export function makeProgram(program = new Command('tollgate')): Command {
  program
    .description('Manage a Tollgate installation, and develop against one.')
    .version(VERSION)
    .configureHelp({ showGlobalOptions: true });
  addOperatorCommands(program);
  addLocalCommands(program);
  return program;
}
