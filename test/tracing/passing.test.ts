/** Without a collector, traces pass through, and nothing of OpenTelemetry is loaded. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import type { Delivery } from '../../domain/delivery.ts';
import { closeAfterTests } from '../support/close.ts';
import { openCollector } from '../support/collector.ts';
import { payWithOutcome } from '../support/customer.ts';
import { openReceiver } from '../support/receiver.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { PARENT_ID, makeTracing, newTraceId, placeOf, webhooksAbout } from './ground.ts';

const collector = closeAfterTests(await openCollector());
const receiver = closeAfterTests(await openReceiver());
const deployment = closeAfterTests(
  await openDeployment({
    file: 'tracing-off',
    // Node logs each module that it loads.
    env: { LOG_LEVEL: 'info', NODE_DEBUG: 'module' },
  }),
);
await deployment.start();
const merchant = await deployment.createMerchant(receiver.url);
const { create } = makeTracing(deployment, merchant);
const logOf = (name: string): string =>
  readFileSync(path.join(deployment.folder, `${name}.log`), 'utf8');

/** Returns true if the program loads the SDK. prom-client loads the package of interfaces. */
const loads = (name: string): boolean => /@opentelemetry\/(?!api\b)/.test(logOf(name));

/** Returns the deliveries of a payment's first event. */
async function deliveriesOf(id: string): Promise<Delivery[]> {
  const event = await deployment.mongo.events.findOne({ payment_id: id });
  return deployment.mongo.deliveries.find({ event_id: event!._id }).toArray();
}

describe('without a collector', () => {
  it('the receiver gets the traceparent of the merchant unchanged, and the same bytes', async () => {
    const traceparent = `00-${newTraceId()}-${PARENT_ID}-01`;
    const payment = await create({ traceparent, tracestate: 'shop=1' });
    await payWithOutcome(payment, 'approve');
    const [webhook] = await webhooksAbout(receiver, payment.id);
    expect(webhook!.headers).toMatchObject({ traceparent, tracestate: 'shop=1' });
    verify(webhook!, merchant.secret);
    const event = await deployment.mongo.events.findOne({ payment_id: payment.id });
    expect(webhook!.raw.toString()).toBe(event!.body);
    expect(event!.body).not.toContain('trace');
    const row = await until(
      async () => (await deliveriesOf(payment.id))[0]!,
      ({ attempts }) => attempts.length > 0,
    );
    expect(row.attempts[0]!.request?.headers).toContainEqual(['traceparent', traceparent]);
  });

  it.each([
    '',
    'hostile',
    `00-${'0'.repeat(32)}-${PARENT_ID}-01`,
    `ff-${newTraceId()}-${PARENT_ID}-01`,
  ])('a payment with the traceparent "%s" has a new trace', async (traceparent) => {
    const payment = await create({ traceparent, tracestate: 'hostile=1' });
    await payWithOutcome(payment, 'approve');
    const [webhook] = await webhooksAbout(receiver, payment.id);
    const { traceId, flags } = placeOf(webhook!);
    expect(traceparent).not.toContain(traceId!);
    // Sampled: receivers that follow the sender's choice must not lose their own spans.
    expect(flags).toBe('03');
    expect(webhook!.headers).not.toHaveProperty('tracestate');
  });

  it('the lines of both logs have the id of the trace', async () => {
    const traceId = newTraceId();
    const payment = await create({ traceparent: `00-${traceId}-${PARENT_ID}-00` });
    await payWithOutcome(payment, 'approve');
    await webhooksAbout(receiver, payment.id);
    const linesWith = (name: string, text: string) =>
      logOf(name)
        .split('\n')
        .filter((line) => line.includes(`"trace_id":"${traceId}"`) && line.includes(text));
    expect(linesWith('server', '"path":"/v1/payments"')).toHaveLength(1);
    await until(
      () => linesWith('worker', 'delivery attempt made').length,
      (count) => count === 1,
    );
  });

  it('a payment of an earlier version has no trace, and its webhook no traceparent', async () => {
    const payment = await create({});
    await deployment.mongo.payments.updateOne({ _id: payment.id }, { $unset: { trace: '' } });
    // Its workflow has no header either, as one that an earlier version started.
    await payWithOutcome(payment, 'approve');
    const [webhook] = await webhooksAbout(receiver, payment.id);
    verify(webhook!, merchant.secret);
  });

  it('the SDK of OpenTelemetry is not loaded', async () => {
    for (const name of ['server', 'worker']) expect(loads(name)).toBe(false);
    const env = { OTEL_EXPORTER_OTLP_ENDPOINT: collector.url };
    const exporting = deployment.program('exporting', ['worker.js'], {
      url: `http://127.0.0.1:${deployment.env['WORKER_HEALTH_PORT']}`,
      env,
    });
    await deployment.worker.kill();
    await exporting.start();
    // The log shows what is loaded, so the check above could have failed.
    expect(loads('exporting')).toBe(true);
  });
});
