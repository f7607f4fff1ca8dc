/** Limits one merchant's requests in this process, to leave room for other merchants. */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeRoom } from '../concurrency.ts';
import type { Room } from '../concurrency.ts';
import { makeTurns } from '../http/pace.ts';
import type { Pace } from '../http/pace.ts';
import { Refusal } from '../operations/refusal.ts';

/** The most requests that wait, run, or have a response that the merchant has not read yet. */
const MAX_AT_ONCE = 200;
/** The most bytes of responses that are not read yet: about 5 of the longest list pages. */
const MAX_UNSENT_BYTES = 16 * 1024 * 1024;
/**
 * The number of requests that run at once. The others wait. More would not finish sooner and would
 * slow down other merchants.
 */
const CALLS_AT_ONCE = 8;
/** The number of lists that run at once. The longest page takes 10 MB, and 50 ms to compose. */
const LISTS_AT_ONCE = 1;
/**
 * The rate for request and response bodies, which takes about half of a processor's time. The
 * longest list page is 3 MB.
 */
const BYTES_PER_SECOND = 16 * 1024 * 1024;
/** The burst of bytes that need not wait after a pause, in milliseconds of that rate. */
const FREE_MS = 125;
/** The longest wait for the merchant's other requests. After it a request is refused. */
const MAX_WAIT_MS = 3_000;
const RETRY_AFTER_SECONDS = '1';
/**
 * The rate of refused requests: 100 a second, 10 at once. More of them wait in their places, so a
 * flood of requests for unknown objects leaves the database to other merchants.
 */
const REFUSALS = { gapMs: 10, burst: 10 };

/**
 * The kind of a request. Each kind has its own room. Updates wait for a workflow, and must not
 * block the creation of payments while Temporal is unavailable.
 */
export type WorkKind = 'calls' | 'updates' | 'lists';

/** One admitted request of a merchant. */
export interface Admission {
  /** Waits until this number of bytes may be parsed. Refuses if that takes too long. */
  readonly receives: (this: void, bytes: number) => Promise<void>;
  /**
   * Does the work when there is room. Passes it the milliseconds that the request has waited,
   * including for its bytes. Refuses if it waited too long, or if too many bytes of responses are
   * unread.
   */
  work<T>(kind: WorkKind, work: (waitedMs: number) => Promise<T>): Promise<T>;
  /** Counts the bytes of the response until `leave`. */
  sends(bytes: number): void;
  /** Ends the request. Call it once, when the response is sent or the client is gone. */
  leave(): void;
}

/** Admits a request of the tenant. Refuses it if too many are under way. */
export type Admit = (tenant: string) => Admission;

interface Share {
  requests: number;
  unsentBytes: number;
  /** When the bytes so far no longer count, in milliseconds of `performance.now()`. */
  clearAtMs: number;
  readonly rooms: Readonly<Record<WorkKind, Room>>;
  /** Slows down refused requests. */
  readonly pace: Pace;
}

const tooMany = (message: string): Refusal =>
  new Refusal('too_many_requests', { message, headers: { 'Retry-After': RETRY_AFTER_SECONDS } });

const UNREAD = 'Too many unread responses; read them and try again.';
const AT_ONCE = `More than ${MAX_AT_ONCE} requests at once; wait for responses and try again.`;
const WAITED = 'Too many requests at once; send fewer of them at the same time.';

/** Creates the counts of one app. The counts of a merchant are deleted after its last request. */
export function makeAdmit(): Admit {
  const shares = new Map<string, Share>();
  return (tenant) => {
    const share = shares.get(tenant) ?? newShare();
    requireRead(share);
    if (share.requests >= MAX_AT_ONCE) throw tooMany(AT_ONCE);
    share.requests += 1;
    shares.set(tenant, share);
    let sentBytes = 0;
    let waitedMs = 0;
    const forget = (): void => {
      if (share.requests === 0 && clearsInMs(share) < 1) shares.delete(tenant);
    };
    return {
      async receives(bytes) {
        waitedMs += await waitForBytes(share, bytes);
      },
      work: async (kind, work) => {
        const waitingSinceMs = performance.now() - waitedMs;
        return share.rooms[kind](async () => workIn(share, waitingSinceMs, work));
      },
      sends(bytes) {
        sentBytes += bytes;
        share.unsentBytes += bytes;
        countBytes(share, bytes);
      },
      leave() {
        share.requests -= 1;
        share.unsentBytes -= sentBytes;
        if (share.requests === 0) setTimeout(forget, clearsInMs(share)).unref();
      },
    };
  };
}

const newShare = (): Share => ({
  requests: 0,
  unsentBytes: 0,
  clearAtMs: 0,
  rooms: {
    calls: makeRoom(CALLS_AT_ONCE),
    updates: makeRoom(CALLS_AT_ONCE),
    lists: makeRoom(LISTS_AT_ONCE),
  },
  pace: makeTurns(REFUSALS),
});

function requireRead({ unsentBytes }: Share): void {
  if (unsentBytes > MAX_UNSENT_BYTES) throw tooMany(UNREAD);
}

function countBytes(share: Share, bytes: number): void {
  share.clearAtMs = performance.now() + clearsInMs(share) + (bytes / BYTES_PER_SECOND) * 1000;
}

const clearsInMs = ({ clearAtMs }: Share): number => Math.max(0, clearAtMs - performance.now());

/** Counts the bytes, and waits until there is room for them. Returns the wait in milliseconds. */
async function waitForBytes(share: Share, bytes: number): Promise<number> {
  const ms = Math.max(0, clearsInMs(share) - FREE_MS);
  if (ms > MAX_WAIT_MS) throw tooMany(WAITED);
  countBytes(share, bytes);
  if (ms > 0) await sleep(ms);
  return ms;
}

/** Does the work of a request that has waited since `waitingSinceMs`. */
async function workIn<T>(
  share: Share,
  waitingSinceMs: number,
  work: (waitedMs: number) => Promise<T>,
): Promise<T> {
  await waitForBytes(share, 0);
  const waitedMs = performance.now() - waitingSinceMs;
  if (waitedMs > MAX_WAIT_MS) throw tooMany(WAITED);
  // Requests that ran meanwhile may have used up the limit.
  requireRead(share);
  return work(waitedMs).catch(async (error: unknown) => {
    if (error instanceof Refusal) await share.pace();
    throw error;
  });
}
