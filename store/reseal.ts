/**
 * Putting the secrets of endpoints under the key in use, while the service works on them. Deleted
 * endpoints count too: no text may be left behind that only a dropped key opens.
 */
import type { Endpoint } from '../domain/endpoint.ts';
import { sealedAsRead } from './endpoints.ts';
import type { Mongo } from './mongo.ts';
import { keyIdOf } from './seal.ts';
import type { Sealer } from './seal.ts';

/** Endpoints read at once: their sealed texts are a few kilobytes each. */
const BATCH = 50;
/** Each other writer in between costs a look more; what is still busy then is left and counted. */
const MAX_TRIES = 5;
/** Endpoints that are named when a secret of theirs cannot be opened. */
const MAX_NAMED = 10;

type Secrets = Pick<Endpoint, 'secret' | 'previous_secrets'>;
type SealedRow = Pick<Endpoint, '_id' | 'status' | 'secret' | 'previous_secrets'>;

/** What there is, counted in secrets: an endpoint has one, and more while old ones sign too. */
export interface Survey {
  /** Those under the key in use. */
  readonly current: number;
  /** Those under each other key, by its id; the key is needed as long as it stands here. */
  readonly older: Readonly<Record<string, number>>;
  /** Those that no configured key opens, of endpoints that are not deleted. */
  readonly unreadable: {
    readonly count: number;
    /** The ids of the keys that they name. */
    readonly keys: readonly string[];
    /** The first of their endpoints. */
    readonly endpoints: readonly string[];
  };
}

/**
 * Puts every secret under the key in use that is not, one endpoint at a time, and answers how many
 * that were and how many were there before. It may run twice at once and be broken off at any
 * point. What no configured key opens stays as it is.
 */
export async function resealSecrets(
  mongo: Mongo,
  sealer: Sealer,
): Promise<{ resealed: number; already: number }> {
  const sum = { resealed: 0, already: 0 };
  for await (const row of walk(mongo)) {
    sum.already += secretsOf(row).filter((sealed) => keyIdOf(sealed) === sealer.keyId).length;
    sum.resealed += await resealUntilDone(mongo, sealer, row);
  }
  return sum;
}

/** Counts the secrets by key, and tries to open each. Changes nothing. */
export async function surveySecrets(mongo: Mongo, sealer: Sealer): Promise<Survey> {
  const older: Record<string, number> = {};
  const lost = { count: 0, keys: new Set<string>(), endpoints: new Set<string>() };
  let current = 0;
  for await (const { _id, status, ...secrets } of walk(mongo)) {
    for (const sealed of secretsOf(secrets)) {
      const id = keyIdOf(sealed) ?? 'none';
      const opens = tryReseal(sealer, sealed, _id) !== undefined;
      if (opens && id === sealer.keyId) current += 1;
      else if (opens) older[id] = (older[id] ?? 0) + 1;
      // A deleted endpoint is sent nothing for ever, so what is lost of it is no loss.
      else if (status !== 'deleted') {
        lost.count += 1;
        lost.keys.add(id);
        if (lost.endpoints.size < MAX_NAMED) lost.endpoints.add(_id);
      }
    }
  }
  const { count, keys, endpoints } = lost;
  return { current, older, unreadable: { count, keys: [...keys], endpoints: [...endpoints] } };
}

/**
 * Puts an endpoint's secrets under the key in use if they are as they were read, and answers how
 * many that were; undefined when somebody else has written them meanwhile. `updated_at` stays:
 * nothing that people see has changed.
 */
export async function resealEndpoint(
  mongo: Mongo,
  sealer: Sealer,
  row: SealedRow,
): Promise<number | undefined> {
  const reseal = (sealed: string): string => tryReseal(sealer, sealed, row._id) ?? sealed;
  const previous = row.previous_secrets?.map((old) => ({ ...old, secret: reseal(old.secret) }));
  const after = {
    secret: reseal(row.secret),
    ...(previous === undefined ? {} : { previous_secrets: previous }),
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

/** Every endpoint, oldest first, by its id. */
async function* walk(mongo: Mongo): AsyncGenerator<SealedRow> {
  let after = '';
  for (;;) {
    const found = mongo.endpoints.find({ _id: { $gt: after } }, { projection: SECRETS });
    const rows = await found.sort({ _id: 1 }).limit(BATCH).toArray();
    yield* rows;
    if (rows.length < BATCH) return;
    after = rows.at(-1)?._id ?? after;
  }
}

function secretsOf({ secret, previous_secrets: previous = [] }: Secrets): string[] {
  return [secret, ...previous.map((old) => old.secret)];
}

/** Undefined when no configured key opens it: one lost secret must not keep the others waiting. */
function tryReseal(sealer: Sealer, sealed: string, rowId: string): string | undefined {
  try {
    return sealer.reseal(sealed, rowId);
  } catch {
    return undefined;
  }
}
