/**
 * The request log, for the merchant's developers. Requests are noted in memory and written in
 * batches, so no request waits for it or fails because of it. What does not fit is dropped and
 * counted. A crash loses at most the last second.
 */
import { setImmediate } from 'node:timers/promises';
import type { Middleware } from 'koa';
import { safeBody, safeText, tagsOf } from '../domain/call.ts';
import type { Call } from '../domain/call.ts';
import type { Log } from '../log.ts';
import { insertCalls } from '../store/calls.ts';
import type { Mongo } from '../store/mongo.ts';
import type { ApiState, NotedCall as Noted, RequestLog } from './call.ts';
import { pathForLog } from './errors.ts';
import {
  advanceSchema,
  cancelSchema,
  outcomeSchema,
  paymentSchema,
  refundSchema,
} from './schemas.ts';
import { updateSchema } from './update.ts';

const FLUSH_EVERY_MS = 1_000;
/** The most requests in memory. With their bodies they take about 1 MB. */
const MAX_NOTED = 500;
/** The most requests of a tenant per flush. More are dropped, and failed ones are kept first. */
const MAX_SUCCESSES = 20;
const MAX_FAILURES = 50;
/** The most tenants whose dropped requests are counted. */
const MAX_COUNTED = 1_000;
const WARN_EVERY_MS = 60_000;
/** The rows that are prepared without letting requests go first. */
const ROWS_AT_ONCE = 5;
/** The longest body that is kept, and the most characters of all bodies in memory. */
const MAX_BODY_CHARS = 16_384;
const MAX_BODIES_CHARS = 512 * 1_024;

/** The parameters of all calls. */
const PARAMETERS = new Set(
  [paymentSchema, refundSchema, updateSchema, cancelSchema, outcomeSchema, advanceSchema].flatMap(
    ({ properties }) => Object.keys(properties),
  ),
);

/** Creates the log of one process. `close` writes what is left. */
export function makeRequestLog({ mongo, log }: { mongo: Mongo; log: Pick<Log, 'warn'> }) {
  let noted: Noted[] = [];
  let bodiesChars = 0;
  let ofTenants = new Map<string, { successes: number; failures: number }>();
  const omitted = new Map<string, number>();
  let dropped = 0;
  let warnedAtMs = 0;
  let timer: NodeJS.Timeout | undefined;
  let writing = Promise.resolve();

  function drop(tenant: string): void {
    dropped += 1;
    count(tenant, 1);
  }

  function count(tenant: string, number: number): void {
    if (omitted.size >= MAX_COUNTED && !omitted.has(tenant)) return;
    omitted.set(tenant, (omitted.get(tenant) ?? 0) + number);
  }

  /** Counts the request of its tenant. Returns false if the tenant has too many of its kind. */
  function isWithinShare({ m, error }: Noted): boolean {
    const counts = ofTenants.get(m) ?? { successes: 0, failures: 0 };
    ofTenants.set(m, counts);
    if (error === null) return (counts.successes += 1) <= MAX_SUCCESSES;
    return (counts.failures += 1) <= MAX_FAILURES;
  }

  /** Makes room for a failed request in place of a successful one. */
  function makeRoomFor({ error }: Noted): boolean {
    if (noted.length < MAX_NOTED) return true;
    const index = error === null ? -1 : noted.findLastIndex((each) => each.error === null);
    const [evicted] = index === -1 ? [] : noted.splice(index, 1);
    if (evicted) drop(evicted.m);
    return evicted !== undefined;
  }

  /** Returns the body, or an empty text if it is too long to be kept. */
  function keepBody(body: string): string {
    if (body.length > MAX_BODY_CHARS || bodiesChars + body.length > MAX_BODIES_CHARS) return '';
    bodiesChars += body.length;
    return body;
  }

  function rowOf(call: Noted): Call {
    const { text = null, isCut = call.body === '' } = call.body
      ? safeBody(call.body, PARAMETERS)
      : {};
    const missing = omitted.get(call.m);
    omitted.delete(call.m);
    return {
      ...call,
      error: call.error && { ...call.error, message: safeText(call.error.message) },
      body: text,
      is_cut: isCut,
      ...(missing === undefined ? {} : { omitted: missing }),
      tags: tagsOf(call),
    };
  }

  async function write(calls: readonly Noted[]): Promise<void> {
    const rows: Call[] = [];
    try {
      // The newest row of a tenant has the number of those that are missing before it.
      for (const call of calls.toReversed()) {
        rows.push(rowOf(call));
        // Requests go first: the search for card numbers takes time.
        if (rows.length % ROWS_AT_ONCE === 0) await setImmediate();
      }
      await insertCalls(mongo, rows.toReversed());
    } catch (error) {
      for (const { m, omitted: missing = 0 } of rows) {
        drop(m);
        count(m, missing);
      }
      warn(error);
    }
    if (dropped > 0) warn(undefined);
  }

  function warn(error: unknown): void {
    if (Date.now() - warnedAtMs < WARN_EVERY_MS) return;
    warnedAtMs = Date.now();
    log.warn({ err: error, dropped }, 'requests are missing in the request log');
    dropped = 0;
  }

  /** Writes what is in memory, after an earlier write. So at most two batches are in memory. */
  async function writeAfter(earlier: Promise<void>): Promise<void> {
    await earlier;
    const calls = noted;
    noted = [];
    ofTenants = new Map();
    bodiesChars = 0;
    if (calls.length > 0) await write(calls);
  }

  async function flush(): Promise<void> {
    clearTimeout(timer);
    timer = undefined;
    writing = writeAfter(writing);
    return writing;
  }

  return {
    note(call: Noted): void {
      if (!isWithinShare(call) || !makeRoomFor(call)) return drop(call.m);
      noted.push({ ...call, body: call.body && keepBody(call.body) });
      timer ??= setTimeout(() => void flush(), FLUSH_EVERY_MS).unref();
    },
    flush,
    close: flush,
  };
}

/** Creates the middleware that notes every request with a known key. */
export function noteRequests(requestLog: RequestLog): Middleware<ApiState> {
  return async (ctx, next) => {
    const startedMs = performance.now();
    const at = new Date();
    await next();
    const { requestId, keyTenant, keyId, refused, body, objectId } = ctx.state;
    if (keyTenant === undefined || keyId === undefined) return;
    requestLog.note({
      _id: requestId,
      m: keyTenant,
      at,
      method: ctx.method,
      path: pathForLog(ctx.path),
      status: ctx.status,
      error: refused ?? null,
      key_id: keyId,
      duration_ms: Math.round(performance.now() - startedMs),
      body: body ?? null,
      object_id: objectId ?? null,
    });
  };
}
