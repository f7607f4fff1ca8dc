/** One payment is one trace: from the merchant's POST to the merchant's webhook. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { closeAfterTests } from '../support/close.ts';
import { openCollector } from '../support/collector.ts';
import type { ExportedSpan } from '../support/collector.ts';
import { chooseOutcome, enterCard, payWithOutcome } from '../support/customer.ts';
import { openReceiver } from '../support/receiver.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import {
  PARENT_ID,
  have,
  makeTracing,
  named,
  newTraceId,
  placeOf,
  webhooksAbout,
} from './ground.ts';

const collector = closeAfterTests(await openCollector());
const receiver = closeAfterTests(await openReceiver());
const deployment = closeAfterTests(
  await openDeployment({
    file: 'tracing',
    env: {
      LOG_LEVEL: 'info',
      // The trace is beside the encrypted payloads. The other files run without encryption.
      TEMPORAL_ENCRYPT_PAYLOADS: 'true',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_EXPORTER_OTLP_HEADERS: 'Authorization=Bearer%20collector',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment=test',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    },
    worker: { OTEL_SERVICE_NAME: 'own-worker-name' },
  }),
);
await deployment.start();
const merchant = await deployment.createMerchant(receiver.url);
const { create, post } = makeTracing(deployment, merchant);

const traceparent = (traceId: string, flags = '01') => ({
  traceparent: `00-${traceId}-${PARENT_ID}-${flags}`,
});

/** Returns the name of a span's parent, its parent, and so on. */
function wayOf(spans: readonly ExportedSpan[], from: ExportedSpan | undefined): string[] {
  if (!from) return [];
  const parent = spans.find(({ spanId }) => spanId === from.parentId);
  return [from.name, ...wayOf(spans, parent)];
}

const isDone = have('RunWorkflow:payment', 'RunActivity:deliverWebhook');

const START = ['StartWorkflow:payment', 'POST /v1/payments'];
const SETTLE = ['RunActivity:settlePayment', 'RunWorkflow:payment', ...START];
const DELIVER = ['RunActivity:deliverWebhook', 'StartActivity:deliverWebhook', ...SETTLE];

const isOne = (count: number): boolean => count === 1;

