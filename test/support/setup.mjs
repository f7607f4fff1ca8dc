// Prepares servers and the compiled programs, once for the whole run. Test
// files find them in environment variables. A variable that is already set is not replaced.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { register } from 'tsx/esm/api';

const STDOUT = 1;

const PROJECT = path.resolve(import.meta.dirname, '../..');

/** @param {string} line */
function log(line) {
  process.stderr.write(`[servers] ${line}\n`);
}

/** Prints the last line of the run if the set-up fails, because no reporter is called then. */
function printFailure() {
  // Vitest has closed its own streams by then.
  writeSync(STDOUT, '0 passed, 1 failed\n');
}

/** Starts the servers and builds the rest. Returns a function that stops and removes all of it. */
// oxlint-disable-next-line import/no-default-export
export default async function setup() {
  const { env } = process;
  const wanted = ['TEMPORAL_ADDRESS', 'MONGODB_URI', 'SERVER_PATH', 'PROGRAMS'];
  if (wanted.every((name) => env[`TEST_${name}`])) return undefined;
  process.once('exit', printFailure);
  const unregister = register();
  const { startServers } = await import('../../embedded/servers.ts');
  const { findTestServer } = await import('../../embedded/binaries.ts');
  const { buildPrograms } = await import('./build.ts');
  await unregister();
  const place = {
    cacheDir: path.resolve(PROJECT, env.CACHE_DIR ?? '.cache'),
    path: env.PATH ?? '',
    env,
    log,
  };
  const build = async (/** @type {string} */ into) => {
    await buildPrograms(into);
    return into;
  };
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-test-build-'));
  const [servers, testServer, programs] = await Promise.all([
    startServers({
      ...place,
      dataDir: path.join(tmpdir(), `tollgate-test-${randomUUID()}`),
      temporary: true,
      temporal: {
        address: env.TEST_TEMPORAL_ADDRESS ?? env.TEMPORAL_ADDRESS,
        cliPath: env.TEMPORAL_CLI_PATH,
      },
      mongo: { uri: env.TEST_MONGODB_URI ?? env.MONGODB_URI, mongodPath: env.MONGOD_PATH },
    }),
    env.TEST_SERVER_PATH ?? findTestServer(place),
    env.TEST_PROGRAMS ?? build(path.join(folder, 'programs')),
  ]);
  env.TEST_TEMPORAL_ADDRESS = servers.temporal.address;
  env.TEST_MONGODB_URI = servers.mongo.uri;
  env.TEST_SERVER_PATH = testServer;
  env.TEST_PROGRAMS = programs;
  process.off('exit', printFailure);
  return async () => {
    await servers.stop();
    await rm(folder, { recursive: true });
  };
}
