/** Our changes of the stand-in for MongoDB make it faster, and change no result. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { cachedWheels, findPython } from '../../embedded/wheels.ts';
import { closeAfterTests } from '../support/close.ts';
import { privateName, testServers } from '../support/run.ts';

const run = promisify(execFile);
const at = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const { env } = process;
const cacheDir = path.resolve(env['CACHE_DIR'] ?? at('../../.cache'));
const context = { cacheDir, path: env['PATH'] ?? '', env, log: () => undefined };
const client = closeAfterTests(await new MongoClient(testServers().mongoUri).connect());
const { secantusVersion } = await client.db().command({ buildInfo: 1 });

/** The writes that wait for the transaction. */
let written: Promise<unknown> | undefined;

interface Run {
  results: string[];
  narrow: number;
  beyond: number;
}

/** Returns the results of the random writes and lists of a seed. */
async function resultsOf(seed: string, ...changes: 'ours'[]): Promise<Run> {
  const wheels = await cachedWheels('mongo', context);
  const PYTHONPATH = [wheels, at('../../embedded/standin')].join(path.delimiter);
  const python = await findPython(context.path);
  const options = { env: { ...env, PYTHONPATH }, maxBuffer: 1e8 };
  const { stdout } = await run(python, [at('./compare.py'), seed, ...changes], options);
  return JSON.parse(stdout) as Run;
}

// With a real MongoDB, the stand-in is not installed.
describe.skipIf(secantusVersion === undefined)('the stand-in', () => {
  it('writes and lists as without our changes, and reads no more rows than a list shows', async () => {
    const seed = String(Math.trunc(Math.random() * 1e6));
    const [plain, ours] = await Promise.all([resultsOf(seed), resultsOf(seed, 'ours')]);
    expect(ours.results, `with the seed ${seed}`).toEqual(plain.results);
    expect(ours.narrow).toBeGreaterThan(20);
    // The row after the last one, and the one at which the list begins.
    expect(ours.beyond).toBeLessThanOrEqual(2);
  });

  it('lets a transaction commit while other writes wait for it', async () => {
    const rows = client.db(privateName('standin')).collection<{ _id: string; n: number }>('rows');
    await rows.insertOne({ _id: 'row', n: 0 });
    await client.withSession(async (session) =>
      session.withTransaction(async () => {
        await rows.updateOne({ _id: 'row' }, { $inc: { n: 1 } }, { session });
        const waiting = Array.from({ length: 5 }, async () =>
          rows.updateOne({ _id: 'row' }, { $inc: { n: 10 } }),
        );
        written = Promise.all(waiting);
        // All five have reached the server by then.
        await sleep(100);
      }),
    );
    await written;
    expect(await rows.findOne()).toEqual({ _id: 'row', n: 51 });
  });
});
