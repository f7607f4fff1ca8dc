import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';

import type { MongoProgram } from './binaries.ts';
import { exists } from './cache.ts';
import { serverEnvironment } from './environment.ts';
import { becomesPrimary, isPrimary } from './replica.ts';
import { supervise, type Supervised } from './supervise.ts';
import type { ServerOptions } from './temporal.ts';

/** The name that the stand-in announces by itself; mongod is told ours. */
const REPLICA_SETS = { mongod: 'tollgate', 'stand-in': 'secantus' } as const;

/** A file format of its own for each, so a folder of its own: neither can read the other's. */
const FOLDERS = { mongod: 'mongodb', 'stand-in': 'mongodb-stand-in' } as const;

/** Enough for a shop's working set; left alone, mongod would take half of the machine. */
const CACHE_GB = '0.5';

/** Starts the stand-in with what its own command cannot be told. */
const STAND_IN = fileURLToPath(new URL('./standin.py', import.meta.url));

const STAND_IN_NOTE =
  'MongoDB itself could not be had on this machine: SecantusDB stands in for it. ' +
  'It is for trying out and for tests; take a real MongoDB for production (MONGODB_URI).';

interface MongoServerOptions extends ServerOptions {
  program: MongoProgram;
}

export interface MongoServer extends Supervised {
  uri: string;
  kind: MongoProgram['kind'];
}

/**
 * Runs MongoDB, or its stand-in, on the loopback address as a replica set of one member, which
 * transactions need. Resolves when it takes writes; throws a StartError.
 */
export async function runMongo(options: MongoServerOptions): Promise<MongoServer> {
  const { program, port, dataDir, env, guardian, log, onPid } = options;
  const { kind } = program;
  const folder = path.join(dataDir, FOLDERS[kind]);
  await tellOfOtherData(options);
  if (kind === 'stand-in') log(STAND_IN_NOTE);
  await mkdir(folder, { recursive: true });
  const replicaSet = REPLICA_SETS[kind];
  const server = await supervise({
    name: kind === 'mongod' ? 'MongoDB' : 'MongoDB stand-in',
    ...commandLine(program, { port, folder, replicaSet }),
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
  const uri = `mongodb://127.0.0.1:${port}/?replicaSet=${replicaSet}`;
  return { ...server, uri, kind };
}

interface Place {
  port: number;
  folder: string;
  replicaSet: string;
}

function commandLine(program: MongoProgram, { port, folder, replicaSet }: Place) {
  if (program.kind === 'stand-in') {
    const place = ['--host', '127.0.0.1', '--port', String(port), '--storage-path', folder];
    // Without it a transaction that was acknowledged is lost when the stand-in is killed (tried).
    const args = [STAND_IN, ...place, '--sync-on-commit', '--log-level', 'WARNING'];
    return { command: program.python, args };
  }
  const place = ['--bind_ip', '127.0.0.1', '--nounixsocket', '--port', String(port)];
  const member = ['--replSet', replicaSet, '--wiredTigerCacheSizeGB', CACHE_GB];
  // With nobody to hand over to, waiting for a successor would only slow every stop by 15 s.
  const stop = ['--setParameter', 'shutdownTimeoutMillisForSignaledShutdown=100'];
  // A program that is killed in the middle of a transaction leaves its documents locked until
  // then; by default that is a whole minute.
  const locks = ['--setParameter', 'transactionLifetimeLimitSeconds=10'];
  const args = [...place, '--dbpath', folder, ...member, ...stop, ...locks];
  return { command: program.command, args };
}

/** Changing between the two looks like lost data, so it is said where the data is. */
async function tellOfOtherData({ program, dataDir, log }: MongoServerOptions): Promise<void> {
  const other = program.kind === 'mongod' ? 'stand-in' : 'mongod';
  const mine = path.join(dataDir, FOLDERS[program.kind]);
  const theirs = path.join(dataDir, FOLDERS[other]);
  if ((await exists(mine)) || !(await exists(theirs))) return;
  log(`this start begins with an empty database: what was stored by the ${other} is in ${theirs}`);
}
