/** Receivers that fail at first, workers that are killed, and records of both. */
import { randomInt } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../support/port.ts';
import { emitEvent } from '../../store/emit.ts';
import type { Mongo } from '../../store/mongo.ts';
import type { Temporal } from '../../temporal/client.ts';
import { makePayment } from '../support/rows/payment.ts';
import type { Deployment } from '../support/servers/deployment.ts';
import type { Program } from '../support/servers/programs.ts';
import type { Proxy } from '../support/servers/proxy.ts';
import type { Behaviour, Received } from '../support/receiver.ts';
import { makeEventAbout } from '../support/rows/event.ts';

/** Returns a generator of numbers in [0, 1) from a seed (Marsaglia's xorshift over 32 bits). */
export function makeRandom(seed: number): () => number {
  // A state of zero would stay zero. Small seeds need some rounds to differ.
  let state = (Math.imul(seed ^ 0x9e_37_79_b9, 0x85_eb_ca_6b) | 1) >>> 0;
  const next = (): number => {
    state ^= state << 13;
    state ^= state >>> 17;
    state = (state ^ (state << 5)) >>> 0;
    return state / 2 ** 32;
  };
  for (let round = 0; round < 8; round += 1) next();
  return next;
}

/** Returns the seed in `STORM_SEED`, or a new one. */
export function chooseSeed(): number {
  return Number(process.env['STORM_SEED'] ?? randomInt(2 ** 31));
}

/** The share of deliveries that the receiver always rejects. They end as failed. */
const SHARE_HOPELESS = 0.04;
const MAX_FAILURES = 4;
/** The longest delay of a response. Delays let kills hit running requests. */
const MAX_DELAY_MS = 250;

const FAILURES: readonly Behaviour[] = [
  { status: 500, body: 'out of order' },
  { status: 500, body: 'out of order' },
  { status: 503 },
  { status: 302, headers: { Location: 'https://elsewhere.example/' } },
  'silence',
  'reset',
];

/** Returns the response to attempt `number`, the same one for each repeat of the attempt. */
export async function failAtFirst(seed: number, number: number): Promise<Behaviour> {
  const random = makeRandom(seed);
  const isHopeless = random() < SHARE_HOPELESS;
  const failures = isHopeless ? Infinity : Math.floor(random() * (MAX_FAILURES + 1));
  for (let skipped = 1; skipped < number; skipped += 1) random();
  const failure = FAILURES[Math.floor(random() * FAILURES.length)];
  await sleep(random() * MAX_DELAY_MS);
  return failure && number <= failures ? failure : { status: 200 };
}

/** Emits an event to every endpoint of the tenant, as the settlement of a payment does. */
export async function emit(
  { mongo, temporal, m }: { mongo: Mongo; temporal: Temporal; m: string },
  index: number,
): Promise<void> {
  const event = makeEventAbout(makePayment({ m, order_id: `storm-${index}` }), 'payment.canceled');
  const rows = await mongo.transact(async (session) => emitEvent(mongo, session, event));
  // The sweep starts deliveries that cannot be started now.
  for (const { _id } of rows) await temporal.startDelivery(_id).catch(() => undefined);
}

export interface Kill {
  readonly worker: string;
  /** Unix milliseconds. The worker was alive at `at`, and gone at `gone`. */
  readonly at: number;
  readonly gone: number;
  /** The moment of the kill, relative to the record of an attempt. */
  readonly how: 'at any moment' | 'before a record' | 'after a record';
}

export interface Victim {
  readonly name: string;
  readonly program: Program;
  /** The proxy to its database. Without one, it is killed at any moment. */
  readonly proxy?: Proxy;
}

/** Prepares a second worker with a health address of its own. */
export async function prepareSecondWorker(deployment: Deployment): Promise<Program> {
  const port = await freePort();
  return deployment.program('worker-2', ['worker.js'], {
    url: `http://127.0.0.1:${port}`,
    env: { WORKER_HEALTH_PORT: String(port) },
  });
}

/** Part of every record of an attempt, and of no other command. */
const RECORD = '$push';
/** Matches no command, so that the proxy no longer holds one. */
const NOTHING = 'no such command';
/** The longest wait for a record before the worker is killed without one. */
const MAX_HOLD_MS = 4_000;

/**
 * Kills a worker. With a proxy, waits up to `holdMs` for the record of an attempt, and kills the
 * worker just before or just after that record.
 */
export async function kill(victim: Victim, how: Kill['how'], holdMs = MAX_HOLD_MS): Promise<Kill> {
  const { name: worker, program, proxy } = victim;
  let wasHeld = false;
  if (proxy && how !== 'at any moment') {
    const held = proxy.hold(RECORD, how === 'before a record' ? 'request' : 'answer');
    wasHeld = await Promise.race([held.then(() => true), sleep(holdMs, false, { ref: false })]);
    if (!wasHeld) void proxy.hold(NOTHING, 'request');
  }
  const at = Date.now();
  await program.kill();
  return { worker, at, gone: Date.now(), how: wasHeld ? how : 'at any moment' };
}

interface StormOptions {
  readonly random: () => number;
  /** A kill comes at a random moment within this time after the last start. */
  readonly maxLifeMs: number;
  readonly kills: Kill[];
  readonly over: AbortSignal;
}

const HOWS = ['at any moment', 'before a record', 'after a record'] as const;

/** Kills a worker and restarts it, again and again until `over`. It is running afterwards. */
export async function killUntil(victim: Victim, options: StormOptions): Promise<void> {
  const { random, maxLifeMs, kills, over } = options;
  for (let round = 0; !over.aborted; round += 1) {
    await sleep(random() * maxLifeMs);
    kills.push(await kill(victim, HOWS[round % HOWS.length]!));
    await victim.program.start();
  }
}

const POLL_MS = 500;

/**
 * Records in `seen` when each delivery was first seen as succeeded. Nothing may be sent after that.
 * Reads a last time when `idle` is aborted.
 */
export async function watchSuccesses(
  mongo: Mongo,
  seen: Map<string, number>,
  idle: AbortSignal,
): Promise<void> {
  for (;;) {
    const isLast = idle.aborted;
    const rows = mongo.deliveries.find({ state: 'succeeded' }).project({ _id: 1 });
    const ids = (await rows.toArray()).map(({ _id }) => String(_id));
    for (const id of ids) if (!seen.has(id)) seen.set(id, Date.now());
    if (isLast) return;
    await sleep(POLL_MS);
  }
}

/**
 * Groups requests by delivery, each group in the order of sending. A busy process may have read two
 * waiting requests in the wrong order.
 */
export function byDelivery(requests: readonly Received[]): Map<string, Received[]> {
  const found = new Map<string, Received[]>();
  for (const request of requests.toSorted((a, b) => signedAt(a) - signedAt(b) || a.at - b.at)) {
    const id = String(request.headers['service-delivery']);
    found.set(id, [...(found.get(id) ?? []), request]);
  }
  return found;
}

/** Returns the time of the signature, in unix seconds. */
export const signedAt = ({ headers }: Received): number => Number(headers['service-timestamp']);
/** Returns the number of the attempt. */
export const numberOf = ({ headers }: Received): number => Number(headers['service-attempt']);
