/** A crowd of receivers that fail at first, workers that are killed, and all that both came to. */
import { randomInt } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { startGuardian } from '../../embedded/guard.ts';
import { freePort } from '../../embedded/ports.ts';
import { emitEvent } from '../../store/emit.ts';
import type { Mongo } from '../../store/mongo.ts';
import type { Temporal } from '../../temporal/client.ts';
import { makePayment } from '../support/rows/payment.ts';
import type { Stage } from '../support/servers/processes.ts';
import { makeProgram } from '../support/servers/programs.ts';
import type { Program } from '../support/servers/programs.ts';
import type { Proxy } from '../support/servers/proxy.ts';
import type { Behaviour, Received } from '../support/receiver.ts';
import { makeTold } from '../support/told.ts';

/** Numbers in [0, 1) that are the same for the same seed (Marsaglia's xorshift over 32 bits). */
export function makeRandom(seed: number): () => number {
  // A state of zero would stay zero, and small seeds need some rounds to differ.
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

/** The seed that the environment asks for, or a new one: whoever prints it can repeat the run. */
export function chooseSeed(): number {
  return Number(process.env['STORM_SEED'] ?? randomInt(2 ** 31));
}

/** So many deliveries are never taken, and end as failed. */
const SHARE_HOPELESS = 0.04;
const MAX_FAILURES = 4;
/** An answer takes up to so long, so that a kill finds some under way. */
const MAX_ANSWER_MS = 250;

const FAILURES: readonly Behaviour[] = [
  { status: 500, body: 'out of order' },
  { status: 500, body: 'out of order' },
  { status: 503 },
  { status: 302, headers: { Location: 'https://elsewhere.example/' } },
  'silence',
  'reset',
];

/** What a receiver answers to the attempt of that number: a repeat of it is treated alike. */
export async function failAtFirst(seed: number, number: number): Promise<Behaviour> {
  const random = makeRandom(seed);
  const isHopeless = random() < SHARE_HOPELESS;
  const failures = isHopeless ? Infinity : Math.floor(random() * (MAX_FAILURES + 1));
  for (let skipped = 1; skipped < number; skipped += 1) random();
  const failure = FAILURES[Math.floor(random() * FAILURES.length)];
  await sleep(random() * MAX_ANSWER_MS);
  return failure && number <= failures ? failure : { status: 200 };
}

/** One event for every endpoint of that tenant, as the settling of a payment makes it. */
export async function emit(
  { mongo, temporal, m }: { mongo: Mongo; temporal: Temporal; m: string },
  index: number,
): Promise<void> {
  const event = makeTold(makePayment({ m, order_id: `storm-${index}` }), 'payment.canceled');
  const rows = await mongo.transact(async (session) => emitEvent(mongo, session, event));
  // What cannot be started now is found by the sweep.
  for (const { _id } of rows) await temporal.startDelivery(_id).catch(() => undefined);
}

export interface Kill {
  readonly worker: string;
  /** Unix milliseconds: it was still alive at the first, and gone at the last. */
  readonly at: number;
  readonly gone: number;
  /** Whether an attempt was under way of which nothing had been written down. */
  readonly how: 'at any moment' | 'before a record' | 'after a record';
}

export interface Victim {
  readonly name: string;
  readonly program: Program;
  /** Between it and its database; without one it is killed at any moment. */
  readonly proxy?: Proxy;
}

/** A second worker beside that of the stage, with a health address of its own. */
export async function makeSecondWorker(
  stage: Stage,
): Promise<{ program: Program; close: () => Promise<void> }> {
  const guardian = startGuardian();
  const port = await freePort();
  const program = makeProgram({
    name: 'worker-2',
    args: ['worker.js'],
    env: { ...stage.env, WORKER_HEALTH_PORT: String(port) },
    health: `http://127.0.0.1:${port}`,
    logFile: path.join(stage.folder, 'worker-2.log'),
    guardian,
  });
  return {
    program,
    close: async () => {
      await program.kill();
      await guardian.close();
    },
  };
}

/** Only the record of an attempt adds to a list of the database. */
const RECORD = '$push';
/** Nothing that is ever sent: the proxy then waits for nothing any more. */
const NOTHING = 'nothing of the kind';
/** Where nothing is recorded for so long, the worker is killed all the same. */
const MAX_HOLD_MS = 4_000;

/**
 * SIGKILL; between a POST and its record, or right after the record, when there is a proxy and one
 * comes within `holdMs`.
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

export interface StormOptions {
  readonly random: () => number;
  /** A kill comes at any moment within this time after the last start. */
  readonly spellMs: number;
  readonly kills: Kill[];
  readonly over: AbortSignal;
}

const HOWS = ['at any moment', 'before a record', 'after a record'] as const;

/** Kills it and starts it again until the storm is over; then it lives. */
export async function killOften(victim: Victim, options: StormOptions): Promise<void> {
  const { random, spellMs, kills, over } = options;
  for (let round = 0; !over.aborted; round += 1) {
    await sleep(random() * spellMs);
    kills.push(await kill(victim, HOWS[round % HOWS.length]!));
    await victim.program.start();
  }
}

const LOOK_EVERY_MS = 500;

/**
 * Notes when each delivery was first seen to have succeeded: from then on nothing may be sent.
 * Looks once more when all is quiet.
 */
export async function watchSuccesses(
  mongo: Mongo,
  seen: Map<string, number>,
  quiet: AbortSignal,
): Promise<void> {
  for (;;) {
    const isLast = quiet.aborted;
    const rows = mongo.deliveries.find({ state: 'succeeded' }).project({ _id: 1 });
    const ids = (await rows.toArray()).map(({ _id }) => String(_id));
    for (const id of ids) if (!seen.has(id)) seen.set(id, Date.now());
    if (isLast) return;
    await sleep(LOOK_EVERY_MS);
  }
}

/**
 * Requests of one delivery, in the order in which they were sent: of two that waited in the network
 * for this busy process, either may be read first.
 */
export function byDelivery(requests: readonly Received[]): Map<string, Received[]> {
  const found = new Map<string, Received[]>();
  for (const request of requests.toSorted((a, b) => signedAt(a) - signedAt(b) || a.at - b.at)) {
    const id = String(request.headers['service-delivery']);
    found.set(id, [...(found.get(id) ?? []), request]);
  }
  return found;
}

/** In unix seconds. */
export const signedAt = ({ headers }: Received): number => Number(headers['service-timestamp']);
export const numberOf = ({ headers }: Received): number => Number(headers['service-attempt']);
