/** The `tollgate` command: what a person does that is no operation of the API. */
import { Command } from 'commander';
import { readConfig } from '../config.ts';
import { VERSION } from '../version.ts';
import { createEndpoint } from './endpoint.ts';
import { createMerchant } from './merchant.ts';
import { Refusal } from './refusal.ts';
import { openServices } from './services.ts';
import type { Services } from './services.ts';

const program = new Command('tollgate')
  .description('Manage a Tollgate installation.')
  .version(VERSION)
  .configureHelp({ showGlobalOptions: true });

const merchant = program.command('merchant').description('merchants');
merchant
  .command('create')
  .description('make a merchant with a test key and a dashboard login')
  .requiredOption('--name <name>', "the merchant's name")
  .requiredOption('--email <email>', 'the e-mail address of its first user')
  .option('--locale <locale>', 'default checkout language: hy, en or ru', 'hy')
  .option('--json', 'print one line of JSON')
  .action(async (options: { name: string; email: string; locale: string; json?: boolean }) =>
    run(options, async (services) => createMerchant(services, options)),
  );

const endpoint = program.command('endpoint').description('webhook endpoints');
endpoint
  .command('create')
  .description('register a receiver; its signing secret is shown this one time')
  .requiredOption('--merchant <id>', "the merchant's id")
  .requiredOption('--url <url>', 'where events are sent')
  .option('--events <list>', 'comma list of types, payment.* or *', '*')
  .option('--description <text>', 'for people')
  .option('--json', 'print one line of JSON')
  .action(
    async (options: {
      merchant: string;
      url: string;
      events: string;
      description?: string;
      json?: boolean;
    }) => run(options, async (services) => createEndpoint(services, options)),
  );

await program.parseAsync();

/** Prints what `action` answers, or the refusal, and exits with 1 for the latter. */
async function run(
  options: { json?: boolean },
  action: (services: Services) => Promise<Record<string, unknown>>,
): Promise<void> {
  try {
    const services = await openServices(readConfig());
    try {
      const result = await action(services);
      console.log(options.json ? JSON.stringify(result) : toLines(result));
    } finally {
      await services.mongo.close();
    }
  } catch (error) {
    process.exitCode = 1;
    if (error instanceof Refusal) {
      console.error(options.json ? JSON.stringify(error.body) : error.message);
      return;
    }
    console.error(`tollgate: ${(error as Error).message}`);
  }
}

function toLines(result: Record<string, unknown>): string {
  const width = Math.max(...Object.keys(result).map((key) => key.length));
  const line = ([key, value]: [string, unknown]) => `${key.padEnd(width)}  ${String(value)}`;
  return Object.entries(result).map(line).join('\n');
}
