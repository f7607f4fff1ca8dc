/** The connection to MongoDB, its transactions, and what its errors mean. */
import { MongoAPIError, MongoClient, MongoError, MongoServerError } from 'mongodb';
import type { Collection, Db } from 'mongodb';
import type { AuditEntry } from '../domain/audit.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import type { Event } from '../domain/event.ts';
import type { ApiKey, Merchant, User } from '../domain/merchant.ts';
import type { Replay } from '../domain/replay.ts';
import type { PaymentRow, RefundRow, RequestRow } from './rows.ts';
import { transact } from './transact.ts';
import type { Session } from './transact.ts';

export type { Session } from './transact.ts';

export interface Mongo {
  /** For store/ alone: the collections have methods for everything else. */
  readonly db: Db;
  readonly payments: Collection<PaymentRow>;
  readonly refunds: Collection<RefundRow>;
  readonly events: Collection<Event>;
  readonly endpoints: Collection<Endpoint>;
  readonly deliveries: Collection<Delivery>;
  readonly replays: Collection<Replay>;
  readonly merchants: Collection<Merchant>;
  readonly users: Collection<User>;
  readonly keys: Collection<ApiKey>;
  readonly requests: Collection<RequestRow>;
  readonly auditEntries: Collection<AuditEntry>;
  /**
   * Runs `body` as one transaction (majority, journaled). The body may run several times: choose
   * ids before it, so that a rerun writes the same and collides instead of doubling.
   */
  transact<T>(body: (session: Session) => Promise<T>): Promise<T>;
  /** Resolves when the server answers as a writable primary; rejects when it is away. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The API answers 503 within 5 s: a server that says nothing has to be given up before that. */
const SILENCE_MS = 4_000;
const SELECTION_MS = 3_000;

/** A collection's name in our code. */
export type CollectionName = Exclude<keyof Mongo, 'db' | 'transact' | 'ping' | 'close'>;

/** The name of each collection in the database. */
const NAMES: Readonly<Record<CollectionName, string>> = {
  payments: 'payments',
  refunds: 'refunds',
  events: 'events',
  endpoints: 'webhook_endpoints',
  deliveries: 'deliveries',
  replays: 'replays',
  merchants: 'merchants',
  users: 'users',
  keys: 'api_keys',
  requests: 'requests',
  auditEntries: 'audit',
};

export interface MongoOptions {
  uri: string;
  dbName?: string;
  /** Hears the name of every command that is sent: the cost of a payment is counted by it. */
  monitor?: (command: string) => void;
  /**
   * True if commands have no time limit, for work that may take hours, such as building an index.
   */
  patient?: boolean;
}

/**
 * Connects. `uri` names the database to use (else `tollgate`). Call `requireIndexes` before serving
 * requests from it. Rejects if no writable server is found within 3 s.
 */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  const { monitor, patient = false } = options;
  const client = new MongoClient(options.uri, {
    appName: 'tollgate',
    serverSelectionTimeoutMS: SELECTION_MS,
    connectTimeoutMS: SELECTION_MS,
    waitQueueTimeoutMS: SELECTION_MS,
    socketTimeoutMS: patient ? 0 : SILENCE_MS,
    writeConcern: { w: 'majority', j: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    monitorCommands: monitor !== undefined,
  });
  if (monitor) client.on('commandStarted', (event) => monitor(event.commandName));
  try {
    await client.connect();
    return collectionsOf(client, options.dbName);
  } catch (error) {
    await client.close();
    throw error;
  }
}

function collectionsOf(client: MongoClient, dbName: string | undefined): Mongo {
  const configured = client.options.dbName === 'test' ? 'tollgate' : client.options.dbName;
  const db = client.db(dbName ?? configured);
  return {
    db,
    payments: db.collection(NAMES.payments),
    refunds: db.collection(NAMES.refunds),
    events: db.collection(NAMES.events),
    endpoints: db.collection(NAMES.endpoints),
    deliveries: db.collection(NAMES.deliveries),
    replays: db.collection(NAMES.replays),
    merchants: db.collection(NAMES.merchants),
    users: db.collection(NAMES.users),
    keys: db.collection(NAMES.keys),
    requests: db.collection(NAMES.requests),
    auditEntries: db.collection(NAMES.auditEntries),
    transact: async (body) => client.withSession(async (session) => transact(session, body)),
    ping: async () => {
      await db.command({ ping: 1 });
    },
    close: async () => client.close(),
  };
}

/**
 * The fields of the unique index that refused a write, as in `m,idem.k`; undefined when the error
 * is anything else.
 */
export function duplicateOf(error: unknown): string | undefined {
  if (!(error instanceof MongoServerError) || error.code !== 11_000) return undefined;
  const pattern = error['keyPattern'] as Record<string, unknown> | undefined;
  return Object.keys(pattern ?? {}).join(',');
}

/** Of the driver's complaints about its use, those that a connection which went away causes. */
const UNAVAILABLE = new Set([
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'TransactionBlocked',
]);

/** A socket that closes while it is used: the driver passes Node's error on as it is. */
const CONNECTION_CODE = /^(E[A-Z]+|ERR_(STREAM|SOCKET)_[A-Z_]+|ABORT_ERR)$/;

/**
 * Codes of server errors that pass by themselves. A server labels such an error only where the
 * driver may retry the command, so reads, writes to many documents and `ping` get no label.
 */
const PASSING_CODES = new Set([
  // An election: the member is not the primary, or is not a full member yet.
  10_107, // NotWritablePrimary
  10_058, // LegacyNotPrimary
  13_435, // NotPrimaryNoSecondaryOk
  13_436, // NotPrimaryOrSecondary
  189, // PrimarySteppedDown
  11_602, // InterruptedDueToReplStateChange
  // The member is shutting down.
  91, // ShutdownInProgress
  11_600, // InterruptedAtShutdown
  // The member cannot reach the others, or they have no majority commit yet.
  6, // HostUnreachable
  7, // HostNotFound
  89, // NetworkTimeout
  9_001, // SocketException
  133, // FailedToSatisfyReadPreference
  134, // ReadConcernMajorityNotAvailableYet
  // The write was carried out, but a majority has not confirmed it in time.
  64, // WriteConcernTimeout
  // The member ran out of time or cache.
  24, // LockTimeout
  50, // MaxTimeMSExpired
  202, // NetworkInterfaceExceededTimeLimit
  262, // ExceededTimeLimit
  290, // TransactionExceededLifetimeLimitSeconds
  365, // TemporarilyUnavailable
  // The operation was killed: by an operator, a restart, or an index that was dropped.
  43, // CursorNotFound
  175, // QueryPlanKilled
  237, // CursorKilled
  11_601, // Interrupted
]);

/** Labels of errors after which a retry of the command, transaction or commit may succeed. */
const PASSING_LABELS = [
  'RetryableWriteError',
  'TransientTransactionError',
  'UnknownTransactionCommitResult',
  'SystemOverloadedError',
];

/**
 * Returns whether the database could not be reached, did not reply in time, or is changing its
 * primary. A write may then have been carried out or not: repeat it with the same ids. Returns
 * false for refusals by the server, such as a duplicate, and for faults that no retry can fix.
 */
export function isUnavailable(error: unknown): boolean {
  // By what it says and not by its class: Node makes its own errors, and not always with our `Error`.
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  if (UNAVAILABLE.has(String(name)) || CONNECTION_CODE.test(String(code))) return true;
  if (!(error instanceof MongoServerError)) {
    // What is neither the server's refusal nor our misuse of the driver happened on the way.
    return error instanceof MongoError && !(error instanceof MongoAPIError);
  }
  if (PASSING_CODES.has(Number(error.code))) return true;
  return PASSING_LABELS.some((label) => error.hasErrorLabel(label));
}
