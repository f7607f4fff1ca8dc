/** Commands for operators: they work on the service's database. */
import type { Command } from 'commander';
import type { Shown } from '../operations/services.ts';
import { addAction, takes } from './action.ts';
import { ENDPOINT_ID, EVENTS, addDeliveries } from './commands-deliveries.ts';
import { addAudit, addKeys } from './commands-keys.ts';
import { addMerchants, addUsers } from './commands-users.ts';
import type { OpenServices } from './services.ts';

const changes = async () => import('../operations/change-endpoint.ts');
const creation = async () => import('../operations/create-endpoint.ts');
const testEvents = async () => import('../operations/test-event.ts');
const encryption = async () => import('./encryption-key.ts');

/** Adds the commands about merchants, users, endpoints, deliveries and the rest. */
export function addOperatorCommands(program: Command): void {
  addMigrate(program.command('migrate'));
  addDoctor(program.command('doctor'));
  addMerchants(program.command('merchant').description('merchants'));
  addUsers(program.command('user').description('users of the dashboard'));
  addKeys(program.command('key').description('API keys of merchants'));
  addEndpoint(program.command('endpoint').description('webhook endpoints'));
  addDeliveries(program);
  addAudit(program.command('audit'));
  addEncryption(program.command('encryption-key'));
  addStats(program.command('stats'));
  addDemo(program.command('demo'));
}

function addMigrate(migrate: Command): void {
  migrate
    .description(
      'create the indexes that this version needs; run it before the server and worker start',
    )
    .option('--check', 'change nothing; exit with 1 and list what is missing or different')
    .option('--json', 'print one line of JSON')
    .action(async (options: { check?: boolean; json?: boolean }) => {
      await (await import('./migrate.ts')).migrate(options);
    });
}

function addDoctor(doctor: Command): void {
  doctor
    .description(
      'check configuration, MongoDB, Temporal, addresses and this machine; changes nothing',
    )
    .option('--json', 'print one line of JSON')
    .addHelpText(
      'after',
      '\nThe exit code is 0 if all is well, 1 with warnings, and 2 with errors or for wrong usage.',
    )
    .action(async (options: { json?: boolean }) => {
      await (await import('./doctor.ts')).examineAndPrint(options);
    });
}

function addEndpoint(endpoint: Command): void {
  addAction(endpoint.command('create'), async () => (await creation()).createEndpoint)
    .description('register a receiver; its signing secret is shown only once')
    .requiredOption('--merchant <id>', "the merchant's id")
    .requiredOption('--url <url>', 'where events are sent')
    .option('--events <list>', EVENTS, '*')
    .option('--description <text>', 'a note for people');
  const list = addAction(
    endpoint.command('list'),
    async () => (await changes()).showEndpoints,
    async () => (await import('./views.ts')).viewEndpoints,
  ).description("show a merchant's endpoints, with the deliveries that were not accepted");
  takes(list, { name: 'merchant', text: "the merchant's id, mer_..." });
  addOfOne(endpoint);
}

/** Adds the commands on one endpoint. */
function addOfOne(endpoint: Command): void {
  const id = { name: 'id', text: ENDPOINT_ID };
  const update = addAction(
    endpoint.command('update'),
    async () => (await changes()).updateEndpoint,
  );
  takes(update, id)
    .description('change an endpoint; pending deliveries go to the new address')
    .option('--url <url>', 'where events are sent')
    .option('--events <list>', EVENTS)
    .option('--description <text>', 'a note for people');
  const rotate = endpoint.command('rotate-secret');
  takes(
    addAction(rotate, async () => (await changes()).rotateSecret),
    id,
  )
    .description('create a new signing secret, which is shown only once')
    .option('--overlap <time>', 'how long the old one still signs too: 0, 1h, 24h or 7d', '24h');
  const example = endpoint.command('example');
  takes(
    addAction(example, async () => (await testEvents()).sendExample),
    id,
  )
    .description('send an endpoint made-up events, one of each type, in test mode')
    .requiredOption('--type <list>', `${EVENTS}, even if the endpoint does not subscribe to it`);
  const ping = endpoint.command('ping');
  takes(
    addAction(ping, async () => (await testEvents()).pingEndpoint),
    id,
  ).description('send an endpoint a test event, to see if it arrives');
  takes(
    addAction(endpoint.command('enable'), async () => enable),
    id,
  ).description('enable an endpoint, and print how to send the events that it missed');
  const disable = endpoint.command('disable');
  takes(
    addAction(disable, async () => (await changes()).disableEndpointByHand),
    id,
  ).description('send nothing more to an endpoint; its events are kept');
  const remove = endpoint.command('delete');
  takes(
    addAction(remove, async () => (await changes()).deleteEndpoint),
    id,
  ).description('delete an endpoint, which cannot be undone');
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

function addEncryption(group: Command): void {
  group.description('the key that encrypts endpoint secrets');
  addAction(group.command('rotate'), async () => (await encryption()).rotate).description(
    'create a new key for `npm start`, which uses it from the next start on',
  );
  addAction(group.command('reseal'), async () => (await encryption()).reseal)
    .description('encrypt the secrets of older keys with the key in use')
    .option('--check', 'only count; exit with 1 while an older key is needed');
}

function addStats(stats: Command): void {
  stats.description("the counts on the dashboard's overview");
  addAction(stats.command('rebuild'), async () => {
    const { rebuildStats } = await import('../operations/stats.ts');
    return async ({ mongo }: OpenServices) => rebuildStats({ mongo });
  }).description('count all payments and events again; may be interrupted, and run again');
}

function addDemo(demo: Command): void {
  addAction(demo, async () => (await import('./demo.ts')).prepareDemo)
    .description("create the demo shop's merchant, and in DATA_DIR the file that the shop reads")
    .requiredOption('--shop-url <url>', "the shop's public address")
    .requiredOption('--receiver-url <url>', 'where the shop receives webhooks')
    .requiredOption('--api-url <url>', 'where the shop calls the API');
}
