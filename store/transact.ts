/** Transactions, which give up in time for their caller to say so. */
import type { ClientSession } from 'mongodb';

export type Session = ClientSession;

/** A transaction takes milliseconds; one that is still in conflict after so long is blocked. */
const TRANSACTION_MS = 2_500;

/** The transaction could not be done for conflicts; nothing was written, and it may be repeated. */
class TransactionBlocked extends Error {
  override name = 'TransactionBlocked';
}

/**
 * The driver repeats a transaction that met a conflict for two minutes. A writer that died in the
 * middle of its own holds its documents for up to one, so we give up sooner and come back later.
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
