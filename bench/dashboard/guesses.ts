/** Measures what a flood of guesses costs the creation of payments, and whether owners get in. */
import { execFile } from 'node:child_process';
import { randomInt, randomUUID } from 'node:crypto';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { promisify } from 'node:util';
import type { Mongo } from '../../store/mongo.ts';
import { makeBrowser } from '../../test/dashboard/harness.ts';
import type { Browser } from '../../test/dashboard/harness.ts';
import { codeOf, setUp } from '../../test/dashboard/staff/person.ts';
import { percentile } from '../../test/load/endpoints.ts';
import { ATTACKS } from './attacker.ts';
import type { Attack } from './attacker.ts';
import { rssOf } from './exports.ts';
import type { Place } from './seed.ts';
import { PASSWORD, makeOwner } from './visitor.ts';

/** The time of a measurement, and how long an attack runs before it. */
const PHASE_MS = 10_000;
const LEAD_MS = 6_000;
const ROUNDS = 1;
const CONNECTIONS = 150;
/** The time from one payment to the next. */
const CREATE_EVERY_MS = 200;
const OWNER_EVERY_MS = 2_000;

const run = promisify(execFile);

interface Target {
  readonly apiUrl: string;
  readonly dashboardUrl: string;
  readonly apiKey: string;
  readonly pid: number;
}

interface People {
  readonly email: string;
  /** A browser in which the owner has signed in before. */
  readonly known: Browser;
  /** The cookies of somebody who has entered the password of an account with a second step. */
  readonly pending: string;
}

/** Creates payments at a steady rate. Returns the durations of those that were created. */
async function createSteadily({ apiUrl, apiKey }: Target, ms: number) {
  const times: number[] = [];
  let failed = 0;
  const create = async (): Promise<void> => {
    const body = { amount: 500, currency: 'AMD', return_url: 'https://shop.example/' };
    const startMs = performance.now();
    const response = await fetch(`${apiUrl}/v1/payments`, {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${apiKey}`,
        'Content-Type': 'application/json',
        'Idempotency-Key': randomUUID(),
      },
      body: JSON.stringify(body),
    }).catch(() => null);
    await response?.arrayBuffer();
    if (response?.status === 201) times.push(performance.now() - startMs);
    else failed += 1;
  };
  const all: Promise<void>[] = [];
  for (const until = Date.now() + ms; Date.now() < until; await sleep(CREATE_EVERY_MS)) {
    all.push(create());
  }
  await Promise.all(all);
  return { times, failed };
}

interface Tries {
  readonly right: number;
  readonly all: number;
  /** In milliseconds. */
  readonly slowest: number;
}

const shown = ({ right, all, slowest }: Tries): string => `${right}/${all} (${slowest} ms)`;

/** Tries to sign in every two seconds. Returns how often it worked, of how many tries. */
async function signInOften(url: string, { email, known }: People, ms: number) {
  const tries = {
    known: { right: 0, all: 0, slowest: 0 },
    fresh: { right: 0, all: 0, slowest: 0 },
  };
  const attempt = async (name: 'known' | 'fresh', browser: Browser): Promise<void> => {
    const startMs = performance.now();
    const from = { 'X-Forwarded-For': `198.51.100.${randomInt(256)}` };
    const { status } = await browser.post('/sign-in', { email, password: PASSWORD }, from);
    const { right, all, slowest } = tries[name];
    const tookMs = Math.round(performance.now() - startMs);
    tries[name] = {
      right: right + Number(status === 303),
      all: all + 1,
      slowest: Math.max(slowest, tookMs),
    };
  };
  for (const until = Date.now() + ms; Date.now() < until; await sleep(OWNER_EVERY_MS)) {
    await Promise.all([attempt('known', known), attempt('fresh', makeBrowser(url))]);
  }
  return { 'known browser': shown(tries.known), 'new browser': shown(tries.fresh) };
}

const signIn = async (browser: Browser, email: string) =>
  browser.post('/sign-in', { email, password: PASSWORD });

async function makePeople(mongo: Mongo, place: Place, { dashboardUrl }: Target): Promise<People> {
  const owner = await makeOwner(mongo, place.merchantId);
  const known = makeBrowser(dashboardUrl);
  await signIn(known, owner.user.email);
  const second = await makeOwner(mongo, place.merchantId);
  const careful = makeBrowser(dashboardUrl);
  await signIn(careful, second.user.email);
  const secret = await setUp(careful);
  await careful.post('/account/second-step/on', { code: codeOf(secret) });
  const attacker = makeBrowser(dashboardUrl);
  const { to } = await signIn(attacker, second.user.email);
  if (!to?.startsWith('/sign-in/code')) throw new Error('No code is asked for.');
  const pending = [...attacker.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  return { email: owner.user.email, known, pending };
}

/** Runs the attack in a process of its own. Returns the number of its responses by status. */
async function runAttack(attack: Attack): Promise<Record<string, number>> {
  const file = path.join(import.meta.dirname, 'attacker.ts');
  const args = ['--import', 'tsx', file, JSON.stringify(attack)];
  const { stdout } = await run(process.execPath, args, {
    cwd: path.resolve(import.meta.dirname, '../..'),
  });
  return JSON.parse(stdout) as Record<string, number>;
}

/** Measures each attack several times, each time after a quiet phase. */
export async function measureGuesses(
  mongo: Mongo,
  place: Place,
  target: Target,
): Promise<Record<string, unknown>[]> {
  const { dashboardUrl: url, pid } = target;
  const people = await makePeople(mongo, place, target);
  await createSteadily(target, PHASE_MS / 2);
  const all = { quiet: [] as number[], attack: [] as number[] };
  const rows: Record<string, unknown>[] = [];
  for (let round = 0; round < ROUNDS; round += 1) {
    for (const name of ATTACKS) {
      const quiet = await createSteadily(target, PHASE_MS);
      const until = Date.now() + PHASE_MS + 2 * LEAD_MS;
      const { email, pending } = people;
      const attack = runAttack({ name, url, connections: CONNECTIONS, until, email, pending });
      await sleep(LEAD_MS);
      const [during, owners] = await Promise.all([
        createSteadily(target, PHASE_MS),
        signInOften(url, people, PHASE_MS - OWNER_EVERY_MS),
      ]);
      const tally = await attack;
      all.quiet.push(...quiet.times);
      all.attack.push(...during.times);
      const row = {
        round,
        attack: name,
        ...figures(quiet.times, during.times),
        failed: quiet.failed + during.failed,
        ...owners,
        responses: JSON.stringify(tally),
        RSS: rssOf(pid),
      };
      rows.push(row);
      console.log(JSON.stringify(row));
    }
  }
  rows.push({ attack: 'all', ...figures(all.quiet, all.attack) });
  return rows;
}

function at(times: readonly number[], share: number): number {
  return Math.round(
    percentile(
      times.toSorted((a, b) => a - b),
      share,
    ),
  );
}

function figures(quiet: readonly number[], during: readonly number[]): Record<string, unknown> {
  return {
    'p50 quiet': at(quiet, 0.5),
    'p50 attack': at(during, 0.5),
    'p99 quiet': at(quiet, 0.99),
    'p99 attack': at(during, 0.99),
    ratio: (at(during, 0.99) / at(quiet, 0.99)).toFixed(2),
  };
}
