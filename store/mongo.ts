/** The connection to MongoDB, its transactions, and what its errors mean. */
import { MongoAPIError, MongoClient, MongoError, MongoServerError } from 'mongodb';
import type { ClientSession, Collection, Db } from 'mongodb';
import type { AuditEntry } from '../domain/audit.ts';
import type { Call } from '../domain/call.ts';
import type { Check } from '../domain/check.ts';
import type { Delivery } from '../domain/delivery.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import type { Event } from '../domain/event.ts';
import type { ApiKey, Merchant } from '../domain/merchant.ts';
import type { Replay } from '../domain/replay.ts';
import type { InviteLink, Passkey, User, UserSession } from '../domain/user.ts';
import { watchCommands } from './commands.ts';
import type { CommandWatch } from './commands.ts';
import type {
  DayStatsRow,
  FileRow,
  LogoRow,
  PaymentRow,
  RefundRow,
  RequestRow,
  StatsStateRow,
} from './rows.ts';

export type Session = ClientSession;

interface Collections {
  readonly payments: Collection<PaymentRow>;
  readonly refunds: Collection<RefundRow>;
  readonly events: Collection<Event>;
  readonly endpoints: Collection<Endpoint>;
  readonly deliveries: Collection<Delivery>;
  readonly replays: Collection<Replay>;
  /** The last check of each endpoint's receiver, by the endpoint's id. */
  readonly checks: Collection<Check>;
  readonly merchants: Collection<Merchant>;
  readonly logos: Collection<LogoRow>;
  readonly files: Collection<FileRow>;
  readonly users: Collection<User>;
  readonly sessions: Collection<UserSession>;
  readonly invites: Collection<InviteLink>;
  readonly passkeys: Collection<Passkey>;
  /** The challenges that passkeys have signed. Each is used once. */
  readonly challenges: Collection<{ _id: string; expires_at: Date }>;
  readonly keys: Collection<ApiKey>;
  readonly requests: Collection<RequestRow>;
  readonly auditEntries: Collection<AuditEntry>;
  readonly calls: Collection<Call>;
  readonly dayStats: Collection<DayStatsRow>;
  readonly statsState: Collection<StatsStateRow>;
}

export interface Mongo extends Collections {
  /** For store/ only: other folders use the collections. */
  readonly db: Db;
  /**
   * Runs `body` in a transaction (majority, journaled). Repeats it after conflicts for 2.5 s, then
   * throws `TransactionBlocked`. Choose ids before it, so that a repeat writes the same documents.
   */
  transact<T>(body: (session: Session) => Promise<T>): Promise<T>;
  /** Rejects if the server does not respond as a writable primary. */
  ping(): Promise<void>;
  close(): Promise<void>;
}

/** The longest wait for a silent server. The API has to return 503 within 5 s. */
const SILENCE_MS = 4_000;
const SELECTION_MS = 3_000;
/** The longest wait of a patient client for a connection or a heartbeat. */
const PATIENCE_MS = 30_000;
/**
 * A transaction takes milliseconds, so one that is in conflict after this time is blocked: a writer
 * that died inside a transaction holds its documents for up to a minute. The caller should retry
 * later. The driver alone would repeat it for two minutes.
 */
const TRANSACTION_MS = 2_500;

/** The name of a collection in our code. */
export type CollectionName = keyof Collections;

/** The names of the collections in the database. */
const NAMES: Readonly<Record<CollectionName, string>> = {
  payments: 'payments',
  refunds: 'refunds',
  events: 'events',
  endpoints: 'webhook_endpoints',
  deliveries: 'deliveries',
  replays: 'replays',
  checks: 'receiver_checks',
  merchants: 'merchants',
  logos: 'logos',
  files: 'page_files',
  users: 'users',
  sessions: 'sessions',
  invites: 'invites',
  passkeys: 'passkeys',
  challenges: 'challenges',
  keys: 'api_keys',
  requests: 'requests',
  auditEntries: 'audit',
  calls: 'api_requests',
  dayStats: 'day_stats',
  statsState: 'stats_state',
};

