/**
 * `npm run proof:upgrade -- <revision> [--back] [--lanes 8] [--between 60]`: builds an older
 * revision, starts two servers and two workers of it, and replaces them in turn by the present
 * version, under load. With `--back`, it replaces the present version by the older one. Both
 * versions serve the same database meanwhile. Exits with 1 if anything was lost or doubled, or
 * if one repeat of a request was not enough.
 */
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { buildPrograms } from '../support/build.ts';
import { openReceiver } from '../support/receiver.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { startForScript } from '../support/servers/script.ts';
import { openFleet } from './fleet.ts';
import { rollUnderLoad, summaryOf } from './roll.ts';

const run = promisify(execFile);

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    back: { type: 'boolean', default: false },
    lanes: { type: 'string', default: '8' },
    between: { type: 'string', default: '60' },
  },
});
const [revision] = positionals;
if (revision === undefined) throw new Error('usage: npm run proof:upgrade -- <revision>');

const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-upgrade-'));
const [source, now] = ['source', 'now'].map((name) => path.join(folder, name));
await run('git', ['worktree', 'add', '--detach', source!, revision], { cwd: PROJECT });
try {
  const before = await buildOld();
  await buildPrograms(now!);
  process.exitCode = (await prove(before)) ? 0 : 1;
} finally {
  await run('git', ['worktree', 'remove', '--force', source!], { cwd: PROJECT });
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
}

/**
 * Builds the older revision, with the packages of its own lock file if that differs from ours.
 * Returns the folder of its programs. A revision without a build runs from source.
 */
async function buildOld(): Promise<string> {
  const changed = await run('git', ['diff', '--name-only', revision!, '--', 'package-lock.json'], {
    cwd: PROJECT,
  });
  const own = path.join(source!, 'node_modules');
  if (changed.stdout.trim() === '') await symlink(path.join(PROJECT, 'node_modules'), own);
  else await run('npm', ['ci', '--ignore-scripts'], { cwd: source! });
  if (!existsSync(path.join(source!, 'build.ts'))) {
    for (const name of ['server', 'worker', 'cli/tollgate']) {
      const start = `import { register } from 'tsx/esm/api';
register({ tsconfig: '${source!}/tsconfig.json' });
await import('./${path.basename(name)}.ts');`;
      await writeFile(path.join(source!, `${name}.js`), start);
    }
    return source!;
  }
  const built = path.join(folder, 'before');
  await run(process.execPath, ['--import', 'tsx', 'build.ts', built], { cwd: source! });
  await symlink(own, path.join(built, 'node_modules'));
  return built;
}

async function prove(before: string): Promise<boolean> {
  const servers = await startForScript(now!);
  const receiver = await openReceiver();
  const fleet = await openFleet('upgrade', before);
  try {
    const [first, second] = values.back ? [now!, before] : [before, now!];
    await fleet.start(first);
    const merchant = await fleet.deployment.createMerchant(receiver.url);
    const result = await rollUnderLoad(fleet, {
      shop: { merchant, receiver },
      lanes: Number(values.lanes),
      between: Number(values.between),
      build: second,
    });
    const { lost, doubled, broken, counts } = result;
    const { repeated, stubborn, undocumented } = counts;
    console.log(summaryOf(result));
    console.log({ lost, doubled, broken, repeated, stubborn, undocumented, stops: result.stops });
    return [lost, doubled, stubborn, undocumented].every(({ length }) => length === 0);
  } finally {
    await fleet.close();
    await receiver.close();
    await servers.stop();
  }
}
