/** Facts about the MongoDB server that decide whether Tollgate can work on it. Changes nothing. */
import { MongoAPIError, MongoServerError, MongoServerSelectionError } from 'mongodb';
import type { Document } from 'mongodb';
import type { Mongo } from './mongo.ts';

/** The longest wait for a majority, and for a command that reads the whole server's state. */
const WAIT_MS = 3_000;

/** The actions on documents that the user needs. The role `readWrite` has more. */
const ACTIONS = ['find', 'insert', 'update', 'remove'];

/** Codes of refusals: the command needs a role, does not exist, or is unknown to this server. */
const REFUSED = new Set([13, 59, 72, 115, 238]);
const LOGIN_REFUSED = new Set([18, 8_000]);
const MAX_TIME_EXPIRED = 50;

export type ConnectFault = 'uri_invalid' | 'login_refused' | 'no_primary' | 'unreachable';

/** Returns the reason why the database could not be opened. */
export function connectFaultOf(error: unknown): ConnectFault {
  if (error instanceof MongoServerError && LOGIN_REFUSED.has(Number(error.code))) {
    return 'login_refused';
  }
  if (error instanceof MongoServerSelectionError) {
    const servers = [...(error.reason?.servers.values() ?? [])];
    const cause = servers.find((server) => server.error)?.error;
    if (cause instanceof MongoServerError) return connectFaultOf(cause);
    // Those that respond are secondaries, or were left out because their set has another name.
    return servers.every(({ type }) => type === 'Unknown') && servers.length > 0
      ? 'unreachable'
      : 'no_primary';
  }
  // By name, because the parser of the driver has a class of its own.
  const isUri = error instanceof MongoAPIError || (error as Error).name === 'MongoParseError';
  return isUri ? 'uri_invalid' : 'unreachable';
}

/** Returns the server's version, for example `8.0.4`. */
export async function readVersion({ db }: Mongo): Promise<string> {
  const { version } = await db.command({ buildInfo: 1 });
  return String(version);
}

export interface ServerState {
  /** The name of the replica set; null if the server belongs to none. */
  readonly replicaSet: string | null;
  readonly members: number;
  /** The server's clock, in Unix milliseconds. */
  readonly nowMs: number;
}

export async function readServerState({ db }: Mongo): Promise<ServerState> {
  const { setName = null, hosts = [], localTime } = await db.command({ hello: 1 });
  return {
    replicaSet: setName as string | null,
    members: (hosts as unknown[]).length,
    nowMs: Number(localTime),
  };
}

/** Returns the members that are down. Undefined if the user may not know: see `clusterMonitor`. */
export async function readMembersDown({ db }: Mongo): Promise<readonly string[] | undefined> {
  const status = await ifAllowed(db.admin().command({ replSetGetStatus: 1 }));
  const members = status?.['members'] as Document[] | undefined;
  return members
    ?.filter(({ health }) => Number(health) !== 1)
    .map(({ name, stateStr }) => `${name} (${stateStr})`);
}

/**
 * Returns true if a majority of the members has confirmed the newest write. A read with the
 * majority's concern waits for it, so nothing is written. Returns false after 3 s.
 */
export async function isMajorityUpToDate({ db, merchants }: Mongo): Promise<boolean> {
  return db.client.withSession({ causalConsistency: true }, async (session) => {
    // Moves the session to the time of the newest write.
    await merchants.findOne({}, { session, readConcern: { level: 'local' } });
    try {
      await merchants.findOne({}, { session, maxTimeMS: WAIT_MS });
      return true;
    } catch (error) {
      if (error instanceof MongoServerError && error.code === MAX_TIME_EXPIRED) return false;
      throw error;
    }
  });
}

/**
 * Returns the actions that the user lacks. Without access control, none is missing. Undefined if
 * the server names the user's roles, but not what they allow.
 */
export async function readMissingRights({ db }: Mongo): Promise<readonly string[] | undefined> {
  const status = await ifAllowed(db.command({ connectionStatus: 1, showPrivileges: true }));
  const {
    authenticatedUsers: users = [],
    authenticatedUserRoles: roles = [],
    authenticatedUserPrivileges: privileges = [],
  } = (status?.['authInfo'] ?? {}) as Readonly<Record<string, Document[]>>;
  if (users.length === 0) return [];
  if (roles.length > 0 && privileges.length === 0) return undefined;
  const ours = privileges.filter(({ resource }) => {
    const { db: name, collection, anyResource } = resource as Document;
    return anyResource === true || (['', db.databaseName].includes(name) && collection === '');
  });
  const allowed = new Set(ours.flatMap(({ actions }) => actions as string[]));
  return ACTIONS.filter((action) => !allowed.has(action));
}

/** Returns the longest life of a transaction, in seconds. Undefined if the user may not know. */
export async function readTransactionSeconds({ db }: Mongo): Promise<number | undefined> {
  const name = 'transactionLifetimeLimitSeconds';
  const found = await ifAllowed(db.admin().command({ getParameter: 1, [name]: 1 }));
  return found?.[name] === undefined ? undefined : Number(found[name]);
}

/** Returns the space of the disk with the data. Undefined if the server does not report it. */
export async function readSpace({ db }: Mongo) {
  const { fsTotalSize, fsUsedSize } = await db.stats();
  if (!fsTotalSize || fsUsedSize === undefined) return undefined;
  return { totalBytes: fsTotalSize, freeBytes: fsTotalSize - fsUsedSize };
}

/** Returns the URLs of the newest enabled endpoints: one for each host, and at most `hosts`. */
export async function newestReceivers({ endpoints }: Mongo, hosts: number): Promise<URL[]> {
  const found = endpoints.find({ status: 'enabled' }, { projection: { url: 1 } });
  const rows = await found
    .sort({ _id: -1 })
    .limit(hosts * 10)
    .toArray();
  const byHost = new Map(rows.map(({ url }) => [new URL(url).host, new URL(url)]));
  return [...byHost.values()].slice(0, hosts);
}

/** Returns undefined if the server refuses the command to this user, or does not know it. */
async function ifAllowed(command: Promise<Document>): Promise<Document | undefined> {
  return command.catch((error: unknown) => {
    if (error instanceof MongoServerError && REFUSED.has(Number(error.code))) return undefined;
    throw error;
  });
}
