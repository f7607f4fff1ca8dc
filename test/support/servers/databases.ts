/** A Temporal and a MongoDB for one test file, which may kill them or delete their data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signalGroup } from '../../../embedded/identity.mjs';
import { startServers } from '../../../embedded/servers.ts';
import type { Servers } from '../../../embedded/servers.ts';
import { PROJECT } from './programs.ts';
import { until } from '../until.ts';

export interface Databases {
  /** Holds the data and the logs of both. `close` removes it. */
  readonly folder: string;
  readonly temporalAddress: string;
  readonly mongoUri: string;
  /** Sends SIGKILL. The supervisor restarts the server; a second kill waits for that. */
  kill(which: 'temporal' | 'mongo'): Promise<void>;
  /**
   * Freezes the process, which keeps its connections but does not respond. After a kill, waits for
   * the new process and freezes it before it listens.
   */
  freeze(which: 'temporal' | 'mongo'): Promise<void>;
  /** Resumes a frozen process. */
  thaw(which: 'temporal' | 'mongo'): void;
  /** Stops Temporal, deletes its data, and starts it again at the same address. */
  loseTemporal(): Promise<void>;
  close(): Promise<void>;
}

/** Starts both on free ports, with their data in a temporary folder. */
export async function startDatabases(): Promise<Databases> {
  const { env } = process;
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-databases-'));
  const place = {
    cacheDir: path.resolve(PROJECT, env['CACHE_DIR'] ?? '.cache'),
    path: env['PATH'] ?? '',
    env,
    log: () => undefined,
  };
  // Each has a data folder of its own, so that one can be stopped while the other runs.
  const startMongo = async (): Promise<Servers> =>
    startServers({
      ...place,
      dataDir: path.join(folder, 'mongo'),
      temporal: { address: 'none' },
      mongo: { mongodPath: env['MONGOD_PATH'] },
    });
  const startTemporal = async (): Promise<Servers> =>
    startServers({
      ...place,
      dataDir: path.join(folder, 'temporal'),
      temporal: { cliPath: env['TEMPORAL_CLI_PATH'] },
      mongo: { uri: 'none' },
    });
  const mongo = await startMongo();
  let temporal = await startTemporal();
  /** Killed processes. Their server is down until its pid changes. */
  const killed = new Set<number>();
  const pidOf = (which: 'temporal' | 'mongo'): number =>
    (which === 'mongo' ? mongo.mongo : temporal.temporal).pid ?? 0;
  const isUp = (pid: number): boolean => pid > 0 && !killed.has(pid) && signalGroup(pid, 0);
  return {
    folder,
    temporalAddress: temporal.temporal.address,
    mongoUri: mongo.mongo.uri,
    async kill(which) {
      const pid = await until(() => pidOf(which), isUp);
      killed.add(pid);
      process.kill(pid, 'SIGKILL');
    },
    async freeze(which) {
      process.kill(await until(() => pidOf(which), isUp), 'SIGSTOP');
    },
    thaw(which) {
      process.kill(pidOf(which), 'SIGCONT');
    },
    async loseTemporal() {
      await temporal.stop();
      await rm(path.join(folder, 'temporal', 'temporal'), { recursive: true });
      temporal = await startTemporal();
    },
    async close() {
      await temporal.stop();
      await mongo.stop();
      await rm(folder, { recursive: true, force: true, maxRetries: 5 });
    },
  };
}
