/** Our calls to Temporal, by name. Each has a time limit, even if the server is unreachable. */
import { Client, WithStartWorkflowOperation } from '@temporalio/client';
import type { ConnectionLike } from '@temporalio/client';
import type { Priority } from '@temporalio/common';
import type { Payment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import type { Message } from '../domain/verdict.ts';
import { makeQueues } from '../concurrency.ts';
import { joinTrace } from '../tracing/current.ts';
import type { Log } from '../log.ts';
import {
  ASK_UPDATE,
  PAYMENT_WORKFLOW,
  REFUND_WORKFLOW,
  REPLAY_WORKFLOW,
  WAKE_SIGNAL,
} from '../workflows/messages.ts';
import type { ReplayInput, SettleResult } from '../workflows/messages.ts';
import type { Encryption } from './codec.ts';
import { makeDeliveries } from './deliveries.ts';
import type { About } from './deliveries.ts';
import {
  ASKS_AT_ONCE,
  BEHIND,
  TemporalUnavailable,
  isUnanswered,
  makePatience,
  timed,
  untilSeen,
  withinMs,
} from './limits.ts';
import type { CallName } from './limits.ts';
import { makeReadiness } from './ready.ts';
import { isAtWork, makeRunOptions } from './runs.ts';
import { TRACING } from './tracing.ts';

export { TemporalUnavailable, lazyConnection } from './limits.ts';

/** The longest wait for a start. After that, a create returns 201 and leaves it to the sweep. */
const START_WAIT_MS = 1_000;
/** The longest wait for a result of the workflow. The API then returns 503. */
const ASK_WAIT_MS = 4_000;
const WAKE_WAIT_MS = 3_000;

type Traced = Pick<Payment | Refund, '_id' | 'trace'>;

export interface Temporal {
  /**
   * Starts the workflow of a new payment, which sleeps until its lifetime ends. Never throws, and
   * takes 1 s at most. If it fails, the first wake or the sweep starts the workflow.
   */
  startPayment(payment: Payment): Promise<void>;
  /** Wakes the payment's workflow, or starts one. Throws `TemporalUnavailable` within 3 s. */
  wakePayment(payment: Payment): Promise<void>;
  /**
   * Wakes the workflow of an overdue payment, or starts one. Returns false if the workflow is at
   * work, because a wake would only make its history longer. Has a lower priority than live traffic
   * unless `isPrompt`. Throws as `wakePayment`.
   */
  resumePayment(payment: Payment, how?: { isPrompt: boolean }): Promise<boolean>;
  /**
   * Sends a message to the payment's workflow and returns the result. A repeat with the same `id`
   * is the same update. Throws `TemporalUnavailable` within 5 s.
   */
  askPayment(payment: Payment, message: Message, id: string): Promise<SettleResult>;
  /** Starts the workflow of a new refund. Never throws and takes 1 s at most, as `startPayment`. */
  startRefund(refund: Refund): Promise<void>;
  /**
   * Starts the workflow of an overdue refund if it has none. Returns and throws as `resumePayment`.
   */
  resumeRefund(refund: Refund, how?: { isPrompt: boolean }): Promise<boolean>;
  /** Starts the workflow of a running replay if it has none. Throws as `resumePayment`. */
  resumeReplay(replayId: string): Promise<void>;
  /**
   * Starts the durable activity of a delivery, or leaves it alone if it is under way. With `at`, it
   * runs at that time and has a lower priority. If that time is past, a run that sleeps for more
   * than a minute is replaced. `about` is shown to people in Temporal's UI. Throws
   * `TemporalUnavailable` within 3 s.
   */
  startDelivery(deliveryId: string, at?: Date | null, about?: About): Promise<void>;
  /**
   * Runs the activity of a delivery at once if it sleeps until its next attempt, or starts one if
   * there is none. The delivery's row has to be due. Throws `TemporalUnavailable` within 3 s.
   */
  hastenDelivery(deliveryId: string, about: About): Promise<void>;
  /** Registers the namespace and search attributes if they are missing. Throws if it fails. */
  prepare(): Promise<void>;
  /** Registers what is missing. Returns whether Temporal is ready. Takes 0.5 s at most. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

interface TemporalOptions {
  connection: ConnectionLike;
  namespace: string;
  /** The prefix of every workflow and activity id. Tests share one namespace. */
  idPrefix?: string;
  /** The suffix of every task queue, for the same reason. */
  queueSuffix?: string;
  webhookTimeoutMs: number;
  /** By default nothing is encrypted, and encrypted payloads cannot be read. */
  encryption?: Encryption;
  log: Log;
}

/** Creates our calls to Temporal over a connection that the caller opened. */
export function makeTemporal(options: TemporalOptions): Temporal {
  const { connection, namespace, encryption } = options;
  const { idPrefix = '', queueSuffix = '', webhookTimeoutMs, log } = options;
  const converter = encryption ? { dataConverter: encryption.dataConverter } : {};
  const client = new Client({ connection, namespace, interceptors: TRACING, ...converter });
  const ready = makeReadiness(client, namespace, log);
  // Temporal has to read search attributes, so they cannot be encrypted.
  const showsAttributes = () => !encryption?.isOn && ready.hasAttributes();
  const optionsOf = makeRunOptions({ idPrefix, queueSuffix, showsAttributes });
  const deliveries = makeDeliveries(client, {
    idPrefix,
    queueSuffix,
    webhookTimeoutMs,
    showsAttributes,
  });

  async function bounded<T>(name: CallName, ms: number, call: () => Promise<T>): Promise<T> {
    const inTime = client.connection.withDeadline(Date.now() + ms, call);
    return timed(name, withinMs(ms, inTime)).catch((error: unknown) => {
      if (!isUnanswered(error)) throw error;
      throw new TemporalUnavailable('Temporal did not reply in time.', { cause: error });
    });
  }

  /** Makes a call within 3 s. Repeats it if Temporal had lost its namespace. */
  async function reach<T>(name: CallName, call: () => Promise<T>): Promise<T> {
    return bounded(name, WAKE_WAIT_MS, async () => ready.prepared(call));
  }

  async function wake(payment: Payment, priority?: Priority): Promise<void> {
    await client.workflow.signalWithStart(PAYMENT_WORKFLOW, {
      ...optionsOf.payment(payment),
      ...(priority ? { priority } : {}),
      signal: WAKE_SIGNAL,
    });
  }

  async function beginRefund(refund: Refund, priority?: Priority): Promise<void> {
    await client.workflow.start(REFUND_WORKFLOW, {
      ...(priority ? { priority } : {}),
      ...optionsOf.refund(refund),
    });
  }

  /** Makes a call as `reach`, in the trace of what it is about. */
  const reachFor = async <T>(name: CallName, { trace }: Traced, call: () => Promise<T>) =>
    joinTrace(trace, async () => reach(name, call));

  /** Calls `begin` unless the workflow is at work. Another wake would only lengthen its history. */
  async function resume(row: Traced, begin: () => Promise<void>): Promise<boolean> {
    return reachFor('resume', row, async () => {
      if (await isAtWork(client, { workflowId: idPrefix + row._id, log })) return false;
      await begin();
      return true;
    });
  }

  const patience = makePatience(START_WAIT_MS);

  /** Logs a failure instead of throwing it. A wake or the sweep starts the workflow later. */
  async function startSoon(row: Traced, call: () => Promise<unknown>): Promise<void> {
    const start = reachFor('start', row, call);
    try {
      await patience(start);
    } catch (error) {
      start.catch(() => undefined);
      log.warn(
        { err: error, id: row._id },
        'a workflow could not be started; a wake or the sweep starts it later',
      );
    }
  }

  /** Queues the updates of a payment. In trials, many at once made the server mix up its tasks. */
  const inQueue = makeQueues(ASKS_AT_ONCE);

  const self: Temporal = {
    async startPayment(payment) {
      const startDelay = Math.max(payment.expires_at.getTime() - payment.created_at.getTime(), 0);
      await startSoon(payment, async () =>
        client.workflow.start(PAYMENT_WORKFLOW, { ...optionsOf.payment(payment), startDelay }),
      );
    },
    async wakePayment(payment) {
      await reachFor('wake', payment, async () => wake(payment));
    },
    resumePayment: async (payment, how) =>
      resume(payment, async () => wake(payment, how?.isPrompt ? undefined : BEHIND)),
    async askPayment(payment, message, id) {
      const start = () =>
        new WithStartWorkflowOperation(PAYMENT_WORKFLOW, optionsOf.payment(payment));
      const ask = async () =>
        client.workflow.executeUpdateWithStart<never, SettleResult, [Message]>(ASK_UPDATE, {
          args: [message],
          updateId: id,
          startWorkflowOperation: start() as never,
        });
      const joined = async () => joinTrace(payment.trace, ask);
      const place = { tenant: payment.m, name: payment._id };
      const asked = bounded('ask', ASK_WAIT_MS, async () =>
        inQueue(place, async () => ready.prepared(async () => untilSeen(joined))),
      );
      // Replaces a run that can never reply, before the caller asks again.
      asked.catch(async () => self.resumePayment(payment).catch(() => undefined));
      return asked;
    },
    async startRefund(refund) {
      await startSoon(refund, async () => beginRefund(refund));
    },
    resumeRefund: async (refund, how) =>
      resume(refund, async () => beginRefund(refund, how?.isPrompt ? undefined : BEHIND)),
    async resumeReplay(replayId) {
      await resume({ _id: replayId }, async () => {
        await client.workflow.start(REPLAY_WORKFLOW, {
          ...optionsOf.run(replayId),
          args: [{ replay_id: replayId }] satisfies [ReplayInput],
        });
      });
    },
    async startDelivery(deliveryId, at, about) {
      await reach('start_delivery', async () => deliveries.start(deliveryId, at, about));
    },
    async hastenDelivery(deliveryId, about) {
      await reach('hasten_delivery', async () => deliveries.hasten(deliveryId, about));
    },
    prepare: ready.prepare,
    isReady: ready.isReady,
    async close() {
      await connection.close();
    },
  };
  return self;
}
