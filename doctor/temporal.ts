/** Temporal: whether it can be reached, and whether everything is there that the service needs. */
import { isLoginRefused, makeInspector } from '../temporal/inspect.ts';
import type { ConnectionOptions, Inspector, Poller, SweepFacts } from '../temporal/inspect.ts';
import { clientCertificateEnd, findTlsFault } from '../temporal/tls.ts';
import { ok, problem, skipped, wordsOf } from './check.ts';
import type { Check, Result } from './check.ts';

/** The first version with Standalone Activities switched on. */
const OLDEST = [1, 32] as const;
/** The shortest time for which closed workflows should be kept, for people. */
const SHORTEST_DAYS = 1;
/** The rounds of the sweep that may be missed, and the time for a worker's restart. */
const MISSED_ROUNDS = 3;
const RESTART_MS = 60_000;
/** A worker polls at least once a minute. Temporal lists one that has ended for five minutes. */
const POLL_MS = 90_000;

/** A renewal needs people, and a restart of everything. */
const RENEWAL_DAYS = 14;
const DAY_MS = 24 * 60 * 60 * 1000;

export interface TemporalPlace {
  readonly connectionOptions: ConnectionOptions;
  readonly namespace: string;
}

export interface Reached {
  readonly result: Result;
  readonly inspector?: Inspector;
}

/** Connects and reads the server's version. Never throws. */
export async function reachTemporal(place: TemporalPlace): Promise<Reached> {
  const { connectionOptions, namespace } = place;
  let inspector: Inspector | undefined;
  try {
    inspector = makeInspector(connectionOptions, namespace);
    await inspector.readVersion();
    return { inspector, result: ok(`${connectionOptions.address ?? 'localhost:7233'} responds.`) };
  } catch (error) {
    await inspector?.close();
    if (isLoginRefused(error)) {
      return { result: problem('temporal_login_refused', wordsOf(error)) };
    }
    const { code, text } = (await findTlsFault(connectionOptions)) ?? {
      code: 'temporal_unreachable',
      text: wordsOf(error),
    };
    return { result: problem(code, text) };
  }
}

/** Judges the remaining time of the client certificate, if there is one. */
export function judgeCertificate(options: ConnectionOptions, now: Date): Result {
  const end = clientCertificateEnd(options);
  if (!end) return ok('The connection has none.');
  const days = Math.floor((end.getTime() - now.getTime()) / DAY_MS);
  const found = `The client certificate ends at ${end.toISOString()}, in ${days} days.`;
  return days < RENEWAL_DAYS ? problem('temporal_client_certificate_ends_soon', found) : ok(found);
}

type TemporalCheck = Omit<Check, 'run'> & {
  readonly judge: (inspector: Inspector, sweepSeconds: number) => Promise<Result>;
};

/** The check on which the others depend. */
export const NAMESPACE_CHECK: TemporalCheck = {
  check: 'temporal.namespace',
  name: 'Temporal: namespace',
  judge: async (inspector) => {
    if (await inspector.readNamespace()) return ok('The namespace exists.');
    return problem('temporal_namespace_missing', 'The server has no namespace of that name.');
  },
};

export const VERSION_CHECK: TemporalCheck = {
  check: 'temporal.version',
  name: 'Temporal: version',
  judge: async (inspector) => judgeVersion(await inspector.readVersion()),
};

/** The checks of what is in the namespace. */
export const INNER_CHECKS: readonly TemporalCheck[] = [
  {
    check: 'temporal.standalone_activities',
    name: 'Temporal: Standalone Activities',
    judge: async (inspector) =>
      judgeStandalone((await inspector.readNamespace())?.hasStandaloneActivities),
  },
  {
    check: 'temporal.retention',
    name: 'Temporal: retention',
    judge: async (inspector) => judgeRetention((await inspector.readNamespace())?.retentionDays),
  },
  {
    check: 'temporal.search_attributes',
    name: 'Temporal: search attributes',
    judge: async (inspector) => judgeAttributes(await inspector.readMissingAttributes()),
  },
  {
    check: 'temporal.sweep',
    name: 'Temporal: schedule of the sweep',
    judge: async (inspector, everySeconds) =>
      judgeSweep(await inspector.readSweep(), { everySeconds, now: new Date() }),
  },
  {
    check: 'temporal.workers',
    name: 'Temporal: workers',
    judge: async (inspector) => judgePollers(await inspector.readPollers(), new Date()),
  },
];

export function judgeVersion(version: string): Result {
  const [major = 0, minor = 0] = version.split('.').map((part) => Number.parseInt(part, 10));
  const isOld = major < OLDEST[0] || (major === OLDEST[0] && minor < OLDEST[1]);
  return isOld ? problem('temporal_too_old', `It is ${version}.`) : ok(`It is ${version}.`);
}

export function judgeStandalone(hasThem: boolean | undefined): Result {
  if (hasThem) return ok('The namespace has them.');
  return problem('standalone_activities_missing', 'They are not switched on.');
}

export function judgeRetention(days = 0): Result {
  const found = `Closed workflows are kept for ${Math.round(days * 24)} hours.`;
  return days < SHORTEST_DAYS ? problem('temporal_retention_short', found) : ok(found);
}

export function judgeAttributes(missing: readonly string[] | undefined): Result {
  if (missing === undefined) {
    return skipped('We may not see search attributes here. Workflows run without them.');
  }
  if (missing.length === 0) return ok('All of them are registered.');
  return problem('temporal_attributes_missing', `Missing: ${missing.join(', ')}.`);
}

/** Judges the schedule. It also reports a sweep whose rounds do not end. */
export function judgeSweep(
  facts: SweepFacts | undefined,
  { everySeconds, now }: { readonly everySeconds: number; readonly now: Date },
): Result {
  if (!facts) return problem('sweep_missing', 'There is no schedule `sweep` in the namespace.');
  const { isPaused, lastAt, isRunning } = facts;
  if (isPaused) return problem('sweep_paused', 'The schedule `sweep` is paused.');
  const scheduledSeconds = facts.everySeconds ?? everySeconds;
  const sinceMs = now.getTime() - lastAt.getTime();
  if (sinceMs > MISSED_ROUNDS * scheduledSeconds * 1_000 + RESTART_MS) {
    const round = isRunning ? 'That round has not ended.' : 'No round is under way.';
    return problem('sweep_late', `The last round began at ${lastAt.toISOString()}. ${round}`);
  }
  if (scheduledSeconds !== everySeconds) {
    const found = `It runs every ${scheduledSeconds} s, but SWEEP_SECONDS is ${everySeconds} here.`;
    return problem('sweep_interval_differs', found);
  }
  return ok(`It runs every ${scheduledSeconds} s. The last round began ${seconds(sinceMs)} s ago.`);
}

const seconds = (ms: number): number => Math.max(0, Math.round(ms / 1_000));

/** Judges whether each queue has a worker that has polled lately. */
export function judgePollers(pollers: readonly Poller[], now: Date): Result {
  const counts = pollers.map(({ queue, lastPolls }) => {
    const live = lastPolls.filter((at) => now.getTime() - at.getTime() < POLL_MS);
    return { queue, count: live.length };
  });
  const idle = counts.filter(({ count }) => count === 0).map(({ queue }) => queue);
  if (idle.length > 0) return problem('workers_missing', `No worker polls ${idle.join(', ')}.`);
  const numbers = counts.map(({ queue, count }) => `${queue}: ${count}`);
  return ok(`Workers that poll: ${numbers.join(', ')}.`);
}
