/** Two servers and a worker as processes on one database, as behind a load balancer. */
import path from 'node:path';
import { expect } from 'vitest';
import { startGuardian } from '../../embedded/guard.ts';
import { freePort } from '../../embedded/ports.ts';
import { openStage } from '../support/servers/processes.ts';
import type { Stage, StageOptions } from '../support/servers/processes.ts';
import { makeProgram } from '../support/servers/programs.ts';
import type { Program } from '../support/servers/programs.ts';
import { until } from '../support/until.ts';

export interface Pair {
  readonly stage: Stage;
  /** The server beside that of the stage. */
  readonly twin: Program;
  /** Where the two servers listen, the stage's first. */
  readonly urls: readonly [string, string];
  /** Starts both servers and the worker. */
  start(): Promise<void>;
  close(): Promise<void>;
}

/** Prepares the programs without starting them; `close` has to be called in any case. */
export async function openPair(options: StageOptions): Promise<Pair> {
  const stage = await openStage(options);
  const guardian = startGuardian();
  const [api, checkout, dashboard] = await Promise.all([freePort(), freePort(), freePort()]);
  const url = `http://127.0.0.1:${api}`;
  const twin = makeProgram({
    name: 'twin',
    args: ['server.js'],
    // The addresses that answers name stay those of the first: both stand behind them.
    env: {
      ...stage.env,
      API_PORT: String(api),
      CHECKOUT_PORT: String(checkout),
      DASHBOARD_PORT: String(dashboard),
    },
    health: `${url}/readyz`,
    logFile: path.join(stage.folder, 'twin.log'),
    guardian,
  });
  return {
    stage,
    twin,
    urls: [stage.apiUrl, url],
    start: async () => {
      await Promise.all([stage.start(), twin.start()]);
    },
    close: async () => {
      await twin.kill();
      await guardian.close();
      await stage.close();
    },
  };
}

export interface Told {
  readonly status: number;
  readonly text: string;
  readonly isReplay: boolean;
}

export interface Post {
  readonly path: string;
  readonly body: object;
  readonly key?: string;
}

/** A server that is frozen shall not stop a test for longer than this (ms). */
const PATIENCE_MS = 20_000;

/** Sends it to that server with the key of a merchant; rejects when there is no answer. */
export async function post(
  url: string,
  apiKey: string,
  { path: address, body, key }: Post,
): Promise<Told> {
  const answer = await fetch(url + address, {
    method: 'POST',
    signal: AbortSignal.timeout(PATIENCE_MS),
    headers: {
      Authorization: `Bearer ${apiKey}`,
      'Content-Type': 'application/json',
      ...(key === undefined ? {} : { 'Idempotency-Key': key }),
    },
    body: JSON.stringify(body),
  });
  const isReplay = answer.headers.get('idempotent-replayed') === 'true';
  return { status: answer.status, text: await answer.text(), isReplay };
}

export interface Insisted extends Told {
  /** How often it was sent; after a 503 the answer may be a replay of what nobody received. */
  readonly tries: number;
}

const UNAVAILABLE = 503;
/** A program that dies inside a transaction leaves its locks, on a real MongoDB for a minute. */
const INSISTENCE_MS = 90_000;

/** Sends it until it is answered by something else than 503. */
export async function insist(url: string, apiKey: string, sent: Post): Promise<Insisted> {
  let tries = 0;
  const ask = async (): Promise<Told> => {
    tries += 1;
    return post(url, apiKey, sent);
  };
  const told = await until(ask, ({ status }) => status !== UNAVAILABLE, INSISTENCE_MS);
  return { ...told, tries };
}

/** One answer for all who asked with one key, and who was given it as the first is one alone. */
export function expectOneAnswer(answers: readonly Insisted[], status: number): void {
  expect(new Set(answers.map((answer) => answer.status))).toEqual(new Set([status]));
  expect(new Set(answers.map(({ text }) => text)).size).toBe(1);
  const firsts = answers.filter(({ isReplay }) => !isReplay).length;
  const isSure = answers.every(({ tries }) => tries === 1);
  expect(isSure ? [1] : [0, 1]).toContain(firsts);
}
