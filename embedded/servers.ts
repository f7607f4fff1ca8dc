import path from 'node:path';
import { findMongo, findTemporal, type FindOptions } from './binaries.ts';
import { startGuardian, type Guardian } from './guard.ts';
import { runMongo, type MongoServer } from './mongo.ts';
import { claimData } from './owner.ts';
import { keepPorts, requirePort } from './ports.ts';
import { keepUnwritable } from './private.ts';
import { runTemporal, type TemporalServer } from './temporal.ts';

/** Both servers stop in about a second. A server that is killed has to recover at its next start. */
const STOP_GRACE_MS = 10_000;

interface ServersOptions extends FindOptions {
  dataDir: string;
  /** If an address is given, it is used and nothing is started. */
  temporal: {
    address?: string | undefined;
    cliPath?: string | undefined;
    /** If absent, there is no web interface. */
    uiPort?: number | undefined;
    /** Host names that requests to the web interface may use, besides localhost. */
    uiHosts?: readonly string[] | undefined;
  };
  /** If a URI is given, it is used and nothing is started. */
  mongo: { uri?: string | undefined; mongodPath?: string | undefined };
  /** Called once the data folder belongs to this program alone, before anything is started. */
  onClaimed?: (() => void) | undefined;
  /** Called at the start of each server and after each restart. */
  onPids?: ((pids: ServerPids) => void) | undefined;
  /** A guardian that the caller closes. By default the servers have their own. */
  guardian?: Guardian | undefined;
  /** True to delete `dataDir` at the end, even if this program is killed. For test runs. */
  temporary?: boolean | undefined;
}

interface ServerPids {
  temporal?: number;
  mongo?: number;
}

export interface Servers {
  temporal: { address: string; uiUrl?: string; readonly pid: number | undefined };
  mongo: { uri: string; readonly pid: number | undefined; kind: 'given' | MongoServer['kind'] };
  /** Stops both in order and leaves no process. */
  stop(): Promise<void>;
}

/**
 * Starts Temporal and MongoDB, or uses those that are given. Resolves when both respond. Throws a
 * `StartError`, and leaves no process, if a program is not found, a server does not start, the web
 * interface's port is taken, or another program uses the data.
 */
export async function startServers(options: ServersOptions): Promise<Servers> {
  const { temporal, mongo, onClaimed, temporary } = options;
  const dataDir = path.resolve(options.dataDir);
  if (temporal.address && mongo.uri) {
    onClaimed?.();
    return view(options, {}, async () => undefined);
  }
  const claim = await claimData(dataDir, options.log);
  const guardian = options.guardian ?? startGuardian({ remove: temporary ? dataDir : undefined });
  const finish = async () => {
    if (options.guardian === undefined) await guardian.close();
    claim.release();
  };
  const pids: ServerPids = {};
  const note = (changed: ServerPids) => {
    Object.assign(pids, changed);
    claim.note([guardian.pid(), pids.temporal, pids.mongo]);
  };
  try {
    note({});
    onClaimed?.();
    const onPid = (name: keyof ServerPids) => (pid: number) => {
      note({ [name]: pid });
      options.onPids?.({ ...pids });
    };
    const running = await start({ ...options, dataDir, guardian }, onPid);
    return view(options, running, async () => {
      await stop(running);
      await finish();
    });
  } catch (error) {
    await finish();
    throw error;
  }
}

interface Running {
  temporal?: TemporalServer | undefined;
  mongo?: MongoServer | undefined;
}

async function stop({ temporal, mongo }: Running): Promise<void> {
  await temporal?.stop(STOP_GRACE_MS);
  await mongo?.stop(STOP_GRACE_MS);
}

/** Starts the servers that are not given. If one of them fails, stops the other. */
async function start(
  options: ServersOptions & { guardian: Guardian },
  onPid: (name: keyof ServerPids) => (pid: number) => void,
): Promise<Running> {
  const { dataDir, guardian, env, log, cacheDir } = options;
  const { address, cliPath, uiPort, uiHosts: hosts = [] } = options.temporal;
  const { uri, mongodPath } = options.mongo;
  // A taken port is reported before anything is downloaded.
  if (!address && uiPort) await requirePort(uiPort, 'TEMPORAL_UI_PORT');
  await keepUnwritable(cacheDir);
  const [command, program] = await Promise.all([
    address ? undefined : findTemporal({ ...options, cliPath }),
    uri ? undefined : findMongo({ ...options, mongodPath }),
  ]);
  const names = ['temporal', 'temporal_ui', 'mongo'] as const;
  const ports = await keepPorts(path.join(dataDir, 'ports.json'), names);
  const web = uiPort ? { port: uiPort, innerPort: ports.temporal_ui, hosts } : undefined;
  const shared = { dataDir, env, guardian, log };
  const running: Running = {};
  const results = await Promise.allSettled([
    (async () => {
      const more = { web, port: ports.temporal, onPid: onPid('temporal') };
      if (command) running.temporal = await runTemporal({ ...shared, ...more, command });
    })(),
    (async () => {
      const more = { port: ports.mongo, onPid: onPid('mongo') };
      if (program) running.mongo = await runMongo({ ...shared, ...more, program });
    })(),
  ]);
  const failed = results.find((result) => result.status === 'rejected');
  if (!failed) return running;
  await stop(running);
  throw failed.reason;
}

/** Returns the servers. Process ids are getters, because a restart changes them. */
function view(
  options: ServersOptions,
  { temporal, mongo }: Running,
  end: Servers['stop'],
): Servers {
  return {
    temporal: {
      address: temporal?.address ?? options.temporal.address ?? '',
      ...(temporal?.uiUrl && { uiUrl: temporal.uiUrl }),
      get pid() {
        return temporal?.pid();
      },
    },
    mongo: {
      uri: mongo?.uri ?? options.mongo.uri ?? '',
      kind: mongo?.kind ?? 'given',
      get pid() {
        return mongo?.pid();
      },
    },
    stop: end,
  };
}
