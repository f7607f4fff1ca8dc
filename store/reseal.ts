/**
 * Reseals the secrets of endpoints and authenticator apps with the current key while the service
 * runs. This includes deleted endpoints, so that no stored text needs a dropped key.
 */
import type { Endpoint } from '../domain/endpoint.ts';
import { sealedAsRead } from './endpoints.ts';
import type { Mongo } from './mongo.ts';
import { keyIdOf } from './seal.ts';
import type { Sealer } from './seal.ts';

/** Endpoints in a round trip. Their sealed texts are a few kilobytes each. */
const BATCH = 50;
/** The most tries to reseal an endpoint. A try fails if its secrets change meanwhile. */
const MAX_TRIES = 5;
/** The most endpoints in the report of unreadable secrets. */
const MAX_NAMED = 10;

type Secrets = Pick<Endpoint, 'secret' | 'previous_secrets'>;
type SealedRow = Secrets & Pick<Endpoint, '_id' | 'status'>;

/** A user with an authenticator app. */
interface SealedUser {
  readonly _id: string;
  readonly sealed: string;
}

/** The numbers of secrets. An endpoint has one, and more while old ones sign too. */
export interface Survey {
  /** The secrets sealed with the current key. */
  readonly current: number;
  /** The secrets sealed with each other key, by the key's id. Such a key is still needed. */
  readonly older: Readonly<Record<string, number>>;
  /** The secrets that no configured key opens, without those of deleted endpoints. */
  readonly unreadable: {
    readonly count: number;
    /** The ids of the missing keys. */
    readonly keys: readonly string[];
    readonly endpoints: readonly string[];
    /** The users who cannot sign in with their authenticator app. */
    readonly users: readonly string[];
  };
}

/**
 * Reseals every secret with the current key. Returns how many were resealed, and how many had the
 * current key already. May be interrupted, and may run twice at once. Skips unreadable secrets.
 */
export async function resealSecrets(mongo: Mongo, sealer: Sealer) {
  const sum = { resealed: 0, already: 0 };
  for await (const row of allEndpoints(mongo)) {
    sum.already += secretsOf(row).filter((sealed) => keyIdOf(sealed) === sealer.keyId).length;
    sum.resealed += await resealUntilDone(mongo, sealer, row);
  }
  for await (const user of allUsers(mongo)) {
    if (keyIdOf(user.sealed) === sealer.keyId) sum.already += 1;
    else if (await resealUser(mongo, sealer, user)) sum.resealed += 1;
  }
  return sum;
}

/** Counts the secrets by key, and tries to open each. Changes nothing. */
export async function surveySecrets(mongo: Mongo, sealer: Sealer): Promise<Survey> {
  const older: Record<string, number> = {};
  const lost = { count: 0, keys: new Set<string>() };
  const endpoints = new Set<string>();
  const users = new Set<string>();
  let current = 0;
  const count = (sealed: string, rowId: string, named: Set<string> | null): void => {
    const id = keyIdOf(sealed) ?? 'none';
    const opens = tryReseal(sealer, sealed, rowId) !== undefined;
    if (opens && id === sealer.keyId) current += 1;
    else if (opens) older[id] = (older[id] ?? 0) + 1;
    else if (named) {
      lost.count += 1;
      lost.keys.add(id);
      if (named.size < MAX_NAMED) named.add(rowId);
    }
  };
  for await (const { _id, status, ...secrets } of allEndpoints(mongo)) {
    // Nothing is sent to a deleted endpoint, so it does not need its secrets.
    const named = status === 'deleted' ? null : endpoints;
    for (const sealed of secretsOf(secrets)) count(sealed, _id, named);
  }
  for await (const { _id, sealed } of allUsers(mongo)) count(sealed, _id, users);
  const keys = [...lost.keys];
  const unreadable = { count: lost.count, keys, endpoints: [...endpoints], users: [...users] };
  return { current, older, unreadable };
}

/** Reseals a user's secret. Returns false if it is unreadable, or was replaced meanwhile. */
async function resealUser(mongo: Mongo, sealer: Sealer, { _id, sealed }: SealedUser) {
  const secret = tryReseal(sealer, sealed, _id);
  if (secret === undefined) return false;
  const asRead = { _id, 'second_step.secret': sealed };
  const set = { 'second_step.secret': secret };
  const { matchedCount } = await mongo.users.updateOne(asRead, { $set: set });
  return matchedCount === 1;
}

/**
 * Reseals an endpoint's secrets. Returns their number, or undefined if they have changed since the
 * row was read. Keeps `updated_at`, because no visible field changes.
 */
export async function resealEndpoint(mongo: Mongo, sealer: Sealer, row: SealedRow) {
  const reseal = <T extends { secret: string }>(old: T): T => ({
    ...old,
    secret: tryReseal(sealer, old.secret, row._id) ?? old.secret,
  });
  const { secret, previous_secrets: previous } = row;
  const after = {
    ...reseal({ secret }),
    ...(previous === undefined ? {} : { previous_secrets: previous.map(reseal) }),
  };
  const [before, now] = [secretsOf(row), secretsOf(after)];
  const changed = now.filter((sealed, n) => sealed !== before[n]).length;
  if (changed === 0) return 0;
  const asRead = { _id: row._id, ...sealedAsRead(row) };
  const { matchedCount } = await mongo.endpoints.updateOne(asRead, { $set: after });
  return matchedCount === 1 ? changed : undefined;
}

async function resealUntilDone(mongo: Mongo, sealer: Sealer, first: SealedRow): Promise<number> {
  let row: SealedRow | null = first;
  for (let round = 0; row !== null && round < MAX_TRIES; round += 1) {
    const resealed = await resealEndpoint(mongo, sealer, row);
    if (resealed !== undefined) return resealed;
    row = await mongo.endpoints.findOne({ _id: row._id }, { projection: SECRETS });
  }
  return 0;
}

const SECRETS = { status: 1, secret: 1, previous_secrets: 1 };

/** Yields all endpoints in pages by id, so that an election interrupts no cursor. */
async function* allEndpoints(mongo: Mongo): AsyncGenerator<SealedRow> {
  for (let after = ''; ;) {
    const found = mongo.endpoints.find({ _id: { $gt: after } }, { projection: SECRETS });
    const rows = await found.sort({ _id: 1 }).limit(BATCH).toArray();
    yield* rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?._id ?? after;
  }
}

/** Yields all users with an authenticator app, as `allEndpoints` does. */
async function* allUsers(mongo: Mongo): AsyncGenerator<SealedUser> {
  for (let after = ''; ;) {
    const found = mongo.users.find({ _id: { $gt: after } }, { projection: { second_step: 1 } });
    const rows = await found.sort({ _id: 1 }).limit(BATCH).toArray();
    for (const { _id, second_step: step } of rows) {
      if (step) yield { _id, sealed: step.secret };
    }
    if (rows.length < BATCH) return;
    after = rows.at(-1)?._id ?? after;
  }
}

function secretsOf({ secret, previous_secrets: previous = [] }: Secrets): string[] {
  return [secret, ...previous.map((old) => old.secret)];
}

/** Returns undefined if no configured key opens the text, so that the other secrets continue. */
function tryReseal(sealer: Sealer, sealed: string, rowId: string): string | undefined {
  try {
    return sealer.reseal(sealed, rowId);
  } catch {
    return undefined;
  }
}
