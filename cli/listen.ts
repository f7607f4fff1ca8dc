/** `tollgate listen`: forwards a merchant's events to a local address, with valid signatures. */
import { setTimeout as sleep } from 'node:timers/promises';
import { makeWebhookSecret } from '../outbound/sign.ts';
import { EVENT_TYPES } from '../domain/event.ts';
import { TollgateApiError, TollgateConnectionError } from '../sdk/errors.ts';
import type { EventSelector } from '../sdk/events.ts';
import { checkSecrets } from '../sdk/signatures.ts';
import { openAccess, readReceiver, secretsOf } from './access.ts';
import type { Access, AccessOptions } from './access.ts';
import { sentenceOf } from './complain.ts';
import { Follower } from './follow.ts';
import type { EventNotice } from './follow.ts';
import { forward } from './forward.ts';
import type { Forwarded, Target } from './forward.ts';
import { isAccepted } from '../check/exchange.ts';
import { checkEvents } from '../operations/checks.ts';
import { Refusal } from '../operations/refusal.ts';
import { parseStart } from './since.ts';
import type { Start } from './since.ts';

interface ListenOptions extends AccessOptions {
  forwardTo: string;
  events?: string;
  since?: string;
  secret?: string;
  fromInput?: string;
  json?: boolean;
}

/** The interval between two reads. The API allows a hundred requests in this time. */
const POLL_MS = 1_000;
const BACK_OFF_MAX_MS = 30_000;
/** How far back to continue if there was no event yet, because this clock may be wrong. */
const HOUR_MS = 3_600_000;

/** Forwards events until Ctrl-C, and then prints how to continue. A second Ctrl-C exits at once. */
export async function listen(options: ListenOptions): Promise<void> {
  const stop = new AbortController();
  const abort = (): void => stop.abort();
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) process.once(name, abort);
  try {
    await listenUntil(stop.signal, options);
  } finally {
    for (const name of signals) process.off(name, abort);
  }
}

/** Forwards events until `signal` aborts. Throws if the API refuses and a retry cannot help. */
async function listenUntil(signal: AbortSignal, options: ListenOptions): Promise<void> {
  const startedAt = new Date();
  const types = readTypes(options.events);
  const { start, seen } = parseStart(options.since, startedAt.getTime());
  const access = openAccess(options);
  const url = readReceiver(options.forwardTo, 'forward-to');
  const given = secretsOf(options.secret);
  const secrets = checkSecrets(given.length > 0 ? given : [makeWebhookSecret()]);
  const shown = given.length > 0 ? nameOf(options) : secrets.join(',');
  const { client } = access;
  const follower = new Follower({ client, types, signal, clock: () => performance.now() });
  const to = { url, secrets, signal };
  const session: Session = { access, follower, to, json: options.json, forwarded: 0, failed: [] };
  let hasBegun = false;
  try {
    await retry(session, async () => follower.begin(start, seen));
    hasBegun = true;
    const data = { listening: access.apiUrl, forward_to: url.href, secret: shown };
    const text = `Forwarding events of ${access.apiUrl} to ${url.href}\nSigning secret: ${shown}`;
    print(session, data, `${text}\nCtrl-C stops.\n`);
    for (;;) {
      await retry(session, async () => forwardNew(session));
      await sleep(POLL_MS, undefined, { signal });
    }
  } catch (error) {
    const hasForwarded = session.forwarded + session.failed.length > 0;
    if (!signal.aborted && !hasForwarded) throw explained(error);
    const place = hasBegun ? follower.place : { after: textOf(start, startedAt), seen };
    const after = place.after ?? textOf(start, new Date(startedAt.getTime() - HOUR_MS));
    printSummary(session, [after, ...place.seen].join(','));
    if (!signal.aborted) throw explained(error);
  }
}

/**
 * Returns the text to print for the secret. A secret from a private source is not printed, because
 * people paste terminal output elsewhere.
 */
