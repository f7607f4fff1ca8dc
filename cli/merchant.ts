/**
 * `tollgate` as a merchant's project has it, in the package of the client: the commands that use
 * the public API. Operators' commands only say where they are run.
 */
import { Command } from 'commander';
import { VERSION } from '../version.ts';
import { addCompletion, addMerchantCommands } from './commands-local.ts';
import { complain } from './complain.ts';
import { addExamples, setManners } from './manners.ts';
import { elsewhere } from './refusals.ts';

/** The commands that the package leaves out. */
export const OPERATORS = [
  'migrate',
  'doctor',
  'merchant',
  'user',
  'key',
  'endpoint',
  'deliveries',
  'resend',
  'replay',
  'audit',
  'encryption-key',
  'stats',
  'demo',
  'smoke',
  'verify-page',
] as const;

const WHERE = `
Run these commands in your project. They call the API of a Tollgate service (TOLLGATE_API_URL), and
read their variables from a file .env, too. Operators have more commands, where Tollgate is
installed: ${OPERATORS.slice(2, 7).join(', ')} and others.`;

/** Adds the commands to `program` and returns it. */
export function makeMerchantProgram(program = new Command('tollgate')): Command {
  program
    .description('Develop against a Tollgate service: receive, cause and check its events.')
    .version(VERSION)
    .addHelpText('after', WHERE);
  setManners(program);
  addMerchantCommands(program);
  addCompletion(program);
  for (const name of OPERATORS) {
    program
      .command(name, { hidden: true })
      .helpOption(false)
      .allowUnknownOption()
      .allowExcessArguments()
      .action((_options: object, { args }: Command) => {
        complain({ json: args.includes('--json') }, elsewhere(name));
      });
  }
  addExamples(program);
  return program;
}
