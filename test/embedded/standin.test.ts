/** The stand-in for MongoDB reads only the part of an index that a list needs. */
import { execFile } from 'node:child_process';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { MongoClient } from 'mongodb';
import { describe, expect, it } from 'vitest';
import { cachedWheels, findPython } from '../../embedded/wheels.ts';
import { testServers } from '../support/run.ts';

const run = promisify(execFile);
const at = (relative: string): string => fileURLToPath(new URL(relative, import.meta.url));

const { env } = process;
const cacheDir = path.resolve(env['CACHE_DIR'] ?? at('../../.cache'));
const context = { cacheDir, path: env['PATH'] ?? '', env, log: () => undefined };
const client = await new MongoClient(testServers().mongoUri).connect();
const { secantusVersion } = await client.db().command({ buildInfo: 1 });
await client.close();

// With a real MongoDB, the stand-in is not installed.
describe.skipIf(secantusVersion === undefined)('a list of the stand-in', () => {
  it('is the same as without our change, and reads no more rows than it shows', async () => {
    const seed = String(Math.trunc(Math.random() * 1e6));
    const wheels = await cachedWheels('mongo', context);
    const PYTHONPATH = [wheels, at('../../embedded')].join(path.delimiter);
    const python = await findPython(context.path);
    const options = { env: { ...env, PYTHONPATH } };
    const { stdout } = await run(python, [at('./compare.py'), seed], options);
    const { different, narrow, beyond } = JSON.parse(stdout) as Record<string, unknown>;
    expect(different, `with the seed ${seed}`).toEqual([]);
    expect(narrow).toBeGreaterThan(20);
    // The row after the last one, and the one at which the list begins.
    expect(beyond).toBeLessThanOrEqual(2);
  });
});
