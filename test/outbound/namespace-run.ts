/**
 * Runs the guard inside a network namespace, where public addresses, internal ones and the system's
 * name server are all ours. Prints the results as JSON for guard-namespace.test.ts.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeOutbound } from '../../outbound/post.ts';
import { checkUrl } from '../../operations/checks.ts';
import { Refusal } from '../../operations/refusal.ts';
import { openNameServer } from './nameserver.ts';
import type { Zone } from './nameserver.ts';
import { openReceiver } from '../support/receiver.ts';
import { openListener } from './listeners.ts';
import { PORT, ADDRESSES } from './namespace.ts';

const REBINDINGS = 1_000;
/** Longer than the limit of a name lookup. */
const TIMEOUT_MS = 15_000;
/** Silent names at once: more than a worker's threads for lookups. */
const SILENT = 70;
/** The time after which the system's resolver gives up on a name (see namespace.ts). */
const GIVEN_UP_MS = 4_000;
/** The number of POSTs to a healthy receiver during that time, and the time between them. */
const BESIDES = 10;
const PAUSE_MS = 300;
/** A port other than the web's. */
const OTHER_PORT = 8_080;

const [publicV4 = '', publicV6 = ''] = ADDRESSES.outside;

const zone: Zone = (name, nth) => {
  const addresses: Record<string, readonly string[] | 'silence'> = {
    'public.example': ADDRESSES.outside,
    'rebind.example':
      nth % 2 === 1 ? [publicV4] : [ADDRESSES.inside[nth % ADDRESSES.inside.length] ?? ''],
    'mixed.example': [publicV4, '10.0.0.5'],
    'mixed6.example': [publicV4, 'fd00:ec2:0:0:0:0:0:254'],
    'alias.example': ['metadata.example'],
    'metadata.example': ['169.254.169.254'],
    'mapped.example': ['0:0:0:0:0:ffff:7f00:1'],
    'nat64.example': ['64:ff9b:0:0:0:0:7f00:1'],
    'this.example': ['0.0.0.0'],
    'metadata.google.internal': ['169.254.169.254'],
    'chain.example': ['chain2.example'],
    'chain2.example': ['alias.example'],
    'chain-public.example': ['chain-public2.example'],
    'chain-public2.example': ['public.example'],
    'only6.example': ['fd00:ec2:0:0:0:0:0:254'],
    'only6-public.example': [publicV6],
    'many.example': [...Array.from({ length: 12 }, (_, index) => `8.8.8.${index}`), '10.0.0.5'],
    // The hosts file has other addresses for these names.
    'hosts-loopback.example': ADDRESSES.outside,
    'hosts-private.example': ADDRESSES.outside,
    'hosts-public.example': ['10.0.0.5'],
    'fresh.example': ADDRESSES.outside,
  };
  return name.startsWith('silent') ? 'silence' : addresses[name];
};

const server = await openNameServer(zone, '127.0.0.1');
for (const address of ADDRESSES.outside) await openReceiver(address, PORT);
const listeners = await Promise.all([
  ...ADDRESSES.inside.map(async (address) => openListener(address, PORT)),
  ...ADDRESSES.outside.map(async (address) => openListener(address, OTHER_PORT)),
]);
const outbound = makeOutbound({ opened: [], timeoutMs: TIMEOUT_MS });
const post = async (name: string, port = PORT) =>
  outbound.post({ url: `http://${name}:${port}/hooks`, headers: {}, body: '{}' });

/** Returns the result of creating an endpoint at that name. */
const create = async (name: string) =>
  checkUrl(`http://${name}:${PORT}/hooks`, []).then(
    () => 'created',
    (error: unknown) => (error instanceof Refusal ? error.code : String(error)),
  );

const answers: Record<string, unknown> = {};
const created: Record<string, string> = {};
// prettier-ignore
const names = [
  'public', 'mixed', 'mixed6', 'alias', 'metadata', 'mapped', 'nat64', 'this', 'none', 'chain',
  'chain-public', 'only6', 'only6-public', 'many', 'hosts-loopback', 'hosts-loopback6',
  'hosts-private', 'hosts-mixed', 'hosts-public',
];
for (const name of names) {
  const { status, error } = await post(`${name}.example`);
  answers[name] = status ?? error;
  created[name] = await create(`${name}.example`);
}
for (const host of [
  `[${publicV6}]`,
  ...ADDRESSES.inside,
  'metadata.google.internal',
  'localhost',
  'hosts.internal',
]) {
  const { status, error } = await post(
    host.includes(':') && !host.startsWith('[') ? `[${host}]` : host,
  );
  answers[host] = status ?? error;
}
const ownPorts = [];
for (const host of ['public.example', publicV4, `[${publicV6}]`, `[::ffff:${publicV4}]`]) {
  ownPorts.push((await post(host, OTHER_PORT)).error);
}

const silentNames = Array.from({ length: SILENT }, (_, index) => `silent${index}.example`);

const rebinding: Record<string, number> = {};
async function rebind(times: number): Promise<void> {
  for (let turn = 0; turn < times; turn += 1) {
    const { status, error } = await post('rebind.example');
    const answer = String(status ?? error);
    rebinding[answer] = (rebinding[answer] ?? 0) + 1;
  }
}

async function postBesides() {
  const results = [];
  for (let turn = 0; turn < BESIDES; turn += 1) {
    results.push(await post('public.example'));
    await sleep(PAUSE_MS);
  }
  return results;
}

// The name must be known as quick before the others become silent.
await rebind(1);
const silent = silentNames.map(async (name) => post(name));
const [besides] = await Promise.all([postBesides(), rebind(REBINDINGS - 1)]);
const silence = new Set((await Promise.all(silent)).map(({ error }) => error));
const longest = Math.max(...besides.map(({ durationMs }) => durationMs));
// Once the slow names are known, a new name is found quickly too.
await sleep(GIVEN_UP_MS);
const known = silentNames.filter((name) => server.asked.has(name));
void Promise.all(known.map(async (name) => post(name)));
const { status: freshStatus, durationMs: freshMs } = await post('fresh.example');
process.stdout.write(
  `${JSON.stringify({
    answers,
    created,
    rebinding,
    asked: server.asked.get('rebind.example'),
    internalConnections: listeners.reduce((sum, listener) => sum + listener.connections, 0),
    ownPorts,
    besides: { statuses: [...new Set(besides.map(({ status }) => status))], longest },
    fresh: { status: freshStatus, durationMs: freshMs },
    silence: [...silence],
  })}\n`,
);
// The lookups of silent names are still running.
process.exit(0);
