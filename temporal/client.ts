/**
 * The only holder of a Temporal client. Everything that others want of Temporal has a name here;
 * every call is bounded, because a server that is away may take long to say so.
 */
import { Client, Connection, WithStartWorkflowOperation } from '@temporalio/client';
import type { ConnectionLike, ConnectionOptions, WorkflowStartOptions } from '@temporalio/client';
import type { Priority } from '@temporalio/common';
import type { Payment } from '../domain/payment.ts';
import type { Refund } from '../domain/refund.ts';
import type { Message } from '../domain/verdict.ts';
import { makeLines } from '../concurrency.ts';
import type { Log } from '../log.ts';
import {
  ASK_UPDATE,
  DELIVER_ACTIVITY,
  PAYMENTS_QUEUE,
  PAYMENT_WORKFLOW,
  REFUND_WORKFLOW,
  REPLAY_WORKFLOW,
  WAKE_SIGNAL,
  WEBHOOKS_QUEUE,
} from '../workflows/messages.ts';
import type {
  DeliverInput,
  PaymentInput,
  RefundInput,
  ReplayInput,
  SettleResult,
} from '../workflows/messages.ts';
import {
  ASKS_AT_ONCE,
  BEHIND,
  RECONNECT,
  TemporalUnavailable,
  deliveryOptions,
  isUnanswered,
  makePatience,
  untilSeen,
  withinMs,
} from './limits.ts';
import { makeReadiness } from './ready.ts';
import { RUN_POLICIES, isAtWork } from './runs.ts';
import { paymentAttributes, refundAttributes } from './setup.ts';

export { TemporalUnavailable } from './limits.ts';

/** A create answers 201 after so long even when Temporal is away: the sweep finds the payment. */
const START_WAIT_MS = 1_000;
/** Calls that need an answer of the workflow give up after so long, and answer 503. */
const ASK_WAIT_MS = 4_000;
const WAKE_WAIT_MS = 3_000;
export interface Temporal {
  /**
   * Starts the workflow of a new payment, asleep until its lifetime ends. Never throws and takes
   * 1 s at most: what could not be started is started by the first wake or by the sweep.
   */
  startPayment(payment: Payment): Promise<void>;
  /** Wakes the payment's workflow, or starts one. Throws `TemporalUnavailable` within 3 s. */
  wakePayment(payment: Payment): Promise<void>;
  /**
   * Wakes the workflow of an overdue payment, or starts one. Returns false if the workflow has work
   * under way: a wake would only make its history longer. Goes behind live traffic unless it
   * `isPrompt`. Throws as `wakePayment`.
   */
  resumePayment(payment: Payment, how?: { isPrompt: boolean }): Promise<boolean>;
  /**
   * Puts a message before the payment's workflow and waits for what came of it. `id` makes a
   * repeat of the same request the same update. Throws `TemporalUnavailable` within 5 s.
   */
  askPayment(payment: Payment, message: Message, id: string): Promise<SettleResult>;
  /** Starts the workflow of a new refund. Never throws and takes 1 s at most, as `startPayment`. */
  startRefund(refund: Refund): Promise<void>;
  /** Starts the workflow of an overdue refund if it has none. Returns and throws as `resumePayment`. */
  resumeRefund(refund: Refund, how?: { isPrompt: boolean }): Promise<boolean>;
  /** Starts the workflow of a running replay if it has none. Throws as `resumePayment`. */
  resumeReplay(replayId: string): Promise<void>;
  /**
   * Starts the durable activity of a delivery, for `at` when that lies ahead, and behind those that
   * have no `at`; one under way already is left alone. Throws `TemporalUnavailable` within 3 s.
   */
  startDelivery(deliveryId: string, at?: Date | null): Promise<void>;
  /** Registers namespace and search attributes where they are missing. Throws when it cannot. */
  prepare(): Promise<void>;
  /** Registers what is missing. Returns whether Temporal is ready. Takes 0.5 s at most. */
  isReady(): Promise<boolean>;
  close(): Promise<void>;
}

interface TemporalOptions {
  connection: ConnectionLike;
  namespace: string;
  /** Put before every workflow and activity id; tests share one namespace. */
  idPrefix?: string;
  /** Task queues get it as a suffix, for the same reason. */
  queueSuffix?: string;
  webhookTimeoutMs: number;
  log: Log;
}

/** Returns a connection that connects when it is first needed, for processes without workers. */
export function lazyConnection(options: ConnectionOptions): Connection {
  return Connection.lazy({ ...options, channelArgs: { ...RECONNECT, ...options.channelArgs } });
}

