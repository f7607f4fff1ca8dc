/**
 * Payments in simulated time: the real workflow and activities on the time-skipping server, which
 * has no Standalone Activities. Starts of deliveries are only recorded.
 */
import { TestWorkflowEnvironment } from '@temporalio/testing';
import { Worker } from '@temporalio/worker';
import { sandboxBank } from '../../activities/bank.ts';
import { createActivities } from '../../activities/index.ts';
import type { DecisionName } from '../../domain/bank.ts';
import type { Payment } from '../../domain/payment.ts';
import type { Message } from '../../domain/verdict.ts';
import { makeLog } from '../../log.ts';
import type { Mongo } from '../../store/mongo.ts';
import { insertPayment } from '../../store/payments.ts';
import { ASK_UPDATE, PAYMENT_WORKFLOW, WAKE_SIGNAL } from '../../workflows/messages.ts';
import type { SettleResult } from '../../workflows/messages.ts';
import { BANK_TIMEOUT_MS, chooseAtBank, goToBank, stored } from '../support/bank.ts';
import { makePayment } from '../support/rows/payment.ts';
import { until } from '../support/until.ts';
import { testServers } from '../support/run.ts';
import { openDatabase } from '../support/mongo.ts';
import { LINKS, quietRuntime } from '../support/worker.ts';

const QUEUE = 'payments';

/** A payment with its workflow, and the actions of the customer, the merchant and the bank. */
export interface Life {
  readonly payment: Payment;
  read(): Promise<Payment>;
  comesTo(status: Payment['status']): Promise<Payment>;
  /** The types of its merchant's events, oldest first. */
  events(): Promise<string[]>;
  wake(): Promise<void>;
  ask(message: Message, id: string): Promise<SettleResult>;
  goToBank(): Promise<Payment>;
  /** Goes to the bank, chooses there, and lets the bank wake the workflow. */
  choose(outcome: DecisionName): Promise<void>;
  /** Skips time until the workflow has ended. Returns its result. */
  end(): Promise<string>;
}

export interface Simulation {
  readonly env: TestWorkflowEnvironment;
  readonly mongo: Mongo;
  /** Ids of the deliveries that were started. */
  readonly started: string[];
  /** Called before a delivery is started. May throw. */
  beforeStart: () => void;
  now(): Promise<Date>;
  begin(overrides?: Partial<Payment>): Promise<Life>;
  close(): Promise<void>;
}

/** Starts a time-skipping server with a worker of our own. */
export async function startSimulation(file: string): Promise<Simulation> {
  quietRuntime();
  const mongo = await openDatabase(file);
  const { testServerPath, workflowBundle } = testServers();
  const executable = { type: 'existing-path', path: testServerPath } as const;
  const env = await TestWorkflowEnvironment.createTimeSkipping({ server: { executable } });
  const worker = await Worker.create({
    connection: env.nativeConnection,
    namespace: env.namespace ?? 'default',
    taskQueue: QUEUE,
    workflowBundle,
    activities: createActivities({
      mongo,
      temporal: {
        startDelivery: async (id) => {
          self.beforeStart();
          self.started.push(id);
        },
        resumePayment: async () => true,
        resumeRefund: async () => true,
        resumeReplay: async () => undefined,
      },
      bank: sandboxBank(mongo),
      log: makeLog('test', 'silent'),
      links: LINKS,
      bankTimeoutMs: BANK_TIMEOUT_MS,
    }),
  });
  const running = worker.run();
  const self: Simulation = {
    env,
    mongo,
    started: [],
    beforeStart: () => undefined,
    now: async () => new Date(await env.currentTimeMs()),
    begin: async (overrides = {}) => begin(self, overrides),
    close: async () => {
      worker.shutdown();
      await running;
      await env.teardown();
      await mongo.close();
    },
  };
  return self;
}

async function begin(simulation: Simulation, overrides: Partial<Payment>): Promise<Life> {
  const { env, mongo } = simulation;
  const payment = makePayment({ created_at: await simulation.now(), ...overrides });
  const { _id: id, m: tenant } = payment;
  await insertPayment(mongo, payment);
  const handle = await env.client.workflow.start(PAYMENT_WORKFLOW, {
    workflowId: id,
    taskQueue: QUEUE,
    args: [{ payment_id: id }],
  });
  const read = async () => stored(mongo, id);
  return {
    payment,
    read,
    comesTo: async (status) => until(read, (found) => found.status === status),
    events: async () => {
      const events = await mongo.events.find({ m: tenant }).sort({ _id: 1 }).toArray();
      return events.map((event) => event.type);
    },
    wake: async () => handle.signal(WAKE_SIGNAL),
    ask: async (message, updateId) =>
      handle.executeUpdate<SettleResult, [Message]>(ASK_UPDATE, { args: [message], updateId }),
    goToBank: async () => goToBank(mongo, id, await simulation.now()),
    choose: async (outcome) => {
      await chooseAtBank(mongo, id, { outcome, now: await simulation.now() });
      await handle.signal(WAKE_SIGNAL);
    },
    end: async () => handle.result() as Promise<string>,
  };
}
