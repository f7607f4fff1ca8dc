/**
 * Runs the guard inside a network namespace, where public addresses, inner ones and the system's
 * own name server are all ours. Prints what came of it as JSON; see test/activities/guard-walled.
 */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeOutbound } from '../../outbound/post.ts';
import { checkUrl } from '../../operations/checks.ts';
import { Refusal } from '../../operations/refusal.ts';
import { openNameServer } from './nameserver.ts';
import type { Zone } from './nameserver.ts';
import { openReceiver } from '../support/receiver.ts';
import { openTrap } from './traps.ts';
import { PORT, WALLED } from './walls.ts';

const REBINDINGS = 1_000;
/** Longer than what looking up a name may take. */
const TIMEOUT_MS = 15_000;
/** Names at once whose servers say nothing: more than a worker has threads for look-ups. */
const SILENT = 70;
/** After so long the system's resolver gives up a name (see walls.ts). */
const GIVEN_UP_MS = 4_000;
/** So often a healthy receiver is posted to meanwhile, with that much time in between. */
const BESIDES = 10;
const PAUSE_MS = 300;
/** Belongs to this machine like the public addresses, but not to the web. */
const OTHER_PORT = 8_080;

const [publicV4 = '', publicV6 = ''] = WALLED.outside;

const zone: Zone = (name, nth) => {
  const addresses: Record<string, readonly string[] | 'silence'> = {
    'public.example': WALLED.outside,
    'rebind.example':
      nth % 2 === 1 ? [publicV4] : [WALLED.inside[nth % WALLED.inside.length] ?? ''],
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
    // The hosts file has said something else before.
    'hosts-loopback.example': WALLED.outside,
    'hosts-private.example': WALLED.outside,
    'hosts-public.example': ['10.0.0.5'],
    'fresh.example': WALLED.outside,
  };
  return name.startsWith('silent') ? 'silence' : addresses[name];
};

const server = await openNameServer(zone, '127.0.0.1');
for (const address of WALLED.outside) await openReceiver(address, PORT);
const traps = await Promise.all([
  ...WALLED.inside.map(async (address) => openTrap(address, PORT)),
  ...WALLED.outside.map(async (address) => openTrap(address, OTHER_PORT)),
]);
const outbound = makeOutbound({ opened: [], timeoutMs: TIMEOUT_MS });
const post = async (name: string, port = PORT) =>
  outbound.post({ url: `http://${name}:${port}/hooks`, headers: {}, body: '{}' });

/** What creating an endpoint there comes to. */
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
  ...WALLED.inside,
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

// A name has to be known as quick before the others fall silent.
await rebind(1);
const silent = silentNames.map(async (name) => post(name));
const [besides] = await Promise.all([postBesides(), rebind(REBINDINGS - 1)]);
const silence = new Set((await Promise.all(silent)).map(({ error }) => error));
const longest = Math.max(...besides.map(({ durationMs }) => durationMs));
// Once it is known who is slow, a name that is asked for the first time gets through as well.
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
    trapped: traps.reduce((sum, trap) => sum + trap.connections, 0),
    ownPorts,
    besides: { statuses: [...new Set(besides.map(({ status }) => status))], longest },
    fresh: { status: freshStatus, durationMs: freshMs },
    silence: [...silence],
  })}\n`,
);
// The look-up of the silent name goes on; nobody waits for it.
process.exit(0);