/** Our names for Temporal's calls, over a connection that the caller opened. */
export function makeTemporal(options: TemporalOptions): Temporal {
  const client = new Client({ connection: options.connection, namespace: options.namespace });
  const { idPrefix = '', queueSuffix = '', log } = options;
  const ready = makeReadiness(client, options.namespace, log);

  async function bounded<T>(ms: number, call: () => Promise<T>): Promise<T> {
    const inTime = client.connection.withDeadline(Date.now() + ms, call);
    return withinMs(ms, inTime).catch((error: unknown) => {
      if (!isUnanswered(error)) throw error;
      throw new TemporalUnavailable('Temporal did not answer in time.', { cause: error });
    });
  }

  /** Makes a call within a time limit. Repeats it if Temporal had lost its namespace. */
  async function insist<T>(call: () => Promise<T>): Promise<T> {
    return bounded(WAKE_WAIT_MS, async () => ready.prepared(call));
  }

  /** What all our workflows have in common. */
  function runOptions(id: string) {
    return {
      workflowId: idPrefix + id,
      taskQueue: PAYMENTS_QUEUE + queueSuffix,
      ...RUN_POLICIES,
    } satisfies Omit<WorkflowStartOptions, 'args'>;
  }

  function commonOptions({ _id, amount, currency }: Payment | Refund) {
    return { ...runOptions(_id), staticSummary: `${_id} ${amount} ${currency}` };
  }

  function paymentOptions(payment: Payment) {
    return {
      ...commonOptions(payment),
      args: [{ payment_id: payment._id }] satisfies [PaymentInput],
      ...(ready.hasAttributes() ? { typedSearchAttributes: paymentAttributes(payment) } : {}),
    } satisfies WorkflowStartOptions;
  }

  async function wake(payment: Payment, priority?: Priority): Promise<void> {
    await client.workflow.signalWithStart(PAYMENT_WORKFLOW, {
      ...paymentOptions(payment),
      ...(priority ? { priority } : {}),
      signal: WAKE_SIGNAL,
    });
  }

  async function beginRefund(refund: Refund, priority?: Priority): Promise<void> {
    await client.workflow.start(REFUND_WORKFLOW, {
      ...(priority ? { priority } : {}),
      ...commonOptions(refund),
      args: [{ refund_id: refund._id }] satisfies [RefundInput],
      ...(ready.hasAttributes() ? { typedSearchAttributes: refundAttributes(refund) } : {}),
    });
  }

  async function beginReplay(replayId: string): Promise<void> {
    await client.workflow.start(REPLAY_WORKFLOW, {
      ...runOptions(replayId),
      args: [{ replay_id: replayId }] satisfies [ReplayInput],
    });
  }

  /** Calls `begin` unless the workflow is at work. Another wake would only lengthen its history. */
  async function resume(id: string, begin: () => Promise<void>): Promise<boolean> {
    return insist(async () => {
      if (await isAtWork(client, { workflowId: idPrefix + id, log })) return false;
      await begin();
      return true;
    });
  }

  const patience = makePatience(START_WAIT_MS);

  /** A workflow that is late or refused is only logged: a wake or the sweep starts it later. */
  async function startSoon(id: string, call: () => Promise<unknown>): Promise<void> {
    const start = insist(call);
    try {
      await patience(start);
    } catch (error) {
      start.catch(() => undefined);
      log.warn({ err: error, id }, 'the workflow was not started at once');
    }
  }

  /** One ask of a payment after another: many at once make the server mix up its tasks (tried). */
  const inLine = makeLines(ASKS_AT_ONCE);

  const self: Temporal = {
    async startPayment(payment) {
      const startDelay = Math.max(payment.expires_at.getTime() - payment.created_at.getTime(), 0);
      await startSoon(payment._id, async () =>
        client.workflow.start(PAYMENT_WORKFLOW, { ...paymentOptions(payment), startDelay }),
      );
    },
    async wakePayment(payment) {
      await insist(async () => wake(payment));
    },
    resumePayment: async (payment, how) =>
      resume(payment._id, async () => wake(payment, how?.isPrompt ? undefined : BEHIND)),
    async askPayment(payment, message, id) {
      const start = () => new WithStartWorkflowOperation(PAYMENT_WORKFLOW, paymentOptions(payment));
      const ask = async () =>
        client.workflow.executeUpdateWithStart<never, SettleResult, [Message]>(ASK_UPDATE, {
          args: [message],
          updateId: id,
          startWorkflowOperation: start() as never,
        });
      const place = { tenant: payment.m, name: payment._id };
      const asked = bounded(ASK_WAIT_MS, async () =>
        inLine(place, async () => ready.prepared(async () => untilSeen(ask))),
      );
      // Replaces a run that can never reply, before the caller asks again.
      asked.catch(async () => self.resumePayment(payment).catch(() => undefined));
      return asked;
    },
    async startRefund(refund) {
      await startSoon(refund._id, async () => beginRefund(refund));
    },
    resumeRefund: async (refund, how) =>
      resume(refund._id, async () => beginRefund(refund, how?.isPrompt ? undefined : BEHIND)),
    async resumeReplay(replayId) {
      await resume(replayId, async () => beginReplay(replayId));
    },
    async startDelivery(deliveryId, at) {
      await insist(async () =>
        client.activity.start(DELIVER_ACTIVITY, {
          id: idPrefix + deliveryId,
          taskQueue: WEBHOOKS_QUEUE + queueSuffix,
          args: [{ delivery_id: deliveryId }] satisfies [DeliverInput],
          ...deliveryOptions(options.webhookTimeoutMs, at),
        }),
      );
    },
    prepare: async () => ready.prepare(),
    isReady: async () => ready.isReady(),
    async close() {
      await options.connection.close();
    },
  };
  return self;
}
