import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { MongoProgram } from './binaries.ts';
import { exists } from './cache.ts';
import { serverEnvironment } from './environment.ts';
import { becomesPrimary, isPrimary } from './replica.ts';
import { supervise, type Supervised } from './supervise.ts';
import type { ServerOptions } from './temporal.ts';

/** mongod gets our name for its replica set; the stand-in has a fixed one. */
const REPLICA_SETS = { mongod: 'tollgate', 'stand-in': 'secantus' } as const;

/** Each has a file format of its own, so it needs a folder of its own. */
const FOLDERS = { mongod: 'mongodb', 'stand-in': 'mongodb-stand-in' } as const;

/** Enough for a shop's working set. By default mongod takes half of the machine. */
const CACHE_GB = '0.5';

/** Starts the stand-in with settings that its own command has no options for. */
const STAND_IN = fileURLToPath(new URL('./standin', import.meta.url));

const STAND_IN_NOTE =
  'MongoDB is not available on this machine, so SecantusDB stands in for it. ' +
  'It is for trials and tests. Use a real MongoDB for production (MONGODB_URI).';

export interface MongoServer extends Supervised {
  uri: string;
  kind: MongoProgram['kind'];
}

/**
 * Runs MongoDB, or its stand-in, on the loopback address, as a replica set of one member because
 * transactions need one. Resolves when it accepts writes. Throws a `StartError` if it fails.
 */
export async function runMongo(
  options: ServerOptions & { program: MongoProgram },
): Promise<MongoServer> {
  const { program, port, dataDir, env, guardian, log, onPid } = options;
  const { kind } = program;
  const folder = path.join(dataDir, FOLDERS[kind]);
  const other = kind === 'mongod' ? 'stand-in' : 'mongod';
  const otherFolder = path.join(dataDir, FOLDERS[other]);
  if (!(await exists(folder)) && (await exists(otherFolder))) {
    log(`the database is empty: the data of the ${other} is in ${otherFolder}`);
  }
  if (kind === 'stand-in') log(STAND_IN_NOTE);
  await mkdir(folder, { recursive: true });
  const replicaSet = REPLICA_SETS[kind];
  const server = await supervise({
    ...commandOf(program, port, folder),
    env: {
      ...serverEnvironment(env),
      ...(program.kind === 'stand-in' && { PYTHONPATH: path.resolve(program.script, '../..') }),
    },
    cwd: folder,
    ready: () => (kind === 'mongod' ? becomesPrimary(port, replicaSet) : isPrimary(port)),
    logFile: path.join(dataDir, 'logs', 'mongodb.log'),
    guardian,
    log,
    onPid,
  });
  return { ...server, uri: `mongodb://127.0.0.1:${port}/?replicaSet=${replicaSet}`, kind };
}

function commandOf(program: MongoProgram, port: number, folder: string) {
  if (program.kind === 'stand-in') {
    const place = ['--host', '127.0.0.1', '--port', String(port), '--storage-path', folder];
    // Without --sync-on-commit, a kill loses transactions that were acknowledged (tested).
    const args = [STAND_IN, ...place, '--sync-on-commit', '--log-level', 'WARNING'];
    return { name: 'MongoDB stand-in', command: program.python, args };
  }
  const place = ['--bind_ip', '127.0.0.1', '--nounixsocket', '--port', String(port)];
  const member = ['--replSet', REPLICA_SETS.mongod, '--wiredTigerCacheSizeGB', CACHE_GB];
  // There is no other member, so waiting for a successor would only slow each stop by 15 s.
  const stop = ['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'];
  // The transaction of a killed program locks its documents for this long. The default is 60 s.
  const locks = ['--setParameter', 'transactionLifetimeLimitSeconds=10'];
  const args = [...place, '--dbpath', folder, ...member, ...stop, ...locks];
  return { name: 'MongoDB', command: program.command, args };
}