export interface MongoOptions extends CommandWatch {
  uri: string;
  dbName?: string;
  /** True if commands have no time limit, for work that takes hours, such as building an index. */
  patient?: boolean;
}

/**
 * Connects to the database in `uri`, or else `tollgate`. Call `requireIndexes` before using it.
 * Rejects if no writable server is found within 3 s.
 */
export async function openMongo(options: MongoOptions): Promise<Mongo> {
  const { monitor, isTimed = false, patient = false } = options;
  const connectMs = patient ? PATIENCE_MS : SELECTION_MS;
  const client = new MongoClient(options.uri, {
    appName: 'tollgate',
    serverSelectionTimeoutMS: SELECTION_MS,
    // A heartbeat that takes longer makes the server unknown, and fails the commands after it.
    connectTimeoutMS: connectMs,
    waitQueueTimeoutMS: connectMs,
    socketTimeoutMS: patient ? 0 : SILENCE_MS,
    writeConcern: { w: 'majority', j: true },
    readConcern: { level: 'majority' },
    readPreference: 'primary',
    monitorCommands: isTimed || monitor !== undefined,
  });
  watchCommands(client, options);
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
  const collections = Object.entries(NAMES).map(([name, stored]) => [name, db.collection(stored)]);
  return {
    ...(Object.fromEntries(collections) as Collections),
    db,
    transact: async (body) => client.withSession(async (session) => transact(session, body)),
    ping: async () => {
      await db.command({ ping: 1 });
    },
    close: async () => client.close(),
  };
}

/** Thrown if a transaction fails because of conflicts. It wrote nothing, and may be repeated. */
class TransactionBlocked extends Error {
  override name = 'TransactionBlocked';
}

async function transact<T>(session: Session, body: (session: Session) => Promise<T>): Promise<T> {
  const until = Date.now() + TRANSACTION_MS;
  return session.withTransaction(async () => {
    if (Date.now() > until) throw new TransactionBlocked('Another transaction holds the document.');
    return body(session);
  });
}

/** Returns the fields of the unique index that refused a write, as in `m,idem.k`. */
export function duplicateOf(error: unknown): string | undefined {
  if (!(error instanceof MongoServerError) || error.code !== 11_000) return undefined;
  const pattern = error['keyPattern'] as Record<string, unknown> | undefined;
  return Object.keys(pattern ?? {}).join(',');
}

/** Names of other temporary errors. Those of the driver come from a lost connection. */
const PASSING_NAMES = new Set([
  'MongoTopologyClosedError',
  'MongoNotConnectedError',
  'MongoClientClosedError',
  'MongoExpiredSessionError',
  'TransactionBlocked',
]);

/** Codes of Node's socket errors, which the driver does not wrap. */
const CONNECTION_CODE = /^(E[A-Z]+|ERR_(STREAM|SOCKET)_[A-Z_]+|ABORT_ERR)$/;

/**
 * Codes of temporary server errors. A server labels such an error only if the driver may retry the
 * command, so reads, writes to many documents and `ping` get no label.
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
  // The write was made, but a majority has not confirmed it in time.
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
 * Returns true if the database could not be reached, did not respond in time, or is changing its
 * primary. The write may or may not have been made, so repeat it with the same ids. Returns false
 * for refusals by the server, such as a duplicate, and for faults that no retry can fix.
 */
export function isUnavailable(error: unknown): boolean {
  // By name and code, because Node does not always use our class `Error`.
  const { name, code } = (error ?? {}) as { name?: unknown; code?: unknown };
  if (PASSING_NAMES.has(String(name)) || CONNECTION_CODE.test(String(code))) return true;
  if (!(error instanceof MongoServerError)) {
    // Neither a refusal by the server nor a misuse of the driver: a fault of the connection.
    return error instanceof MongoError && !(error instanceof MongoAPIError);
  }
  if (PASSING_CODES.has(Number(error.code))) return true;
  return PASSING_LABELS.some((label) => error.hasErrorLabel(label));
}
