/** MongoDB: whether it can be reached, and whether its settings keep Tollgate's promises. */
import {
  connectFaultOf,
  isMajorityUpToDate,
  readMembersDown,
  readMissingRights,
  readServerState,
  readSpace,
  readTransactionSeconds,
  readVersion,
} from '../store/inspect.ts';
import type { ConnectFault } from '../store/inspect.ts';
import { openMongo } from '../store/mongo.ts';
import type { Mongo } from '../store/mongo.ts';
import { isNeeded, surveyIndexes } from '../store/survey.ts';
import type { IndexFinding } from '../store/survey.ts';
import { ok, problem, skipped, wordsOf } from './check.ts';
import type { Check, Result } from './check.ts';
import { judgeClock } from './clocks.ts';
import { judgeSpace } from './machine.ts';
import type { ProblemCode } from './problems.ts';

/** The first version with all commands that we send. */
const OLDEST_MAJOR = 6;
/** The longest and the shortest limit of a transaction that is right. Ours take 2.5 s at most. */
const LONGEST_SECONDS = 60;
const SHORTEST_SECONDS = 5;
/** The most indexes that are named. */
const MAX_NAMED = 5;

/** The connection, as the other checks use it. */
export interface Opened {
  readonly result: Result;
  readonly mongo?: Mongo;
}

const FAULTS: Readonly<Record<ConnectFault, ProblemCode>> = {
  uri_invalid: 'mongodb_uri_invalid',
  login_refused: 'mongodb_login_refused',
  no_primary: 'mongodb_no_primary',
  unreachable: 'mongodb_unreachable',
};

/** Opens the database and looks whether it responds. Never throws. */
export async function openDatabase(uri: string | undefined): Promise<Opened> {
  if (uri === undefined) return { result: skipped('MONGODB_URI is not set.') };
  try {
    const mongo = await openMongo({ uri });
    return { mongo, result: ok(`The database ${mongo.db.databaseName} responds.`) };
  } catch (error) {
    const fault = connectFaultOf(error);
    return { result: problem(FAULTS[fault], wordsOf(error)) };
  }
}

type MongoCheck = Omit<Check, 'run'> & { readonly judge: (mongo: Mongo) => Promise<Result> };

export const MONGO_CHECKS: readonly MongoCheck[] = [
  { check: 'mongodb.version', name: 'MongoDB: version', judge: judgeVersion },
  { check: 'mongodb.replica_set', name: 'MongoDB: replica set', judge: judgeReplicaSet },
  { check: 'mongodb.majority', name: 'MongoDB: majority writes', judge: judgeMajority },
  { check: 'mongodb.rights', name: 'MongoDB: rights of the user', judge: judgeRights },
  { check: 'mongodb.transactions', name: 'MongoDB: transactions', judge: judgeTransactions },
  {
    check: 'mongodb.indexes',
    name: 'MongoDB: indexes',
    judge: async (mongo) => judgeIndexes(await surveyIndexes(mongo)),
  },
  { check: 'mongodb.clock', name: 'MongoDB: clock', judge: compareClocks },
  { check: 'mongodb.disk', name: 'MongoDB: disk', judge: judgeDisk },
];

async function judgeVersion(mongo: Mongo): Promise<Result> {
  const version = await readVersion(mongo);
  const isOld = Number(version.split('.')[0]) < OLDEST_MAJOR;
  return isOld ? problem('mongodb_too_old', `It is ${version}.`) : ok(`It is ${version}.`);
}

async function judgeReplicaSet(mongo: Mongo): Promise<Result> {
  const { replicaSet, members } = await readServerState(mongo);
  if (replicaSet === null) {
    const found = 'The server is no member of a replica set, so it has no transactions.';
    return problem('mongodb_standalone', found);
  }
  const down = await readMembersDown(mongo);
  const set = `${replicaSet} has ${members} ${members === 1 ? 'member' : 'members'}`;
  if (down === undefined) return ok(`${set}. The user may not see the state of each.`);
  if (down.length === 0) return ok(`${set}, and all are up.`);
  return problem('mongodb_member_down', `${set}. Not up: ${down.join(', ')}.`);
}

async function judgeMajority(mongo: Mongo): Promise<Result> {
  if (await isMajorityUpToDate(mongo)) return ok('A majority has confirmed the newest write.');
  return problem('mongodb_majority_missing', 'No majority confirms the newest write within 3 s.');
}

async function judgeRights(mongo: Mongo): Promise<Result> {
  const missing = await readMissingRights(mongo);
  if (missing === undefined) return skipped('The server does not list what the user may do.');
  if (missing.length === 0) return ok('The user may read and write.');
  return problem('mongodb_rights_missing', `The user may not ${missing.join(', ')}.`);
}

async function judgeTransactions(mongo: Mongo): Promise<Result> {
  const seconds = await readTransactionSeconds(mongo);
  if (seconds === undefined) {
    return skipped('The server shows transactionLifetimeLimitSeconds to clusterMonitor only.');
  }
  const found = `A transaction may take ${seconds} s.`;
  if (seconds > LONGEST_SECONDS) return problem('transactions_too_long', found);
  return seconds < SHORTEST_SECONDS ? problem('transactions_too_short', found) : ok(found);
}

export function judgeIndexes(found: readonly IndexFinding[]): Result {
  const needed = found.filter(({ state }) => isNeeded(state));
  const obsolete = found.filter(({ state, spec }) => state === 'obsolete' && spec.unique === true);
  if (needed.length > 0) return problem('indexes_missing', `${listed(needed)}.`);
  if (obsolete.length > 0) return problem('indexes_obsolete', `${listed(obsolete)}.`);
  return ok('Every index of this version exists.');
}

function listed(found: readonly IndexFinding[]): string {
  const names = found.map(({ collection, index, state }) => `${collection}.${index} is ${state}`);
  const more = names.length - MAX_NAMED;
  return names.slice(0, MAX_NAMED).join(', ') + (more > 0 ? `, and ${more} more` : '');
}

async function compareClocks(mongo: Mongo): Promise<Result> {
  const beforeMs = Date.now();
  const { nowMs: theirMs } = await readServerState(mongo);
  return judgeClock('MongoDB', { theirMs, beforeMs, afterMs: Date.now(), stepMs: 1 });
}

async function judgeDisk(mongo: Mongo): Promise<Result> {
  const space = await readSpace(mongo);
  if (!space) return skipped('This server does not report the space of its disk.');
  return judgeSpace(space, { low: 'mongodb_disk_low', full: 'mongodb_disk_full' });
}
