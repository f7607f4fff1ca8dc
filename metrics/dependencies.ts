/** Metrics of the calls to MongoDB and Temporal, and of the sweep. */
import type { Registry } from 'prom-client';
import { subscribe } from '../facts.ts';
import type { CallName } from '../temporal/limits.ts';
import { makeCounter, makeHistogram } from './registry.ts';

/** The commands of our code. Rare ones are counted together. */
export const COMMANDS = [
  'find',
  'insert',
  'update',
  'delete',
  'aggregate',
  'getMore',
  'commitTransaction',
  'abortTransaction',
  'ping',
] as const;

const CALLS: Readonly<Record<CallName, true>> = {
  start: true,
  wake: true,
  resume: true,
  ask: true,
  start_delivery: true,
  hasten_delivery: true,
};
export const CALL_NAMES = Object.keys(CALLS);

const KINDS = ['payments', 'refunds', 'replays', 'deliveries'] as const;
const STEPS = [...KINDS, 'counting', 'pruning'];

const SECONDS = [0.005, 0.025, 0.1, 0.5, 1, 2.5];

/** Times calls, and counts those that fail. Returns functions that stop counting. */
export function countCalls(registry: Registry): (() => void)[] {
  const watch = (
    fact: 'command' | 'call',
    names: readonly string[],
    { what, name, failures }: { what: string; name: string; failures: string },
  ) => {
    const values = { [fact]: names };
    const time = makeHistogram({ registry, name, help: `Duration of ${what}` }, values, SECONDS);
    const help = `Failures of ${what}`;
    const countFailure = makeCounter({ registry, name: failures, help }, values);
    return subscribe(fact, ({ name: value, durationMs, isFailed }) => {
      time({ [fact]: value }, durationMs);
      if (isFailed) countFailure({ [fact]: value });
    });
  };
  return [
    watch('command', COMMANDS, {
      what: 'commands to MongoDB',
      name: 'tollgate_mongodb_command_duration_seconds',
      failures: 'tollgate_mongodb_command_failures_total',
    }),
    watch('call', CALL_NAMES, {
      what: 'calls to Temporal, which fail if it does not reply in time',
      name: 'tollgate_temporal_call_duration_seconds',
      failures: 'tollgate_temporal_call_failures_total',
    }),
  ];
}

/** Counts the rounds of the sweep and what they found. Returns functions that stop counting. */
export function countSweeps(registry: Registry): (() => void)[] {
  const name = 'tollgate_sweep';
  const countRound = makeCounter(
    { registry, name: `${name}_rounds_total`, help: 'Rounds of the sweep in this process' },
    {},
  );
  const countResumed = makeCounter(
    { registry, name: `${name}_resumed_total`, help: 'Overdue rows that the sweep resumed' },
    { kind: KINDS },
  );
  const countFailed = makeCounter(
    { registry, name: `${name}_failed_total`, help: 'Rows that the sweep could not resume' },
    {},
  );
  const countUnfinished = makeCounter(
    { registry, name: `${name}_unfinished_total`, help: 'Steps that a round did not finish' },
    { step: STEPS },
  );
  return [
    subscribe('swept', (round) => {
      countRound({});
      for (const kind of KINDS) countResumed({ kind }, round[kind]);
      countFailed({}, round.failed);
      for (const step of round.unfinished) countUnfinished({ step });
    }),
  ];
}
