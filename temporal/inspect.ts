/** Facts about Temporal that decide whether Tollgate can work on it. Changes nothing. */
import { Client, ScheduleNotFoundError } from '@temporalio/client';
import type { ConnectionOptions } from '@temporalio/client';
import { PAYMENTS_QUEUE, SWEEP_SCHEDULE_ID, WEBHOOKS_QUEUE } from '../workflows/messages.ts';
import { lazyConnection } from './client.ts';
import { NOT_FOUND } from './limits.ts';
import { missingAttributes } from './setup.ts';

export type { ConnectionOptions };

/** The time limit of a call. Most take milliseconds. */
const CALL_MS = 3_000;
const DAY_SECONDS = 24 * 60 * 60;

const PERMISSION_DENIED = 7;
const UNAUTHENTICATED = 16;

/** The queues, and the kinds of tasks that workers poll for, by Temporal's numbers. */
const POLLS = [
  { queue: PAYMENTS_QUEUE, kind: 'workflows', taskQueueType: 1 },
  { queue: PAYMENTS_QUEUE, kind: 'activities', taskQueueType: 2 },
  { queue: WEBHOOKS_QUEUE, kind: 'activities', taskQueueType: 2 },
] as const;

export interface NamespaceFacts {
  readonly retentionDays: number;
  readonly hasStandaloneActivities: boolean;
}

export interface SweepFacts {
  readonly isPaused: boolean;
  readonly everySeconds: number | undefined;
  /** The start of the last round; the schedule's creation if there was none. */
  readonly lastAt: Date;
  /** True if a round is under way. */
  readonly isRunning: boolean;
}

export interface Poller {
  /** The queue and the kind of task, for example `payments (workflows)`. */
  readonly queue: string;
  /** The time of each worker's last poll. */
  readonly lastPolls: readonly Date[];
}

export type Inspector = ReturnType<typeof makeInspector>;

/** Returns true if Temporal refused the credentials, and did not just fail to respond. */
export function isLoginRefused(error: unknown): boolean {
  return [PERMISSION_DENIED, UNAUTHENTICATED].includes(codeOf(error));
}

/** Creates the reads. It connects at the first one. Each has a time limit. */
export function makeInspector(options: ConnectionOptions, namespace: string) {
  const connection = lazyConnection(options);
  const client = new Client({ connection, namespace });
  const service = connection.workflowService;
  const bounded = async <T>(call: () => Promise<T>): Promise<T> =>
    connection.withDeadline(Date.now() + CALL_MS, call);

  return {
    /** Returns the server's version, for example `1.32.0`. */
    readVersion: async (): Promise<string> =>
      (await bounded(async () => service.getSystemInfo({}))).serverVersion,

    /** Returns undefined if the namespace does not exist. */
    async readNamespace(): Promise<NamespaceFacts | undefined> {
      const found = await bounded(async () => service.describeNamespace({ namespace })).catch(
        (error: unknown) => {
          if (codeOf(error) === NOT_FOUND) return undefined;
          throw error;
        },
      );
      if (!found) return undefined;
      const { seconds = 0 } = found.config?.workflowExecutionRetentionTtl ?? {};
      return {
        retentionDays: Number(seconds) / DAY_SECONDS,
        hasStandaloneActivities: found.namespaceInfo?.capabilities?.standaloneActivities === true,
      };
    },

    /** Returns the names of missing search attributes; undefined if we may not see them. */
    async readMissingAttributes(): Promise<readonly string[] | undefined> {
      return missingAttributes(client, namespace).catch((error: unknown) => {
        if (isLoginRefused(error)) return undefined;
        throw error;
      });
    },

    /** Returns undefined if there is no schedule. */
    async readSweep(): Promise<SweepFacts | undefined> {
      const handle = client.schedule.getHandle(SWEEP_SCHEDULE_ID);
      const found = await bounded(async () => handle.describe()).catch((error: unknown) => {
        if (error instanceof ScheduleNotFoundError) return undefined;
        throw error;
      });
      if (!found) return undefined;
      const { info, state, spec } = found;
      const [interval] = spec.intervals ?? [];
      return {
        isPaused: state.paused,
        everySeconds: interval && interval.every / 1_000,
        lastAt: info.recentActions.at(-1)?.takenAt ?? info.createdAt,
        isRunning: info.runningActions.length > 0,
      };
    },

    readPollers: async (): Promise<Poller[]> =>
      Promise.all(
        POLLS.map(async ({ queue, kind, taskQueueType }) => {
          const describe = { namespace, taskQueue: { name: queue }, taskQueueType };
          const { pollers } = await bounded(async () => service.describeTaskQueue(describe));
          const polls = (pollers ?? []).map(({ lastAccessTime }) => lastAccessTime?.seconds ?? 0);
          const lastPolls = polls.map((seconds) => new Date(Number(seconds) * 1_000));
          return { queue: `${queue} (${kind})`, lastPolls };
        }),
      ),

    close: async (): Promise<void> => connection.close(),
  };
}

/** Returns the gRPC status of a failed call. The client wraps some errors and passes on others. */
function codeOf(error: unknown): number {
  const { code, cause } = (error ?? {}) as { code?: number; cause?: { code?: number } };
  return code ?? cause?.code ?? -1;
}
