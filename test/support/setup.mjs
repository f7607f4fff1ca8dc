// Real servers, started once for the whole run and shared by every file; a process of the run finds
// them in its environment. Servers that the environment names already are used as they are.
import { randomUUID } from 'node:crypto';
import { writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';

import { register } from 'tsx/esm/api';

const STDOUT = 1;

const PROJECT = path.resolve(import.meta.dirname, '../..');

/** @param {string} line */
function log(line) {
  process.stderr.write(`[servers] ${line}\n`);
}

/** When the set-up fails no reporter is called, but the run's last line has to be there. */
function sayFailed() {
  // Vitest has closed its own streams by then.
  writeSync(STDOUT, '0 passed, 1 failed\n');
}

/** Starts the servers. Returns the function that stops them after the last file. */
// oxlint-disable-next-line import/no-default-export
export default async function setup() {
  const { env } = process;
  const wanted = ['TEST_TEMPORAL_ADDRESS', 'TEST_MONGODB_URI', 'TEST_SERVER_PATH'];
  if (wanted.every((name) => env[name])) return undefined;
  process.once('exit', sayFailed);
  const unregister = register();
  const { startServers } = await import('../../embedded/servers.ts');
  const { findTestServer } = await import('../../embedded/binaries.ts');
  await unregister();
  const place = {
    cacheDir: path.resolve(PROJECT, env.CACHE_DIR ?? '.cache'),
    path: env.PATH ?? '',
    env,
    log,
  };
  const [servers, testServer] = await Promise.all([
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
  ]);
  env.TEST_TEMPORAL_ADDRESS = servers.temporal.address;
  env.TEST_MONGODB_URI = servers.mongo.uri;
  env.TEST_SERVER_PATH = testServer;
  process.off('exit', sayFailed);
  return async () => servers.stop();
}
