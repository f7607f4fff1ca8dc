/**
 * Requests that create no other document (cancel, test outcome). The row has the reason and the
 * idempotency key, which are not in the workflow's message. Rows are kept for 7 days.
 */
import { mintId } from './mint.ts';
import { duplicateOf } from './mongo.ts';
import type { Mongo, Session } from './mongo.ts';
import type { RequestRow } from './rows.ts';

/** The number of tries to claim a key. A refusal may free it between our write and read. */
const MAX_CLAIMS = 2;

/**
 * Claims the key of a request, and returns its row. If the key was used before, returns the row of
 * the first request, so that a repeat has the same id and one effect. Throws the duplicate of
 * `m,op,k` until a majority of the database has the first row.
 */
export async function claimRequest(
  mongo: Mongo,
  request: Omit<RequestRow, '_id'> & { _id?: string },
): Promise<{ row: RequestRow; repeated: boolean }> {
  const row = { ...request, _id: request._id ?? mintId('request') };
  for (let claim = 1; ; claim += 1) {
    try {
      await mongo.requests.insertOne(row);
      return { row, repeated: false };
    } catch (error) {
      if (duplicateOf(error) === undefined || row.k === undefined) throw error;
      const first = await mongo.requests.findOne({ m: row.m, op: row.op, k: row.k });
      if (first) return { row: first, repeated: true };
      if (claim === MAX_CLAIMS) throw error;
    }
  }
}

/** Returns the first request of the operation with the key, or null. */
export async function requestByKey(
  mongo: Mongo,
  key: Required<Pick<RequestRow, 'm' | 'op' | 'k'>>,
): Promise<RequestRow | null> {
  return mongo.requests.findOne(key);
}

/**
 * Stores the response to a successful request, unless one is stored already. Returns the stored
 * response. `isFirst` is true if it is this one.
 */
export async function storeResponse(mongo: Mongo, id: string, response: string) {
  if (await storeFirst(mongo, { id, text: response })) return { response, isFirst: true };
  const first = (await findRequest(mongo, id))?.response;
  return { response: first ?? response, isFirst: first === undefined };
}

/** Stores the response, unless the request has one or is gone. Returns true if it is stored. */
export async function storeFirst(
  mongo: Mongo,
  { id, text }: { readonly id: string; readonly text: string },
  session?: Session,
): Promise<boolean> {
  const open = { _id: id, response: { $exists: false } };
  const set = { $set: { response: text } };
  const written = await mongo.requests.updateOne(open, set, session ? { session } : {});
  return written.matchedCount === 1;
}

/** Deletes a request that was refused: it had no effect, and its key is free again. */
export async function forgetRequest(mongo: Mongo, id: string): Promise<void> {
  await mongo.requests.deleteOne({ _id: id, response: { $exists: false } });
}

export async function findRequest(mongo: Mongo, id: string): Promise<RequestRow | null> {
  return mongo.requests.findOne({ _id: id });
}
