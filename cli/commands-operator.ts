/** Commands of whoever runs the service: they work on its database. */
import type { Command } from 'commander';
import {
  deleteEndpoint,
  disableEndpointByHand,
  enableEndpoint,
  rotateSecret,
  showEndpoints,
  updateEndpoint,
} from '../operations/change-endpoint.ts';
import { createEndpoint } from '../operations/create-endpoint.ts';
import { sendExample } from '../operations/example.ts';
import { pingEndpoint } from '../operations/ping.ts';
import type { Shown } from '../operations/services.ts';
import { act } from './act.ts';
import { ENDPOINT_ID, EVENTS, addDeliveries } from './commands-deliveries.ts';
import { addAudit, addKeys } from './commands-keys.ts';
import { addEncryption } from './encryption-key.ts';
import { createMerchant } from './merchant.ts';
import { addMigrate } from './migrate.ts';
import type { OpenServices } from './services.ts';

/** Adds all that works on the service's database: merchants, keys, endpoints, deliveries, audit. */
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
  act(create, createMerchant);
}

function addEndpoint(endpoint: Command): void {
  const create = endpoint
    .command('create')
    .description('register a receiver; its signing secret is shown this one time')
    .requiredOption('--merchant <id>', "the merchant's id")
    .requiredOption('--url <url>', 'where events are sent')
    .option('--events <list>', EVENTS, '*')
    .option('--description <text>', 'for people');
  act(create, createEndpoint);
  const list = endpoint
    .command('list')
    .description("show a merchant's endpoints")
    .requiredOption('--merchant <id>', "the merchant's id");
  act(list, showEndpoints);
  const update = endpoint
    .command('update')
    .description('change an endpoint; deliveries that wait go to the new address')
    .requiredOption('--id <id>', ENDPOINT_ID)
    .option('--url <url>', 'where events are sent')
    .option('--events <list>', EVENTS)
    .option('--description <text>', 'for people');
  act(update, updateEndpoint);
  const rotate = endpoint
    .command('rotate-secret')
    .description('make a new signing secret, shown this one time')
    .requiredOption('--id <id>', ENDPOINT_ID)
    .option('--overlap <time>', 'how long the old one signs too: 0, 1h, 24h or 7d', '24h');
  act(rotate, rotateSecret);
  const example = endpoint
    .command('example')
    .description('send an endpoint made-up events, one of each type, in test mode')
    .requiredOption('--id <id>', ENDPOINT_ID)
    .requiredOption('--type <list>', `${EVENTS}, whether or not the endpoint hears of it`);
  act(example, sendExample);
  const simple = [
    ['ping', 'send an endpoint a test event, to see whether it is heard', pingEndpoint],
    ['enable', 'send events to an endpoint again; says how to send what it missed', enable],
    ['disable', 'send nothing more to an endpoint; events are kept for it', disableEndpointByHand],
    ['delete', 'remove an endpoint for good', deleteEndpoint],
  ] as const;
  for (const [name, description, action] of simple) {
    const command = endpoint.command(name).description(description);
    act(command.requiredOption('--id <id>', ENDPOINT_ID), action);
  }
}

/** What was missed stays so until somebody wants it: whoever enables is told the command for it. */
async function enable(services: OpenServices, { id }: { id: string }): Promise<Shown> {
  const enabled = await enableEndpoint(services, { id });
  const { missed_since: since } = enabled;
  if (typeof since !== 'string') return enabled;
  const missed = `tollgate resend --endpoint ${id} --state skipped,stopped --since ${since}`;
  return { ...enabled, to_send_them: missed };
}
