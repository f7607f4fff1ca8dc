/**
 * Runs the guard inside a network namespace, where public addresses, inner ones and the system's
 * own name server are all ours. Prints what came of it as JSON; see test/activities/guard-walled.
 */
import { makeOutbound } from '../../activities/outbound.ts';
import { checkUrl } from '../../cli/endpoint.ts';
import { Refusal } from '../../cli/refusal.ts';
import { openNameServer } from './nameserver.ts';
import type { Zone } from './nameserver.ts';
import { openReceiver } from './receiver.ts';
import { openTrap } from './traps.ts';
import { PORT, WALLED } from './walls.ts';

const REBINDINGS = 1_000;
const TIMEOUT_MS = 5_000;
/** As many as the cap on requests to one receiver, and more than there are threads for look-ups. */
const SILENT = 20;

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
    'silent.example': 'silence',
  };
  return addresses[name];
};

const server = await openNameServer(zone, '127.0.0.1');
for (const address of WALLED.outside) await openReceiver(address, PORT);
const traps = await Promise.all(WALLED.inside.map(async (address) => openTrap(address, PORT)));
const outbound = makeOutbound({ opened: [], timeoutMs: TIMEOUT_MS });
const post = async (name: string) =>
  outbound.post({ url: `http://${name}:${PORT}/hooks`, headers: {}, body: '{}' });

/** What creating an endpoint there comes to. */
const create = async (name: string) =>
  checkUrl(`http://${name}:${PORT}/hooks`, []).then(
    () => 'created',
    (error: unknown) => (error instanceof Refusal ? error.body.error.code : String(error)),
  );

const answers: Record<string, unknown> = {};
const created: Record<string, string> = {};
const names = ['public', 'mixed', 'mixed6', 'alias', 'metadata', 'mapped', 'nat64', 'this', 'none'];
for (const name of names) {
  const { status, error } = await post(`${name}.example`);
  answers[name] = status ?? error;
  created[name] = await create(`${name}.example`);
}
for (const host of [`[${publicV6}]`, ...WALLED.inside, 'metadata.google.internal', 'localhost']) {
  const { status, error } = await post(
    host.includes(':') && !host.startsWith('[') ? `[${host}]` : host,
  );
  answers[host] = status ?? error;
}
const rebinding: Record<string, number> = {};
for (let turn = 0; turn < REBINDINGS; turn += 1) {
  const { status, error } = await post('rebind.example');
  const told = String(status ?? error);
  rebinding[told] = (rebinding[told] ?? 0) + 1;
}
const silent = Array.from({ length: SILENT }, async () => post('silent.example'));
const besides = await post('public.example');
const silence = new Set((await Promise.all(silent)).map(({ error }) => error));
process.stdout.write(
  `${JSON.stringify({
    answers,
    created,
    rebinding,
    asked: server.asked.get('rebind.example'),
    trapped: traps.reduce((sum, trap) => sum + trap.connections, 0),
    besides: { status: besides.status, durationMs: besides.durationMs },
    silence: [...silence],
  })}\n`,
);
// The look-up of the silent name goes on; nobody waits for it.
process.exit(0);
