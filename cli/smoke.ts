/** `tollgate smoke`: one test payment through the public addresses, with the time of each step. */
import { setTimeout as sleep } from 'node:timers/promises';
import { readAccess } from '../config.ts';
import { listedEvents, openReceiver } from '../smoke/events.ts';
import type { EventSource } from '../smoke/events.ts';
import { makeSmokeMetrics } from '../metrics/smoke.ts';
import { smokePayment } from '../smoke/payment.ts';
import type { Round, Step } from '../smoke/payment.ts';
import { openAccess, readReceiver, requireTestKey } from './access.ts';
import type { AccessOptions } from './access.ts';
import { sentenceOf } from './complain.ts';
import { invalid } from './refusals.ts';

interface SmokeOptions extends AccessOptions {
  receive?: string;
  every?: string;
  metrics?: string;
  json?: boolean;
}

const UNITS_MS: Readonly<Record<string, number>> = { s: 1_000, m: 60_000, h: 3_600_000 };

/** Runs until the payment is refunded, or with `--every` until it is stopped. */
export async function smoke(options: SmokeOptions): Promise<void> {
  const stop = new AbortController();
  const abort = (): void => stop.abort(new Error('The command was stopped.'));
  const signals = ['SIGINT', 'SIGTERM'] as const;
  for (const name of signals) process.once(name, abort);
  try {
    await smokeUntil(stop.signal, options);
  } finally {
    for (const name of signals) process.off(name, abort);
  }
}

/** Sets the exit code 1 if the last round failed. Deletes the endpoint in any case. */
async function smokeUntil(signal: AbortSignal, options: SmokeOptions): Promise<void> {
  const everyMs = options.every === undefined ? undefined : readInterval(options.every);
  const metricsPort = readMetricsPort(options);
  requireTestKey(options);
  const { client } = openAccess(options);
  const source = await openSource(options, listedEvents(client));
  const metrics = makeSmokeMetrics();
  try {
    if (metricsPort !== undefined) await metrics.listen(metricsPort);
    const onStep = options.json ? () => undefined : printStep;
    for (;;) {
      const round = await smokePayment({
        client,
        events: source.events,
        signal,
        onStep,
        toText: sentenceOf,
      });
      // A round that the operator has stopped says nothing about the service.
      if (everyMs !== undefined && signal.aborted) return;
      metrics.note(round);
      printRound(round, options);
      process.exitCode = round.ok ? 0 : 1;
      if (everyMs === undefined) return;
      const restMs = Math.max(0, everyMs - round.duration_ms);
      await sleep(restMs, undefined, { signal }).catch(() => undefined);
      if (signal.aborted) return;
    }
  } finally {
    await Promise.all([metrics.close(), source.close()]);
  }
}

interface Source {
  readonly events: EventSource;
  readonly close: () => Promise<void>;
}

/** Opens a receiver with an endpoint of its own if there is `--receive`. */
async function openSource(options: SmokeOptions, listed: EventSource): Promise<Source> {
  const { receive, apiKey = readAccess().apiKey ?? '' } = options;
  if (receive === undefined) return { events: listed, close: async () => undefined };
  const url = readReceiver(receive, 'receive');
  if (url.protocol !== 'http:') {
    throw invalid('receive', `--receive ${receive}: give an http address, because it has no TLS.`);
  }
  const receiver = await openReceiver(url).catch((error: unknown) => {
    throw invalid('receive', `--receive ${receive}: ${(error as Error).message}.`);
  });
  try {
    const { registerEndpoint } = await import('./smoke-endpoint.ts');
    const endpoint = await registerEndpoint(url, apiKey);
    receiver.useSecret(endpoint.secret);
    return {
      events: receiver,
      close: async () => {
        await Promise.all([endpoint.remove(), receiver.close()]);
      },
    };
  } catch (error) {
    await receiver.close();
    throw error;
  }
}

function readInterval(text: string): number {
  const [, count = '', unit = ''] = /^(\d{1,4})([smh])$/.exec(text) ?? [];
  const ms = Number(count) * (UNITS_MS[unit] ?? 0);
  if (ms > 0) return ms;
  throw invalid('every', `--every ${text}: give an interval such as 30s, 5m or 1h.`);
}

/** Returns the port for metrics. A single payment has none: nobody would read them in time. */
function readMetricsPort({ metrics, every }: SmokeOptions): number | undefined {
  if (metrics === undefined) return undefined;
  if (every === undefined) throw invalid('metrics', '--metrics needs --every.');
  const port = Number(metrics);
  if (/^\d+$/.test(metrics) && port >= 1 && port <= 65_535) return port;
  throw invalid('metrics', `--metrics ${metrics}: give a port from 1 to 65535.`);
}

function printStep({ step, duration_ms, result, error }: Step): void {
  const time = `${duration_ms} ms`.padStart(9);
  console.log(`${step.padEnd(8)}  ${time}  ${error === null ? result : `FAILED: ${error}`}`);
}

function printRound(round: Round, { json, every }: SmokeOptions): void {
  const at = new Date().toISOString();
  if (json) return console.log(JSON.stringify({ at, ...round }));
  const outcome = round.ok ? 'ok' : 'FAILED';
  console.log(`${outcome}, ${round.duration_ms} ms${every === undefined ? '' : `, ${at}\n`}`);
}
