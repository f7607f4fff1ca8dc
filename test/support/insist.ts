/** Wishes that are repeated while a busy database has no time for them, as callers do. */
import { MongoServerError } from 'mongodb';
import { isUnavailable } from '../../store/mongo.ts';
import { until } from './until.ts';

/** Statuses after which callers try again: too many at once, and unavailable. */
const TRANSIENT = [429, 503];

/**
 * Repeats what many do at once to one document while it is given up for their conflicts: nothing
 * was written then. What a commit came to is found out by the driver itself.
 */
export async function insist<T>(act: () => Promise<T>): Promise<T> {
  const outcome = await until(
    async () => attempt(act),
    (it) => it !== undefined,
  );
  return outcome!.value;
}

async function attempt<T>(act: () => Promise<T>): Promise<{ value: T } | undefined> {
  try {
    return { value: await act() };
  } catch (error) {
    // What the server itself says of a conflict, a transaction has to deal with.
    if (error instanceof MongoServerError || !isUnavailable(error)) throw error;
    return undefined;
  }
}

/**
 * Makes `count` requests at once, and repeats each while its response is 429 or 503. The requests need a key
 * each, or all the same one, for which a repeat is the same wish.
 */
export async function askAtOnce<T extends { status: number }>(
  count: number,
  ask: (n: number) => Promise<T>,
): Promise<T[]> {
  const one = async (_: unknown, n: number) =>
    until(
      async () => ask(n),
      ({ status }) => !TRANSIENT.includes(status),
    );
  return Promise.all(Array.from({ length: count }, one));
}
