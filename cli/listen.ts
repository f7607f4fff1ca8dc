/** `tollgate listen`: forwards a merchant's events to a local address, with valid signatures. */
import { setTimeout as sleep } from 'node:timers/promises';
import { TollgateApiError, TollgateConnectionError } from '../sdk/errors.ts';
import type { EventSelector } from '../sdk/events.ts';
import { checkSecrets } from '../sdk/signatures.ts';
import { openAccess, readReceiver, secretsOf } from './access.ts';
import type { Access, AccessOptions } from './access.ts';
import { sentenceOf } from './complain.ts';
import { Follower } from './follow.ts';
import type { EventNotice } from './follow.ts';
import { forward } from './forward.ts';
import { keepSecret } from './kept-secret.ts';
import { Printer } from './listen-words.ts';
import { missing } from './refusals.ts';
import { isAccepted } from '../check/exchange.ts';
import { checkEvents } from '../operations/checks.ts';
import { Refusal } from '../operations/refusal.ts';
import { parseStart } from './since.ts';
import type { Start } from './since.ts';

interface ListenOptions extends AccessOptions {
  forwardTo?: string;
  /** Shows the events, and sends them nowhere. */
  print?: boolean;
  body?: boolean;
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
  const url = readTarget(options);
  const found = secretsOf(options.secret);
  const given = found.length > 0 ? checkSecrets(found) : found;
  const { client } = access;
  const follower = new Follower({ client, types, signal, clock: () => performance.now() });
  const printer = new Printer(options);
  const session: Session = { access, follower, signal, printer, forwarded: 0, failed: [] };
  let hasBegun = false;
  try {
    await retry(session, async () => follower.begin(start, seen));
    hasBegun = true;
    const handle = makeHandler(session, url, { options, given });
    for (;;) {
      await retry(session, async () => readNew(session, handle));
      await sleep(POLL_MS, undefined, { signal });
    }
  } catch (error) {
    const hasForwarded = session.forwarded + session.failed.length > 0;
    if (!signal.aborted && !hasForwarded) throw explained(error);
    const place = hasBegun ? follower.place : { after: textOf(start, startedAt), seen };
    const after = place.after ?? textOf(start, new Date(startedAt.getTime() - HOUR_MS));
    const { forwarded, failed } = session;
    printer.summary({ forwarded, failed, since: [after, ...place.seen].join(',') });
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
  readonly signal: AbortSignal;
  readonly printer: Printer;
  forwarded: number;
  /** The ids of the events that the receiver did not accept. */
  readonly failed: string[];
}

function readTypes(list: string | undefined): readonly EventSelector[] | undefined {
  const selectors = checkEvents(list ?? '*');
  return selectors.includes('*') ? undefined : (selectors as EventSelector[]);
}

/** Returns the receiver's address; undefined if the events are only shown. */
function readTarget({ forwardTo, print }: ListenOptions): URL | undefined {
  if (forwardTo !== undefined) return readReceiver(forwardTo, 'forward-to');
  if (print) return undefined;
  const advice = 'Give --forward-to localhost:9000/webhooks, or --print to only see the events.';
  throw missing('forward-to', `There is nowhere to send events. ${advice}`);
}

type Notice = EventNotice & { readonly body: string };
/** Handles an event. Returns false if its receiver did not accept it. */
type Handler = (event: Notice) => Promise<boolean>;

/** Prints the beginning, and returns what to do with each event. */
function makeHandler(
  { access, signal, printer }: Session,
  url: URL | undefined,
  { options, given }: { options: ListenOptions; given: readonly string[] },
): Handler {
  const { apiUrl } = access;
  if (url === undefined) {
    printer.print({ listening: apiUrl }, `Showing events of ${apiUrl}\nCtrl-C stops.\n`);
    return async (event) => {
      printer.event(event);
      return true;
    };
  }
  const kept = given.length > 0 ? undefined : keepSecret(access.stateFolder, access);
  const secret = kept?.secret ?? nameOf(options);
  const secrets = kept ? [kept.secret] : given;
  const place = kept ? ` (${kept.place})` : '';
  const text = `Forwarding events of ${apiUrl} to ${url.href}\nSigning secret: ${secret}${place}`;
  const data = { listening: apiUrl, forward_to: url.href, secret };
  printer.print(data, `${text}\nCtrl-C stops.\n`);
  return async (event) => {
    let accepted = false;
    for await (const result of forward(event, { url, secrets, signal })) {
      printer.result(event, result);
      accepted = isAccepted(result);
    }
    return accepted;
  };
}

async function readNew(session: Session, handle: Handler): Promise<void> {
  const { access, follower, failed, signal } = session;
  for await (const event of follower.round()) {
    const body = await access.readRaw(event.id, signal);
    if (await handle({ ...event, body })) {
      session.forwarded += 1;
      continue;
    }
    failed.push(event.id);
    follower.refuse(event.id);
  }
}

/** Retries the work, with backoff, while the API is unavailable. Prints the reason once. */
async function retry(session: Session, work: () => Promise<void>): Promise<void> {
  const { signal, printer } = session;
  for (let failures = 0; ; failures += 1) {
    try {
      await work();
      if (failures > 0) printer.print({ api: 'back' }, 'The API responds again.');
      return;
    } catch (error) {
      signal.throwIfAborted();
      const waitMs = waitOf(error, failures);
      if (waitMs === undefined) throw error;
      const why = sentenceOf(error);
      if (failures === 0) printer.print({ api: why }, `Trying again: ${why}`);
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
