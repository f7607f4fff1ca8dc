/** A Temporal without the namespace that our calls need, and the readiness that we report. */
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { Client } from '@temporalio/client';
import type { ConnectionOptions } from '@temporalio/client';
import { pino } from 'pino';
import type { Log } from '../../log.ts';
import { lazyConnection, makeTemporal } from '../../temporal/client.ts';
import type { Temporal } from '../../temporal/client.ts';
import { mapConcurrently } from '../support/concurrent.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openProxy } from '../support/servers/proxy.ts';
import { rejection } from '../store/database.ts';
import { until } from '../support/until.ts';
import { privateName, testServers } from '../support/run.ts';
import { closeAfterTests } from '../support/close.ts';

type Interceptor = NonNullable<ConnectionOptions['interceptors']>[number];

let temporal: Temporal;
let namespace: string;
/** Names of the calls that were sent. */
let calls: string[] = [];
/** Called for each logged warning. */
let onWarning: () => void;

const client = (): Client => new Client({ connection, namespace });
const countOf = (call: string): number => calls.filter((name) => name === call).length;
/** Returns a payment that Temporal refuses, because its id is too long. */
const refused = () => makePayment({ _id: `pay_${'x'.repeat(2_000)}` });

const [host = '', port] = testServers().temporalAddress.split(':');
const proxy = closeAfterTests(await openProxy({ host, port: Number(port) }));
const interceptor: Interceptor = (options, nextCall) => {
  calls.push(options.method_definition.path.split('/').at(-1) ?? '');
  return nextCall(options) as ReturnType<Interceptor>;
};
const connection = lazyConnection({ address: proxy.address, interceptors: [interceptor] });
afterAll(async () => {
  await connection.close();
});
beforeEach(() => {
  namespace = privateName('ready');
  onWarning = () => undefined;
  temporal = open(pino({ level: 'warn' }, { write: () => onWarning() }));
  calls = [];
});

const open = (log: Log): Temporal =>
  makeTemporal({ connection, namespace, webhookTimeoutMs: 1_000, log });

/** Repeats a call that a busy server did not finish. */
async function untilDone(call: () => Promise<unknown>): Promise<void> {
  const tried = async () =>
    call().then(
      () => undefined,
      (error: Error) => error,
    );
  const fault = await until(tried, (error) => error?.name !== 'TemporalUnavailable');
  if (fault) throw fault;
}

async function loseNamespace(): Promise<void> {
  await connection.operatorService.deleteNamespace({ namespace });
}

/** Waits for the run, because Temporal needs a moment to find a new namespace everywhere. */
async function exists(id: string): Promise<boolean> {
  return until(async () => isThere(id), Boolean);
}

const isThere = async (id: string): Promise<boolean> =>
  client()
    .workflow.getHandle(id)
    .describe()
    .then(Boolean, () => false);

describe('a namespace that is missing', () => {
  it('is registered by a start, which then succeeds', async () => {
    const payment = makePayment();
    await untilDone(async () => temporal.resumePayment(payment));
    expect(await exists(payment._id)).toBe(true);
  });

  it.each([
    ['a payment', async (id: string) => temporal.wakePayment(makePayment({ _id: id }))],
    ['a replay', async (id: string) => temporal.resumeReplay(id)],
  ])('is registered again after a loss, by the start of %s', async (_, start) => {
    await untilDone(async () => temporal.wakePayment(makePayment()));
    await loseNamespace();
    // A client in another process, which has not just registered the namespace.
    temporal = open(pino({ level: 'silent' }));
    // A start may still reach the lost namespace. The sweep repeats such a start too.
    const isStarted = await until(async () => {
      await untilDone(async () => start('again'));
      return isThere('again');
    }, Boolean);
    expect(isStarted).toBe(true);
  });

  it('is registered again by isReady', async () => {
    expect(await until(async () => temporal.isReady(), Boolean)).toBe(true);
    await loseNamespace();
    calls = [];
    expect(await until(async () => temporal.isReady(), Boolean)).toBe(true);
    expect(countOf('AddSearchAttributes')).toBeGreaterThan(0);
    const payment = makePayment();
    await untilDone(async () => temporal.wakePayment(payment));
    expect(await exists(payment._id)).toBe(true);
  });

  it('is registered once by many starts at the same time', async () => {
    const payments = Array.from({ length: 20 }, () => makePayment());
    await Promise.all(
      payments.map(async (payment) => untilDone(async () => temporal.resumePayment(payment))),
    );
    expect(countOf('RegisterNamespace')).toBe(1);
  });
});

describe('a start that Temporal refuses', () => {
  it('prepares the namespace once for many refused rows', async () => {
    const rows = Array.from({ length: 200 }, refused);
    await mapConcurrently(rows, 10, async (row) => {
      await rejection(temporal.resumePayment(row));
    });
    // A slow machine may exceed the pause between preparations, but not for every row.
    expect(countOf('ListSearchAttributes')).toBeLessThanOrEqual(20);
  });

  it('is not reported as an unavailable Temporal', async () => {
    await expect(untilDone(async () => temporal.resumePayment(refused()))).rejects.toMatchObject({
      name: 'ServiceError',
    });
  });

  it('leaves isReady true', async () => {
    expect(await until(async () => temporal.isReady(), Boolean)).toBe(true);
    await rejection(temporal.wakePayment(refused()));
    expect(await until(async () => temporal.isReady(), Boolean)).toBe(true);
  });

  it('leaves isReady true after a failed registration, once starts succeed again', async () => {
    // The refusal is logged before the namespace is prepared. From then on no call gets a reply.
    onWarning = () => proxy.pause();
    await rejection(temporal.wakePayment(makePayment()));
    expect(await temporal.isReady()).toBe(false);
    onWarning = () => undefined;
    proxy.resume();
    const payment = makePayment();
    await untilDone(async () => temporal.wakePayment(payment));
    expect(await until(async () => temporal.isReady(), Boolean)).toBe(true);
  });
});

describe('isReady', () => {
  it('makes two reads if nothing is missing, and counts no workflows', async () => {
    await temporal.prepare();
    calls = [];
    await temporal.prepare();
    expect(calls).toEqual(['DescribeNamespace', 'DescribeWorkflowExecution']);
  });
});