function nameOf({ secret, fromInput }: ListenOptions): string {
  if (secret === undefined) return 'that of TOLLGATE_WEBHOOK_SECRET';
  return secret === fromInput ? 'that of standard input' : secret;
}

/** Returns the start as a value of `--since`. `now` is the time of the start "now". */
function textOf(start: Start, now: Date): string {
  if (start.kind === 'event') return start.id;
  return (start.kind === 'time' ? new Date(start.atMs) : now).toISOString();
}

interface Session {
  readonly access: Access;
  readonly follower: Follower;
  readonly to: Target;
  readonly json: boolean | undefined;
  forwarded: number;
  /** The ids of the events that the receiver did not accept. */
  readonly failed: string[];
}

function readTypes(list: string | undefined): readonly EventSelector[] | undefined {
  const selectors = checkEvents(list ?? '*');
  return selectors.includes('*') ? undefined : (selectors as EventSelector[]);
}

async function forwardNew(session: Session): Promise<void> {
  const { access, follower, to, failed } = session;
  for await (const event of follower.round()) {
    const body = await access.readRaw(event.id, to.signal);
    const result = await forward({ id: event.id, body }, to);
    if (isAccepted(result)) session.forwarded += 1;
    else failed.push(event.id);
    printResult(session, event, result);
  }
}

/** Retries the work, with backoff, while the API is unavailable. Prints the reason once. */
async function retry(session: Session, work: () => Promise<void>): Promise<void> {
  const { signal } = session.to;
  for (let failures = 0; ; failures += 1) {
    try {
      await work();
      if (failures > 0) print(session, { api: 'back' }, 'The API responds again.');
      return;
    } catch (error) {
      signal.throwIfAborted();
      const waitMs = waitOf(error, failures);
      if (waitMs === undefined) throw error;
      const why = sentenceOf(error);
      if (failures === 0) print(session, { api: why }, `Trying again: ${why}`);
      await sleep(waitMs, undefined, { signal });
    }
  }
}

/** Returns the wait before the next try; undefined if a retry cannot help. */
function waitOf(error: unknown, failures: number): number | undefined {
  const isKnown = error instanceof TollgateApiError || error instanceof TollgateConnectionError;
  if (!isKnown || !error.retryable) return undefined;
  const ownMs = Math.min(BACK_OFF_MAX_MS, POLL_MS * 2 ** failures);
  const askedSeconds = error instanceof TollgateApiError ? error.retryAfterSeconds : null;
  return Math.max(ownMs, (askedSeconds ?? 0) * 1_000);
}

function explained(error: unknown): unknown {
  if (!(error instanceof TollgateApiError) || error.code !== 'cursor_invalid') return error;
  const message = 'There is no such event to continue from: give --since a time, such as 1h.';
  return new Refusal('cursor_invalid', { message, param: 'since' });
}

function print({ json }: Session, data: object, text: string): void {
  console.log(json ? JSON.stringify(data) : text);
}

const TYPE_WIDTH = Math.max(...EVENT_TYPES.map(({ length }) => length));

function printResult(session: Session, { id, type }: EventNotice, result: Forwarded): void {
  const { status, error, attempts, durationMs, delivery } = result;
  const at = new Date().toISOString();
  const outcome = status === null ? `failed: ${error}` : `${status}  ${durationMs} ms`;
  const tried = attempts > 1 ? ` (attempt ${attempts})` : '';
  const text = `${at.slice(11, 19)}  ${type.padEnd(TYPE_WIDTH)}  ${id}  ${outcome}${tried}`;
  const accepted = isAccepted(result);
  const data = { at, type, id, delivery, accepted, status, error, attempts };
  print(session, { ...data, duration_ms: durationMs }, text);
}

function printSummary(session: Session, since: string): void {
  const { forwarded, failed } = session;
  const counts = `\n${forwarded} forwarded, ${failed.length} failed.`;
  const lost = failed.length > 0 ? `\nNot accepted: ${failed.join(', ')}` : '';
  const text = `${counts}${lost}\nContinue from here with: --since ${since}`;
  print(session, { forwarded, failed, since }, text);
}
