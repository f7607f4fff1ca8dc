/** Commands for operators: they work on the service's database. */
import type { Command } from 'commander';
import type { Shown } from '../operations/services.ts';
import { addAction } from './action.ts';
import { ENDPOINT_ID, EVENTS, addDeliveries } from './commands-deliveries.ts';
import { addAudit, addKeys } from './commands-keys.ts';
import type { OpenServices } from './services.ts';

const changes = async () => import('../operations/change-endpoint.ts');
const encryption = async () => import('./encryption-key.ts');

/** Adds the commands about merchants, keys, endpoints, deliveries and the audit. */
export function addOperatorCommands(program: Command): void {
  addMigrate(program);
  addMerchant(program.command('merchant').description('merchants'));
  addKeys(program.command('key').description('API keys of merchants'));
  addEndpoint(program.command('endpoint').description('webhook endpoints'));
  addDeliveries(program);
  addAudit(program.command('audit'));
  addEncryption(program);
}

function addMerchant(merchant: Command): void {
  const create = merchant
    .command('create')
    .description('make a merchant with a test key and a dashboard login')
    .requiredOption('--name <name>', "the merchant's name")
    .requiredOption('--email <email>', 'the e-mail address of its first user')
    .option('--locale <locale>', 'default checkout language: hy, en or ru', 'hy');
  addAction(create, async () => (await import('./merchant.ts')).createMerchant);
}

function addEndpoint(endpoint: Command): void {
  const create = endpoint
    .command('create')
    .description('register a receiver; its signing secret is shown only once')
    .requiredOption('--merchant <id>', "the merchant's id")
    .requiredOption('--url <url>', 'where events are sent')
    .option('--events <list>', EVENTS, '*')
    .option('--description <text>', 'for people');
  addAction(create, async () => (await import('../operations/create-endpoint.ts')).createEndpoint);
  const list = endpoint
    .command('list')
    .description("show a merchant's endpoints")
    .requiredOption('--merchant <id>', "the merchant's id");
  addAction(list, async () => (await changes()).showEndpoints);
  const update = endpoint
    .command('update')
    .description('change an endpoint; pending deliveries go to the new address')
    .requiredOption('--id <id>', ENDPOINT_ID)
    .option('--url <url>', 'where events are sent')
    .option('--events <list>', EVENTS)
    .option('--description <text>', 'for people');
  addAction(update, async () => (await changes()).updateEndpoint);
  const rotate = endpoint
    .command('rotate-secret')
    .description('make a new signing secret, which is shown only once')
    .requiredOption('--id <id>', ENDPOINT_ID)
    .option('--overlap <time>', 'how long the old one still signs too: 0, 1h, 24h or 7d', '24h');
  addAction(rotate, async () => (await changes()).rotateSecret);
  const example = endpoint
    .command('example')
    .description('send an endpoint made-up events, one of each type, in test mode')
    .requiredOption('--id <id>', ENDPOINT_ID)
    .requiredOption('--type <list>', `${EVENTS}, also those that the endpoint does not get`);
  addAction(example, async () => (await import('../operations/example.ts')).sendExample);
  const simple = [
    [
      'ping',
      'send an endpoint a test event, to see whether it arrives',
      async () => (await import('../operations/ping.ts')).pingEndpoint,
    ],
    [
      'enable',
      'enable an endpoint, and print how to send the events that it missed',
      async () => enable,
    ],
    [
      'disable',
      'send nothing more to an endpoint; its events are kept',
      async () => (await changes()).disableEndpointByHand,
    ],
    ['delete', 'delete an endpoint for good', async () => (await changes()).deleteEndpoint],
  ] as const;
  for (const [name, description, load] of simple) {
    const command = endpoint.command(name).description(description);
    addAction(command.requiredOption('--id <id>', ENDPOINT_ID), load);
  }
}

/** Enables the endpoint. Adds to the result the command that sends the events that it missed. */
async function enable(services: OpenServices, { id }: { id: string }): Promise<Shown> {
  const { enableEndpoint } = await changes();
  const enabled = await enableEndpoint(services, { id });
  const { missed_since: since } = enabled;
  if (typeof since !== 'string') return enabled;
  const missed = `tollgate resend --endpoint ${id} --state skipped,stopped --since ${since}`;
  return { ...enabled, to_send_them: missed };
}

function addMigrate(program: Command): void {
  program
    .command('migrate')
    .description('make the indexes that this version needs; run it before server and worker start')
    .option('--check', 'change nothing; exit with 1 and list what is missing or different')
    .option('--json', 'print one line of JSON')
    .action(async (options: { check?: boolean; json?: boolean }) => {
      const { migrate } = await import('./migrate.ts');
      await migrate(options);
    });
}

function addEncryption(program: Command): void {
  const group = program
    .command('encryption-key')
    .description('the key that encrypts endpoint secrets');
  const rotate = group
    .command('rotate')
    .description('make a new key for `npm start`, which uses it from the next start on');
  addAction(rotate, async () => (await encryption()).rotate);
  const reseal = group
    .command('reseal')
    .description('encrypt with the key in use what an older key has encrypted')
    .option('--check', 'only count; exit with 1 while an older key is needed');
  addAction(reseal, async () => (await encryption()).reseal);
}
