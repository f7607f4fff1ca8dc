/**
 * Measures Tollgate beside the floor: the least program that does the same work on the same
 * servers. Both run in turn, and each figure is the median of their ratios.
 *
 * Run: `npm run bench -- [--rounds 5] [--payments 200] [--write]`. `--write` puts the figures into
 * docs/benchmarks.md.
 */
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { cpus, tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { format, resolveConfig } from 'prettier';
import { buildPrograms } from '../test/support/build.ts';
import { openDeployment, withDatabase } from '../test/support/servers/deployment.ts';
import { startForScript } from '../test/support/servers/script.ts';
import { startFloor, tollgate } from './speed/contenders.ts';
import { openReceiver } from './speed/receiver.ts';
import { tables } from './speed/report.ts';
import type { Report } from './speed/report.ts';
import { FAN_OUT, race } from './speed/race.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    payments: { type: 'string', default: '200' },
    write: { type: 'boolean', default: false },
  },
});
const FIGURES = path.join(import.meta.dirname, 'speed', 'report.json');
const PAGE = path.join(import.meta.dirname, '..', 'docs', 'benchmarks.md');

const programs = await mkdtemp(path.join(tmpdir(), 'tollgate-bench-programs-'));
await buildPrograms(programs);
const servers = await startForScript(programs);
const env = {
  LOG_LEVEL: 'info',
  SWEEP_SECONDS: '30',
  SWEEP_PAYMENT_GRACE_SECONDS: '15',
  SWEEP_DELIVERY_GRACE_SECONDS: '60',
  PAYMENT_LIFETIME_MIN_SECONDS: '300',
};
const receiver = await openReceiver();
const deployment = await openDeployment({ file: 'speed', env });
const floor = await startFloor(
  {
    address: servers.temporal.address,
    namespace: 'default',
    mongoUri: withDatabase(servers.mongo.uri, 'floor'),
    receiverUrl: receiver.url,
  },
  receiver,
);
try {
  await deployment.start();
  const one = await deployment.createMerchant(receiver.url);
  const many = await deployment.createMerchant(...Array<string>(FAN_OUT).fill(receiver.url));
  const merchants = new Map([
    [1, one],
    [FAN_OUT, many],
  ]);
  const shared = { MongoDB: servers.mongo.pid ?? 0, Temporal: servers.temporal.pid ?? 0 };
  const own = { Server: deployment.server.pid(), Worker: deployment.worker.pid() };
  const options = { rounds: Number(values.rounds), payments: Number(values.payments) };
  const figures = await race(
    [
      { contender: tollgate(deployment, merchants, receiver), pids: { ...own, ...shared } },
      { contender: floor.contender, pids: { ...floor.pids, ...shared } },
    ],
    options,
  );
  const cores = cpus();
  const machine = `${cores.length} processor cores (${cores[0]?.model.trim()}), Node ${process.version}`;
  const report: Report = { machine, ...options, ...figures };
  console.log(tables(report));
  if (values.write) await write(report);
} finally {
  floor.close();
  await deployment.close();
  receiver.close();
  await servers.stop();
  await rm(programs, { recursive: true });
}

/** Writes the figures as JSON, and between the marks of the page. */
async function write(report: Report): Promise<void> {
  await writeFile(FIGURES, `${JSON.stringify(report, null, 2)}\n`);
  const page = await readFile(PAGE, 'utf8');
  const text = page.replace(
    /(?<=<!-- figures -->\n)[^]*(?=<!-- end of figures -->)/,
    () => `\n${tables(report)}\n\n`,
  );
  const config = await resolveConfig(PAGE);
  await writeFile(PAGE, await format(text, { ...config, parser: 'markdown' }));
}
