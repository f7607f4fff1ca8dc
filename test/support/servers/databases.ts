/** Temporal and MongoDB of a file's own, to be killed or to lose their data. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { signalGroup } from '../../../embedded/identity.mjs';
import { startServers } from '../../../embedded/servers.ts';
import type { Servers } from '../../../embedded/servers.ts';
import { PROJECT } from './programs.ts';
import { until } from '../until.ts';

export interface Databases {
  /** Holds the data and the logs of both; it goes with them. */
  readonly folder: string;
  readonly temporalAddress: string;
  readonly mongoUri: string;
  /** SIGKILL; its supervisor starts it again. Waits for that when it is still down. */
  strike(which: 'temporal' | 'mongo'): Promise<void>;
  /**
   * Freezes its process, which keeps its connections and answers nothing. After a strike it waits
   * for the process that takes the place, and freezes that before it listens.
   */
  freeze(which: 'temporal' | 'mongo'): Promise<void>;
  /** Lets a frozen process go on. */
  thaw(which: 'temporal' | 'mongo'): void;
  /** Stops Temporal, deletes its database, and starts it again at the same address. */
  loseTemporal(): Promise<void>;
  close(): Promise<void>;
}

/** Starts both on free ports; their data lies in a folder that goes with them. */
export async function startDatabases(): Promise<Databases> {
  const { env } = process;
  const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-databases-'));
  const place = {
    cacheDir: path.resolve(PROJECT, env['CACHE_DIR'] ?? '.cache'),
    path: env['PATH'] ?? '',
    env,
    log: () => undefined,
  };
  // One claim on the data for each, so that one can be stopped while the other goes on.
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
  /** Until another process has taken the place of one that was struck, its server is down. */
  const struck = new Set<number>();
  const pidOf = (which: 'temporal' | 'mongo'): number =>
    (which === 'mongo' ? mongo.mongo : temporal.temporal).pid ?? 0;
  const isUp = (pid: number): boolean => pid > 0 && !struck.has(pid) && signalGroup(pid, 0);
  return {
    folder,
    temporalAddress: temporal.temporal.address,
    mongoUri: mongo.mongo.uri,
    async strike(which) {
      const pid = await until(() => pidOf(which), isUp);
      struck.add(pid);
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
