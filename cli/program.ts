/** The commands of `tollgate`: what a person does that is no operation of the API. */
import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { addLocalCommands } from './commands-local.ts';
import { addOperatorCommands } from './commands-operator.ts';

/**
 * Adds the commands to `program` and returns it. A caller that wants to outlive them, as tests do,
 * passes a program with `exitOverride`: commands inherit it when they are added.
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
