import path from 'node:path';

import { findMongo, findTemporal } from './binaries.ts';
import { startGuardian, type Guardian } from './guard.ts';
import { runMongo, type MongoServer } from './mongo.ts';
import { claimData, type Claim } from './owner.ts';
import { keepPorts, requirePort } from './ports.ts';
import { keepUnwritable } from './private.ts';
import type { FindOptions } from './sources.ts';
import { runTemporal, type TemporalServer } from './temporal.ts';

/** Both servers end in about a second; an end by force costs them a recovery at the next start. */
const STOP_GRACE_MS = 10_000;

export interface ServersOptions extends FindOptions {
  dataDir: string;
  /** An address given is used, and nothing is started. Without uiPort there is no web interface. */
  temporal: {
    address?: string | undefined;
    cliPath?: string | undefined;
    uiPort?: number | undefined;
    /** Host names that requests to the web interface may use, besides localhost. */
    uiHosts?: readonly string[] | undefined;
  };
  /** A URI given is used, and nothing is started. */
  mongo: { uri?: string | undefined; mongodPath?: string | undefined };
  /** Called once the data folder is this program's alone, before anything is started. */
  onClaimed?: (() => Promise<void>) | undefined;
  /** Called at the start of each server and after each restart. */
  onPids?: ((pids: ServerPids) => void) | undefined;
  /** A guardian of the caller's, which then closes it; otherwise the servers have their own. */
  guardian?: Guardian | undefined;
  /** True deletes dataDir in the end, also when this program is killed. For test runs. */
  temporary?: boolean | undefined;
}

interface ServerPids {
  temporal?: number;
  mongo?: number;
}

export interface Servers {
  temporal: { address: string; uiUrl?: string; readonly pid: number | undefined };
  mongo: { uri: string; readonly pid: number | undefined; kind: 'given' | 'mongod' | 'stand-in' };
  /** Stops both in order and leaves no process. */
  stop(): Promise<void>;
}

/**
 * Brings up Temporal and MongoDB, or uses those that are given. Resolves when both answer.
 * Throws, and leaves no process, when one cannot be had (NothingFoundError), does not start
 * (StartError), the web interface's port is taken (PortTakenError) or the data is in use
 * (DataInUseError).
 */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { temporal, mongo } = options;
  const dataDir = path.resolve(options.dataDir);
  if (temporal.address && mongo.uri) {
    await options.onClaimed?.();
    return view({ options, pids: {} }, async () => undefined);
  }
  const claim = await claimData(dataDir, options.log);
  const guardian =
    options.guardian ?? startGuardian({ remove: options.temporary ? dataDir : undefined });
  claim.note([guardian.pid()]);
  const finish = async () => {
    if (options.guardian === undefined) await guardian.close();
    claim.release();
  };
  try {
    await options.onClaimed?.();
    const up = await bringUp({ options, dataDir, guardian, claim });
    return view(up, async () => {
      await up.temporal?.stop(STOP_GRACE_MS);
      await up.mongo?.stop(STOP_GRACE_MS);
      await finish();
    });
  } catch (error) {
    await finish();
    throw error;
  }
}

interface Task {
  options: ServersOptions;
  dataDir: string;
  guardian: Guardian;
  claim: Claim;
}

interface Up {
  options: ServersOptions;
  pids: ServerPids;
  temporal?: TemporalServer | undefined;
  mongo?: MongoServer | undefined;
}

/** A given server needs no program; a taken port is told before anything is fetched. */
async function findPrograms(options: ServersOptions) {
  const { temporal, mongo } = options;
  if (!temporal.address && temporal.uiPort) {
    await requirePort(temporal.uiPort, 'TEMPORAL_UI_PORT');
  }
  await keepUnwritable(options.cacheDir);
  return Promise.all([
    temporal.address ? undefined : findTemporal({ ...options, cliPath: temporal.cliPath }),
    mongo.uri ? undefined : findMongo({ ...options, mongodPath: mongo.mongodPath }),
  ]);
}

/** Starts what is to be started; when one of them fails, the other is stopped. */
async function bringUp(task: Task): Promise<Up> {
  const { options, dataDir, guardian, claim } = task;
  const { env, log } = options;
  const [command, program] = await findPrograms(options);
  const pids: ServerPids = {};
  const onPid = (name: keyof ServerPids) => (pid: number) => {
    pids[name] = pid;
    claim.note([guardian.pid(), pids.temporal, pids.mongo]);
    options.onPids?.({ ...pids });
  };
  const names = ['temporal', 'temporal_ui', 'mongo'] as const;
  const ports = await keepPorts(path.join(dataDir, 'ports.json'), names);
  const common = { dataDir, env, guardian, log };
  const { uiPort, uiHosts: hosts = [] } = options.temporal;
  const web = uiPort ? { port: uiPort, innerPort: ports.temporal_ui, hosts } : undefined;
  const [temporal, mongo] = await Promise.allSettled([
    command &&
      runTemporal({ ...common, command, web, port: ports.temporal, onPid: onPid('temporal') }),
    program && runMongo({ ...common, program, port: ports.mongo, onPid: onPid('mongo') }),
  ]);
  if (temporal.status === 'rejected' || mongo.status === 'rejected') {
    if (temporal.status === 'fulfilled') await (temporal.value || undefined)?.stop(STOP_GRACE_MS);
    if (mongo.status === 'fulfilled') await mongo.value?.stop(STOP_GRACE_MS);
    throw temporal.status === 'rejected'
      ? temporal.reason
      : (mongo as PromiseRejectedResult).reason;
  }
  return { options, pids, temporal: temporal.value || undefined, mongo: mongo.value };
}

/** The process ids are read when they are asked for: a restart changes them. */
function view({ options, pids, temporal, mongo }: Up, stop: () => Promise<void>): Servers {
  return {
    temporal: {
      address: temporal?.address ?? options.temporal.address ?? '',
      ...(temporal?.uiUrl && { uiUrl: temporal.uiUrl }),
      get pid() {
        return pids.temporal;
      },
    },
    mongo: {
      uri: mongo?.uri ?? options.mongo.uri ?? '',
      kind: mongo?.kind ?? 'given',
      get pid() {
        return pids.mongo;
      },
    },
    stop,
  };
}
