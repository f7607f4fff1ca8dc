/** One run of a delivery: at most one POST, its record, and what follows from the response. */
import { ApplicationFailure, ApplicationFailureCategory } from '@temporalio/common';
import { judgeAttempt, judgeFailure, plannedFailures, readRetryAfter } from '../domain/delivery.ts';
import type { AttemptVerdict, Delivery, DeliveryAttempt } from '../domain/delivery.ts';
import { liveSecrets } from '../domain/endpoint.ts';
import type { Endpoint } from '../domain/endpoint.ts';
import type { Event } from '../domain/event.ts';
import { parseUrl } from '../domain/url.ts';
import { publish } from '../facts.ts';
import {
  deliveryById,
  postponeDelivery,
  recordAttempt,
  stopDeliveriesOf,
  stopDelivery,
} from '../store/deliveries.ts';
import { endpointById, setFailingSince } from '../store/endpoints.ts';
import { eventById } from '../store/events.ts';
import type { Log } from '../log.ts';
import type { Mongo } from '../store/mongo.ts';
import { isStopped } from '../store/replays.ts';
import type { Sealer } from '../store/seal.ts';
import type { Temporal } from '../temporal/client.ts';
import { joinTrace, traceHeaders } from '../tracing/current.ts';
import { inSpan } from '../tracing/span.ts';
import type { DeliverInput } from '../workflows/messages.ts';
import { disable, hasFailedForTooLong } from './disable.ts';
import { RECORDED_FROM_MS } from '../outbound/gate.ts';
import type { Exchange, Gate, Pass } from '../outbound/gate.ts';
import type { Outbound, PostRequest, PostResult } from '../outbound/post.ts';
import { signatureHeaders } from '../outbound/sign.ts';

export interface DeliverDeps {
  mongo: Mongo;
  temporal: Pick<Temporal, 'startDelivery'>;
  outbound: Outbound;
  gate: Gate;
  sealer: Sealer;
  scheduleSeconds: readonly number[];
  /** For the `User-Agent`. */
  version: string;
  log: Pick<Log, 'info'>;
}

/** The delay before the row is read again if another run has recorded the attempt. */
const REREAD_MS = 1_000;

/**
 * Makes the next attempt of a delivery. Returns if nothing more is to be sent. Otherwise throws a
 * failure with the delay until the next attempt. The row counts the attempts, not Temporal, so a
 * run that died after its POST is repeated with the same number, id and bytes.
 */
export async function deliverWebhook(deps: DeliverDeps, input: DeliverInput): Promise<void> {
  const { mongo } = deps;
  const delivery = await deliveryById(mongo, input.delivery_id);
  if (!delivery || delivery.state !== 'pending') return;
  const endpoint = await endpointById(mongo, delivery.endpoint_id);
  if (!endpoint || endpoint.status !== 'enabled') return stopDelivery(mongo, delivery._id);
  const { replay_id: replayId } = delivery;
  if (replayId !== undefined && (await isStopped(mongo, replayId))) {
    return stopDelivery(mongo, delivery._id);
  }
  const earlyMs = (delivery.next_attempt_at?.getTime() ?? 0) - Date.now();
  if (earlyMs > 0) throw later('The next attempt is not due yet.', earlyMs);
  const pass = deps.gate.enter(endpoint, triggerOf(delivery));
  if ('waitMs' in pass) throw await postponed(mongo, delivery, pass.waitMs);
  const attempt = { delivery, endpoint, number: delivery.attempts.length + 1, at: new Date() };
  await conclude(deps, attempt, await sendThrough(deps, pass, attempt));
}

/** Returns the trigger for the gate. Somebody waits for a hastened attempt, as for a test. */
function triggerOf({ hastened, attempts, replay_id, trigger }: Delivery): Delivery['trigger'] {
  if (hastened?.number === attempts.length + 1) return 'test';
  return replay_id === undefined ? trigger : 'replay';
}

/** Returns the failure with the delay. Writes a long delay to the row, for people and the sweep. */
async function postponed(mongo: Mongo, delivery: Delivery, waitMs: number): Promise<Error> {
  if (waitMs >= RECORDED_FROM_MS) {
    await postponeDelivery(mongo, delivery, new Date(Date.now() + waitMs));
  }
  return later('Its receiver is busy.', waitMs);
}

interface Sent {
  request: PostRequest;
  result: PostResult;
}

/** Sends the attempt. Frees the gate's slot as soon as the response has arrived. */
async function sendThrough(deps: DeliverDeps, pass: Pass, attempt: Attempt): Promise<Sent> {
  let exchange: Exchange | null = null;
  try {
    const event = await eventById(deps.mongo, attempt.delivery.event_id);
    if (!event) throw new Error(`The event of ${attempt.delivery._id} is missing.`);
    const sent = await post(deps, attempt, event);
    const { status, durationMs: tookMs } = sent.result;
    exchange = { responded: status !== null, tookMs };
    return sent;
  } finally {
    pass.leave(exchange);
  }
}

interface Attempt {
  delivery: Delivery;
  endpoint: Endpoint;
  number: number;
  at: Date;
}

/** Sends the request as a span of the event's trace, which the receiver can continue. */
async function post(deps: DeliverDeps, attempt: Attempt, event: Event): Promise<Sent> {
  const { delivery, endpoint, number } = attempt;
  const attributes = {
    'http.request.method': 'POST',
    'server.address': parseUrl(endpoint.url)?.hostname,
    'tollgate.payment_id': event.payment_id ?? undefined,
    'tollgate.delivery_id': delivery._id,
    'tollgate.attempt': number,
  };
  const span = { name: 'POST webhook', kind: 'client', attributes } as const;
  return joinTrace(event.trace, async () =>
    inSpan(span, async (note) => {
      const request = compose(deps, attempt, event);
      const result = await deps.outbound.post(request);
      const { status, error } = result;
      note({ 'http.response.status_code': status ?? undefined }, error ?? undefined);
      return { request, result };
    }),
  );
}

