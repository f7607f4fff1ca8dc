/** The `tollgate` command: what a person does that is no operation of the API. */
import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { addLocalCommands } from './commands-local.ts';
import { addOperatorCommands } from './commands-operator.ts';

const program = new Command('tollgate')
  .description('Manage a Tollgate installation, and develop against one.')
  .version(VERSION)
  .configureHelp({ showGlobalOptions: true });

addOperatorCommands(program);
addLocalCommands(program);

await program.parseAsync();
