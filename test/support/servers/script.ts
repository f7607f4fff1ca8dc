/** Temporal and MongoDB for a script, which opens deployments as the tests do. */
import { randomUUID } from 'node:crypto';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { startServers } from '../../../embedded/servers.ts';
import type { Servers } from '../../../embedded/servers.ts';
import { PROJECT } from './programs.ts';

/** Starts both with new data. Deployments use them, and the programs in that folder. */
export async function startForScript(programs: string): Promise<Servers> {
  const servers = await startServers({
    dataDir: path.join(tmpdir(), `tollgate-script-${randomUUID()}`),
    cacheDir: path.join(PROJECT, '.cache'),
    path: process.env['PATH'] ?? '',
    env: process.env,
    log: console.error,
    temporary: true,
    temporal: {},
    mongo: {},
  });
  process.env['TEST_TEMPORAL_ADDRESS'] = servers.temporal.address;
  process.env['TEST_MONGODB_URI'] = servers.mongo.uri;
  process.env['TEST_SERVER_PATH'] = 'none is needed';
  process.env['TEST_PROGRAMS'] = programs;
  return servers;
}
