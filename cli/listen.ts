/** `tollgate listen`: a merchant's events at a local address, with valid signatures. */
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
import type { Noticed } from './follow.ts';
import { forward } from './forward.ts';
import type { Forwarded, Forwarding } from './forward.ts';
import { isAccepted } from './post.ts';
import { checkEvents } from '../operations/checks.ts';
import { Refusal } from '../operations/refusal.ts';
import { parseStart } from './since.ts';
import type { Start } from './since.ts';

export interface ListenOptions extends AccessOptions {
  forwardTo: string;
  events?: string;
  since?: string;
  secret?: string;
  fromInput?: string;
  json?: boolean;
}

/** Soon enough for whoever watches, and one request of the hundred that the API allows. */
const POLL_MS = 1_000;
const BACK_OFF_MAX_MS = 30_000;
/** Without any event before, so much more repeats none, however wrong this machine's clock is. */
const HOUR_MS = 3_600_000;

interface Tally {
  forwarded: number;
  readonly failed: string[];
}

/** Follows and forwards until the signal aborts. Throws when the API refuses for good. */
export async function listen(options: ListenOptions, signal: AbortSignal): Promise<void> {
  const startedAt = new Date();
  const types = readTypes(options.events);
  const { start, seen } = parseStart(options.since, startedAt.getTime());
  const access = openAccess(options);
  const url = readReceiver(options.forwardTo, 'forward-to');
  const given = secretsOf(options.secret);
  const secrets = checkSecrets(given.length > 0 ? given : [makeWebhookSecret()]);
  const shown = given.length > 0 ? nameOf(options) : secrets.join(',');
  const follower = new Follower({
    client: access.client,
    types,
    signal,
    clock: () => performance.now(),
  });
  const tally: Tally = { forwarded: 0, failed: [] };
  const session = { access, follower, to: { url, secrets, signal }, tally, json: options.json };
  let hasBegun = false;
  try {
    await insist(session, async () => follower.begin(start, seen));
    hasBegun = true;
    say(session, {
      text:
        `Forwarding events of ${access.apiUrl} to ${url.href}\n` +
        `Signing secret: ${shown}\nCtrl-C stops.\n`,
      data: { listening: access.apiUrl, forward_to: url.href, secret: shown },
    });
    for (;;) {
      await insist(session, async () => forwardNew(session));
      await sleep(POLL_MS, undefined, { signal });
    }
  } catch (error) {
    // What has forwarded nothing is not to be gone on with.
    const isOfUse = tally.forwarded + tally.failed.length > 0;
    if (!signal.aborted && !isOfUse) throw explained(error);
    const place = hasBegun ? follower.place : { after: textOf(start, startedAt), seen };
    const after = place.after ?? textOf(start, new Date(startedAt.getTime() - HOUR_MS));
    sumUp(session, [after, ...place.seen].join(','));
    if (!signal.aborted) throw explained(error);
  }
}

/**
 * Returns a name for the secret, to be printed. A secret that came in private is not printed,
 * because a terminal's text is easily pasted somewhere.
 */
function nameOf({ secret, fromInput }: ListenOptions): string {
  if (secret === undefined) return 'that of TOLLGATE_WEBHOOK_SECRET';
  return secret === fromInput ? 'that of standard input' : secret;
}

/** The same start for another time; `now` is what "now" was. */
function textOf(start: Start, now: Date): string {
  if (start.kind === 'event') return start.id;
  return (start.kind === 'time' ? new Date(start.atMs) : now).toISOString();
}

interface Session {
  readonly access: Access;
  readonly follower: Follower;
  readonly to: Forwarding;
  readonly tally: Tally;
  readonly json: boolean | undefined;
}

function readTypes(list: string | undefined): readonly EventSelector[] | undefined {
  const selectors = checkEvents(list ?? '*');
  return selectors.includes('*') ? undefined : (selectors as EventSelector[]);
}

async function forwardNew({ access, follower, to, tally, json }: Session): Promise<void> {
  for await (const event of follower.round()) {
    const body = await access.readRaw(event.id, to.signal);
    const result = await forward({ id: event.id, body }, to);
    if (isAccepted(result)) tally.forwarded += 1;
    else tally.failed.push(event.id);
    say({ json }, lineOf(event, result));
  }
}

/** Repeats it while the API cannot be asked, ever more slowly; says so once. */
async function insist(session: Session, work: () => Promise<void>): Promise<void> {
  const { signal } = session.to;
  for (let failures = 0; ; failures += 1) {
    try {
      await work();
      if (failures > 0) say(session, { text: 'The API answers again.', data: { api: 'back' } });
      return;
    } catch (error) {
      signal.throwIfAborted();
      const waitMs = waitOf(error, failures);
      if (waitMs === undefined) throw error;
      const said = sentenceOf(error);
      if (failures === 0) say(session, { text: `Trying again: ${said}`, data: { api: said } });
      await sleep(waitMs, undefined, { signal });
    }
  }
}

/** Undefined when the API will say the same again. */
function waitOf(error: unknown, failures: number): number | undefined {
  const isOurs = error instanceof TollgateApiError || error instanceof TollgateConnectionError;
  if (!isOurs || !error.retryable) return undefined;
  const ownMs = Math.min(BACK_OFF_MAX_MS, POLL_MS * 2 ** failures);
  const askedSeconds = error instanceof TollgateApiError ? error.retryAfterSeconds : null;
  return Math.max(ownMs, (askedSeconds ?? 0) * 1_000);
}

function explained(error: unknown): unknown {
  if (!(error instanceof TollgateApiError) || error.code !== 'cursor_invalid') return error;
  const message = 'There is no such event to go on from: give --since a time, such as 1h.';
  return new Refusal('cursor_invalid', { message, param: 'since' });
}

interface Said {
  readonly text: string;
  readonly data: object;
}

function say({ json }: { json: boolean | undefined }, { text, data }: Said): void {
  console.log(json ? JSON.stringify(data) : text);
}

const TYPE_WIDTH = Math.max(...EVENT_TYPES.map(({ length }) => length));

function lineOf({ id, type }: Noticed, result: Forwarded): Said {
  const { status, error, attempts, durationMs, delivery } = result;
  const at = new Date().toISOString();
  const outcome = status === null ? `failed: ${error}` : `${status}  ${durationMs} ms`;
  const tried = attempts > 1 ? ` (attempt ${attempts})` : '';
  const text = `${at.slice(11, 19)}  ${type.padEnd(TYPE_WIDTH)}  ${id}  ${outcome}${tried}`;
  const duration_ms = durationMs;
  const accepted = isAccepted(result);
  return { text, data: { at, type, id, delivery, accepted, status, error, attempts, duration_ms } };
}

function sumUp(session: Session, since: string): void {
  const { forwarded, failed } = session.tally;
  const went = `\n${forwarded} forwarded, ${failed.length} failed.`;
  const lost = failed.length > 0 ? `\nNot accepted: ${failed.join(', ')}` : '';
  const text = `${went}${lost}\nGo on from here with: --since ${since}`;
  say(session, { text, data: { forwarded, failed, since } });
}