/** Returns the request of an attempt: the event's stored bytes with new signatures. */
function compose(deps: DeliverDeps, attempt: Attempt, event: Event): PostRequest {
  const { delivery, endpoint, number, at } = attempt;
  const sealed = liveSecrets(endpoint, at);
  const secrets = sealed.map((secret) => deps.sealer.unseal(secret, endpoint._id));
  const timestamp = Math.floor(at.getTime() / 1000);
  return {
    url: endpoint.url,
    body: event.body,
    headers: {
      'Content-Type': 'application/json',
      'User-Agent': `Tollgate/${deps.version}`,
      'Service-Delivery': delivery._id,
      'Service-Attempt': String(number),
      ...signatureHeaders({ id: event._id, timestamp, body: event.body }, secrets),
      ...(event.trace ? traceHeaders() : {}),
    },
  };
}

async function conclude(deps: DeliverDeps, attempt: Attempt, sent: Sent): Promise<void> {
  const { mongo } = deps;
  const { delivery, endpoint, number, at } = attempt;
  const isPlanned = sent.result.error === null && number <= plannedFailures(sent.request.body);
  const result: PostResult = isPlanned ? { ...sent.result, error: 'planned' } : sent.result;
  const now = new Date();
  const record: DeliveryAttempt = {
    number,
    at,
    duration_ms: result.durationMs,
    status: result.status,
    error: result.error,
    request: { url: sent.request.url, headers: Object.entries(sent.request.headers) },
    response: result.response,
    timings: result.timings,
  };
  // Comes before the record, because after it a repeated run would find nothing to do.
  const { verdict, isDisabled } = await judgeResult(deps, attempt, { result, now });
  const retryMs = verdict.kind === 'retry' ? verdict.delayMs : null;
  const recorded = await recordAttempt(mongo, delivery, {
    attempt: record,
    state: retryMs !== null ? 'pending' : verdict.kind === 'succeeded' ? 'succeeded' : 'failed',
    nextAttemptAt: retryMs === null ? null : new Date(now.getTime() + retryMs),
  });
  deps.log.info(
    {
      delivery: delivery._id,
      endpoint: endpoint._id,
      attempt: number,
      status: result.status,
      error: result.error,
      ms: result.durationMs,
    },
    'delivery attempt made',
  );
  if (!recorded) throw later('Another run has recorded this attempt.', REREAD_MS);
  publishAttempt(attempt, { result, verdict, now });
  if (isDisabled) await stopDeliveriesOf(mongo, endpoint);
  const isGood = isPlanned || verdict.kind === 'succeeded';
  if (!delivery.once) await noteHealth(mongo, endpoint, isGood ? null : at);
  if (retryMs !== null) throw later(`Attempt ${number}: ${result.error ?? 'failed'}`, retryMs);
}

function publishAttempt(
  { delivery, number, at }: Attempt,
  { result, verdict, now }: { result: PostResult; verdict: AttemptVerdict; now: Date },
): void {
  const { status, error, durationMs } = result;
  const ended = { retry: null, succeeded: 'succeeded', gone: 'failed', failed: 'failed' } as const;
  const isAutomatic = (delivery.trigger ?? delivery.replay_id) === undefined;
  const since = (time: Date): number => time.getTime() - delivery.created_at.getTime();
  publish('attempt', {
    number,
    status,
    error,
    ended: ended[verdict.kind],
    durationMs,
    lagMs: isAutomatic ? { begin: since(at), end: since(now) } : null,
  });
}

/** Judges the response, and disables the endpoint if it is gone or has failed for too long. */
async function judgeResult(
  deps: DeliverDeps,
  { delivery, endpoint, number }: Attempt,
  { result, now }: { result: PostResult; now: Date },
): Promise<{ verdict: AttemptVerdict; isDisabled: boolean }> {
  const scheduleSeconds = deps.scheduleSeconds.slice(0, delivery.once ? 1 : undefined);
  const retryAfterMs = readRetryAfter(result.retryAfter, now.getTime());
  const judged = { number, retryAfterMs, scheduleSeconds, random: Math.random() };
  if (result.error === 'planned') return { verdict: judgeFailure(judged), isDisabled: false };
  const verdict = judgeAttempt({ ...judged, status: result.status });
  if (verdict.kind === 'gone') {
    const isDisabled = await disable(deps, endpoint, 'gone');
    // If the endpoint has another URL by now, the 410 is not about it.
    return { verdict: isDisabled ? verdict : judgeFailure(judged), isDisabled };
  }
  const givesUp = verdict.kind === 'failed' && !delivery.once && hasFailedForTooLong(endpoint, now);
  return { verdict, isDisabled: givesUp && (await disable(deps, endpoint, 'failing')) };
}

/** Records since when the endpoint has failed. Writes nothing unless that changes. */
async function noteHealth(mongo: Mongo, endpoint: Endpoint, failedAt: Date | null): Promise<void> {
  const failing = endpoint.failing_since !== null;
  if (failing === (failedAt !== null)) return;
  await setFailingSince(mongo, endpoint, failedAt);
}

/** Returns a failure that Temporal retries after the delay. It is benign: not an error of ours. */
function later(message: string, delayMs: number): ApplicationFailure {
  return ApplicationFailure.create({
    message,
    type: 'DeliveryPending',
    nextRetryDelay: delayMs,
    category: ApplicationFailureCategory.BENIGN,
  });
}
