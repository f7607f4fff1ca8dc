/**
 * Makes payments through the proxy of a running installation, over TLS, while containers are killed
 * one at a time. Then compares what was accepted with what is stored and delivered.
 *
 * Start: `docker compose -f docker-compose.yml -f test/installation/docker-compose.yml up --detach
 * --scale server=2 --scale worker=2`. Run: `node --import tsx test/installation/walk.ts [--kill
 * container,container] [--payments 100]`. Both take the command from `COMPOSE` and `CONTAINERS`.
 */
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs, promisify } from 'node:util';
import { Agent, fetch } from 'undici';

const FILES = ['-f', 'docker-compose.yml', '-f', 'test/installation/docker-compose.yml'];
const ROOT_CERTIFICATE = '/data/caddy/pki/authorities/local/root.crt';
const RECEIVER_URL = 'http://172.31.84.10:9000/';
const LANES = 4;
/** The pause before a kill, so that requests are under way. */
const KILL_EVERY_MS = 15_000;
/** A client repeats a request for so long. The key makes it one payment. */
const PATIENCE_MS = 180_000;
const PAUSE_MS = 500;

const { values } = parseArgs({
  options: {
    kill: { type: 'string', default: '' },
    payments: { type: 'string', default: '100' },
  },
});
const victims = values.kill.split(',').filter((name) => name !== '');
const wanted = Number(values.payments);
const apiUrl = process.env['API_URL'] ?? 'https://api.localhost';
const compose = (process.env['COMPOSE'] ?? 'docker compose').split(' ');
const containers = process.env['CONTAINERS'] ?? 'docker';

const run = async (command: string, args: readonly string[]): Promise<string> =>
  (await promisify(execFile)(command, args)).stdout;

async function inCompose(...args: string[]): Promise<string> {
  const [command = '', ...first] = compose;
  return run(command, [...first, ...FILES, ...args]);
}

/** Runs the command, and returns the line of JSON at the end of what it prints. */
async function tollgate(command: string, ...args: string[]): Promise<Record<string, string>> {
  const words = [...command.split(' '), ...args, '--json'];
  const printed = await inCompose('run', '--rm', '-T', 'tollgate', ...words);
  return JSON.parse(printed.trim().split('\n').at(-1) ?? '') as Record<string, string>;
}

const ca = await inCompose('exec', '-T', 'proxy', 'cat', ROOT_CERTIFICATE);
/** The installation's names lead to this machine, whatever the system's name server says. */
const dispatcher = new Agent({
  connect: { ca, lookup: (_, __, found) => found(null, [{ address: '127.0.0.1', family: 4 }]) },
});
const email = `walk-${randomUUID()}@example.com`;
const merchant = await tollgate('merchant create --name Walk --email', email);
const endpoint = await tollgate(
  `endpoint create --url ${RECEIVER_URL} --merchant`,
  merchant['merchant_id'] ?? '',
);

/** The number of each response after which a client has to repeat its request. */
const repeated = new Map<string, number>();
let longestMs = 0;

interface Call {
  readonly path: string;
  readonly body?: object;
  readonly key?: string;
}

/** Calls the API as a patient client: repeats what the documentation says may be repeated. */
async function call({ path, body, key }: Call): Promise<Record<string, unknown>> {
  const start = performance.now();
  for (;;) {
    const outcome = await attempt({ path, ...(body && { body }), ...(key && { key }) });
    if (typeof outcome === 'object') {
      longestMs = Math.max(longestMs, performance.now() - start);
      return outcome;
    }
    repeated.set(outcome, (repeated.get(outcome) ?? 0) + 1);
    if (performance.now() - start > PATIENCE_MS) throw new Error(`${path}: still ${outcome}`);
    await sleep(PAUSE_MS);
  }
}