describe('a payment with a traceparent', () => {
  it('is one trace, whose spans have the right parents', async () => {
    const traceId = newTraceId();
    const payment = await create({ ...traceparent(traceId), tracestate: 'shop=1,other=x y' });
    await payWithOutcome(payment, 'approve');
    const [webhook] = await webhooksAbout(receiver, payment.id);
    verify(webhook!, merchant.secret);
    const spans = await collector.trace(traceId, isDone);
    const only = (name: string): ExportedSpan => {
      const found = named(spans, name);
      expect(found.map((span) => span.name)).toEqual([name]);
      return found[0]!;
    };
    expect(only('POST /v1/payments')).toMatchObject({ parentId: PARENT_ID, kind: 2 });
    const sent = only('POST webhook');
    expect(wayOf(spans, sent)).toEqual(['POST webhook', ...DELIVER]);
    expect(sent).toMatchObject({
      kind: 3,
      failed: false,
      service: 'own-worker-name',
      attributes: { 'http.response.status_code': 200, 'tollgate.payment_id': payment.id },
    });
    expect(placeOf(webhook!)).toEqual({ traceId, spanId: sent.spanId, flags: '01' });
    expect(webhook!.headers['tracestate']).toBe('shop=1,other=x y');
    expect(collector.authorization).toBe('Bearer collector');
  });

  it('is joined by the requests of the customer, but not by their own trace', async () => {
    const traceId = newTraceId();
    const payment = await create(traceparent(traceId));
    const bank = await enterCard(payment);
    const own = newTraceId();
    await fetch(bank, { headers: traceparent(own) });
    await chooseOutcome(bank, 'approve');
    await webhooksAbout(receiver, payment.id);
    const wake = 'SignalWithStartWorkflow:bankAnswered';
    const route = '/bank/:paymentId/:attemptId/:signature';
    const pages = ['POST /c/:token/pay', `GET ${route}`];
    const spans = await collector.trace(traceId, have(wake, ...pages, `POST ${route}`));
    expect(wayOf(spans, named(spans, wake)[0])).toEqual([
      wake,
      `POST ${route}`,
      'POST /v1/payments',
    ]);
    for (const page of pages) {
      expect(wayOf(spans, named(spans, page)[0])).toEqual([page, 'POST /v1/payments']);
    }
    expect(collector.spans.filter((span) => span.traceId === own)).toEqual([]);
  });

  it('exports nothing if the trace is not sampled, and says so to the receiver', async () => {
    const traceId = newTraceId();
    const payment = await create(traceparent(traceId, '00'));
    await payWithOutcome(payment, 'approve');
    const [webhook] = await webhooksAbout(receiver, payment.id);
    expect(placeOf(webhook!)).toMatchObject({ traceId, flags: '00' });
    // A later trace has arrived, so this one would have too.
    const later = newTraceId();
    const other = await create(traceparent(later));
    await payWithOutcome(other, 'approve');
    await collector.trace(later, isDone);
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it('has a client span for each attempt of a delivery', async () => {
    const traceId = newTraceId();
    const payment = await create(traceparent(traceId));
    let tries = 0;
    receiver.respond = (_, { raw }) => {
      if (!raw.includes(payment.id)) return { status: 200 };
      tries += 1;
      return { status: tries < 3 ? 500 : 200 };
    };
    await payWithOutcome(payment, 'approve');
    const webhooks = await webhooksAbout(receiver, payment.id, 3);
    const spans = await collector.trace(
      traceId,
      (all) => named(all, 'POST webhook').length === 3 && isDone(all),
    );
    const sent = named(spans, 'POST webhook');
    const places = webhooks.map((webhook) => placeOf(webhook).spanId);
    expect(new Set(places)).toEqual(new Set(sent.map(({ spanId }) => spanId)));
    expect(sent).toHaveLength(3);
    const statuses = sent.map(({ failed, attributes }) =>
      [attributes['tollgate.attempt'], attributes['http.response.status_code'], failed].join(' '),
    );
    expect(new Set(statuses)).toEqual(new Set(['1 500 true', '2 500 true', '3 200 false']));
    for (const span of sent) expect(wayOf(spans, span)).toEqual(['POST webhook', ...DELIVER]);
    // An attempt that is retried later is no failed activity.
    expect(named(spans, 'RunActivity:deliverWebhook').some(({ failed }) => failed)).toBe(false);
  });
});

describe('a refund', () => {
  it('has the trace of its own request', async () => {
    const [paid, traceId] = [newTraceId(), newTraceId()];
    const payment = await create(traceparent(paid));
    await payWithOutcome(payment, 'approve');
    await webhooksAbout(receiver, payment.id);
    const body = { payment_id: payment.id };
    const refund = await post<{ id: string }>('/v1/refunds', body, traceparent(traceId));
    const webhooks = await webhooksAbout(receiver, refund.id, 2);
    expect(webhooks.map((webhook) => placeOf(webhook).traceId)).toEqual([traceId, traceId]);
    const spans = await collector.trace(
      traceId,
      have('RunWorkflow:refund', 'bank refund', 'StartWorkflow:refund', 'POST /v1/refunds'),
    );
    expect(wayOf(spans, named(spans, 'bank refund')[0])).toEqual([
      'bank refund',
      'RunActivity:settleRefund',
      'RunWorkflow:refund',
      'StartWorkflow:refund',
      'POST /v1/refunds',
    ]);
  });
});

describe('a payment canceled by another request', () => {
  it('stays in its trace, and links to the request', async () => {
    const [traceId, other] = [newTraceId(), newTraceId()];
    const payment = await create(traceparent(traceId));
    const response = await fetch(`${deployment.apiUrl}/v1/payments/${payment.id}/cancel`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${merchant.apiKey}`, ...traceparent(other) },
    });
    expect(response.status).toBe(200);
    const [webhook] = await webhooksAbout(receiver, payment.id);
    expect(placeOf(webhook!).traceId).toBe(traceId);
    const name = 'UpdateWithStartWorkflow:ask';
    const [ask] = named(await collector.trace(traceId, have(name)), name);
    const [request] = await collector.trace(other, have('POST /v1/payments/:id/cancel'));
    expect(ask!.links).toEqual([{ traceId: other, spanId: request!.spanId }]);
  });
});

describe('the export', () => {
  it('has nothing of what a merchant or customer sent, and no secret', async () => {
    const traceId = newTraceId();
    const marks = {
      order_id: 'hostile-order',
      description: 'hostile-description',
      metadata: { note: 'hostile-metadata' },
      return_url: 'https://shop.example/?hostile=query',
    };
    const headers = { ...traceparent(traceId), tracestate: 'card=4242424242424242' };
    const { id } = await create(headers, marks);
    const payment = await merchant.retrieve(id);
    await payWithOutcome(payment, 'approve');
    await webhooksAbout(receiver, id);
    await fetch(`${deployment.apiUrl}/v1/payments/hostile-id?hostile=query`, {
      headers: { Authorization: `Bearer ${merchant.apiKey}`, 'User-Agent': 'hostile-agent' },
    });
    await collector.trace(traceId, isDone);
    const exported = Buffer.concat(collector.bytes).toString('latin1');
    expect(exported).toContain(id);
    const token = new URL(payment.checkout_url).pathname.split('/').at(-1)!;
    const secrets = ['hostile', merchant.apiKey, merchant.secret, token, '42424242', '4242 4242'];
    expect(secrets.filter((secret) => exported.includes(secret))).toEqual([]);
    expect(collector.spans.filter(({ name }) => /[a-z]{2,}_[0-9A-Z]{26}/.test(name))).toEqual([]);
  });

  it('has no spans of strangers', async () => {
    const traceId = newTraceId();
    const response = await fetch(`${deployment.apiUrl}/v1/payments`, {
      headers: { Authorization: 'Bearer sk_test_unknown', ...traceparent(traceId) },
    });
    expect(response.status).toBe(401);
    const later = newTraceId();
    await create(traceparent(later));
    await collector.trace(later, have('POST /v1/payments'));
    expect(collector.spans.filter((span) => span.traceId === traceId)).toEqual([]);
  });

  it('leaves the id of the trace in the lines of both logs', async () => {
    const traceId = newTraceId();
    const payment = await create(traceparent(traceId));
    await payWithOutcome(payment, 'approve');
    await webhooksAbout(receiver, payment.id);
    await collector.trace(traceId, isDone);
    const lines = (name: string, text: string) => () =>
      readFileSync(path.join(deployment.folder, `${name}.log`), 'utf8')
        .split('\n')
        .filter((line) => line.includes(`"trace_id":"${traceId}"`) && line.includes(text)).length;
    await until(lines('server', '"path":"/v1/payments"'), isOne);
    await until(lines('server', '/c/:token/pay'), isOne);
    await until(lines('worker', 'delivery attempt made'), isOne);
  });
});
