/** Commands of whoever runs the service: they work on its database. */
import type { Command } from 'commander';
import { readConfig } from '../config.ts';
import { resendDelivery, showDeliveries, showDelivery } from './deliveries.ts';
import type { ListOptions } from './deliveries.ts';
import { createEndpoint } from './endpoint.ts';
import {
  deleteEndpoint,
  disableEndpointByHand,
  enableEndpoint,
  rotateSecret,
  showEndpoints,
  updateEndpoint,
} from './endpoints.ts';
import { createMerchant } from './merchant.ts';
import { pingEndpoint } from './ping.ts';
import { Refusal } from './refusal.ts';
import { openServices } from './services.ts';
import type { Services } from './services.ts';

type Result = Record<string, unknown>;

/** Adds `merchant`, `endpoint`, `deliveries` and `resend` to the program. */
export function addOperatorCommands(program: Command): void {
  addMerchant(program.command('merchant').description('merchants'));
  addEndpoint(program.command('endpoint').description('webhook endpoints'));
  addDeliveries(program);
}

type Action<T> = (services: Services, options: T) => Promise<object>;

/** What an option takes is checked by its command: here everything is text. */
function act<T extends object>(command: Command, action: Action<T>): void {
  command
    .option('--json', 'print one line of JSON')
    .action(async (options: T & { json?: boolean }) =>
      run(options, async (services) => action(services, options)),
    );
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

const EVENTS = 'comma list of types, payment.* or *';
const ENDPOINT_ID = "the endpoint's id, we_...";

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
  const simple = [
    ['ping', 'send an endpoint a test event, to see whether it is heard', pingEndpoint],
    [
      'enable',
      'send events to an endpoint again; what it missed is sent by resend',
      enableEndpoint,
    ],
    ['disable', 'send nothing more to an endpoint; events are kept for it', disableEndpointByHand],
    ['delete', 'remove an endpoint for good', deleteEndpoint],
  ] as const;
  for (const [name, description, action] of simple) {
    const command = endpoint.command(name).description(description);
    act(command.requiredOption('--id <id>', ENDPOINT_ID), action);
  }
}

function addDeliveries(program: Command): void {
  const list = program
    .command('deliveries')
    .description('show the deliveries of an endpoint, newest first, or one with its attempts')
    .option('--endpoint <id>', ENDPOINT_ID)
    .option('--id <id>', 'one delivery, dlv_...: everything that was sent and came back')
    .option('--state <state>', 'one of pending, succeeded, failed, skipped, stopped')
    .option('--limit <number>', '1 to 100', '20')
    .option('--starting-after <id>', 'the last delivery of the page before');
  act(list, async (services, { id, ...options }: ListOptions & { id?: string }) =>
    id === undefined ? showDeliveries(services, options) : showDelivery(services, { id }),
  );
  const resend = program
    .command('resend')
    .description('send the event of a delivery to its endpoint again, by a delivery of its own')
    .requiredOption('--id <id>', 'the delivery, dlv_...');
  act(resend, resendDelivery);
}

/** Prints what `action` answers, or the refusal, and exits with 1 for the latter. */
async function run(
  options: { json?: boolean },
  action: (services: Services) => Promise<object>,
): Promise<void> {
  try {
    const services = await openServices(readConfig());
    try {
      const result = (await action(services)) as Result;
      console.log(options.json ? JSON.stringify(result) : toLines(result));
    } finally {
      await services.close();
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

const text = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value, null, 2) : String(value);

function toLines(result: Result): string {
  const width = Math.max(...Object.keys(result).map((key) => key.length));
  const line = ([key, value]: [string, unknown]) => `${key.padEnd(width)}  ${text(value)}`;
  return Object.entries(result).map(line).join('\n');
}