async function attempt({ path, body, key }: Call): Promise<Record<string, unknown> | string> {
  const headers = {
    authorization: `Bearer ${merchant['test_api_key']}`,
    'content-type': 'application/json',
    ...(key ? { 'idempotency-key': key } : {}),
  };
  const post = body ? { method: 'POST', body: JSON.stringify(body) } : {};
  try {
    const response = await fetch(`${apiUrl}${path}`, { dispatcher, headers, ...post });
    if (response.ok) return (await response.json()) as Record<string, unknown>;
    if (response.status >= 500 || response.status === 429) return String(response.status);
    throw new TypeError(`${path}: ${response.status} ${await response.text()}`);
  } catch (error) {
    const { cause, name } = error as { cause?: { code?: string }; name: string };
    if (name === 'TypeError' && cause === undefined) throw error;
    return cause?.code ?? name;
  }
}

async function makePayment(number: number): Promise<string> {
  const order = `walk-${number}`;
  const body = {
    amount: 12_500,
    currency: 'AMD',
    order_id: order,
    return_url: 'https://a.example/',
  };
  const { id } = await call({ path: '/v1/payments', body, key: `${order}-${randomUUID()}` });
  const path = `/v1/test/payments/${String(id)}/outcome`;
  await call({ path, body: { outcome: 'approve' }, key: randomUUID() });
  return String(id);
}

let next = 0;
const killing = { goesOn: victims.length > 0 };
const made: string[] = [];
async function lane(): Promise<void> {
  while (next < wanted || killing.goesOn) made.push(await makePayment((next += 1)));
}

async function kill(): Promise<void> {
  for (const name of victims) {
    await sleep(KILL_EVERY_MS);
    console.log(`${made.length} payments; killing ${name}`);
    await run(containers, ['kill', '--signal', 'KILL', name]);
    await run(containers, ['start', name]).catch(() => 'its restart policy was faster');
  }
  await sleep(KILL_EVERY_MS);
  killing.goesOn = false;
}

await Promise.all([kill(), ...Array.from({ length: LANES }, lane)]);
console.log(`${made.length} payments made, ${new Set(made).size} different`);
const deadline = performance.now() + PATIENCE_MS;
const completed = async (): Promise<number> => {
  const all = await Promise.all(made.map(async (id) => call({ path: `/v1/payments/${id}` })));
  return all.filter(({ status }) => status === 'completed').length;
};
/** Returns how many of the payments have one event of their completion, and how many have more. */
async function delivered(): Promise<{ once: number; twice: number }> {
  const events = new Map<string, number>();
  let path = `/v1/events?limit=100&type=payment.completed`;
  for (;;) {
    const { data, has_more: more } = (await call({ path })) as unknown as EventPage;
    for (const { data: payment } of data) {
      events.set(payment.object.id, (events.get(payment.object.id) ?? 0) + 1);
    }
    if (!more) break;
    path = `/v1/events?limit=100&type=payment.completed&starting_after=${data.at(-1)?.id}`;
  }
  const counts = made.map((id) => events.get(id) ?? 0);
  return { once: counts.filter((n) => n === 1).length, twice: counts.filter((n) => n > 1).length };
}
interface EventPage {
  readonly data: readonly { id: string; data: { object: { id: string } } }[];
  readonly has_more: boolean;
}

let paid = await completed();
while (paid < made.length && performance.now() < deadline) {
  await sleep(PAUSE_MS);
  paid = await completed();
}
const events = await delivered();
console.log(`${paid} completed`, events);
const waiting = await tollgate(
  'deliveries',
  '--endpoint',
  endpoint['id'] ?? '',
  '--state',
  'pending',
);
console.log('deliveries that wait', waiting);
console.log('answers that were repeated', Object.fromEntries(repeated));
console.log(`longest time until an answer: ${(longestMs / 1000).toFixed(1)} s`);
const undocumented = [...repeated.keys()].filter((answer) => /^5(?!03)/.test(answer));
const isWhole = paid === made.length && events.once === made.length && undocumented.length === 0;
process.exitCode = isWhole ? 0 : 1;
