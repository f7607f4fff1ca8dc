/** Transactions that give up early enough for the caller to report it. */
import type { ClientSession } from 'mongodb';

export type Session = ClientSession;

/** A transaction takes milliseconds. One that is still in conflict after this time is blocked. */
const TRANSACTION_MS = 2_500;

/** The transaction failed because of conflicts. Nothing was written, and it may be repeated. */
class TransactionBlocked extends Error {
  override name = 'TransactionBlocked';
}

/**
 * Runs `body` in a transaction. Repeats it after conflicts for 2.5 s, then throws
 * `TransactionBlocked`. The driver alone would repeat it for two minutes. A writer that died inside
 * a transaction holds its documents for up to one minute, so the caller should retry later.
 */
export async function transact<T>(
  session: Session,
  body: (session: Session) => Promise<T>,
): Promise<T> {
  const until = Date.now() + TRANSACTION_MS;
  return session.withTransaction(async () => {
    if (Date.now() > until) throw new TransactionBlocked('Another transaction holds the document.');
    return body(session);
  });
}
