/** The metrics of a real server and a real worker. */
import { describe, expect, it } from 'vitest';
import { closeAfterTests } from '../support/close.ts';
import { freePort } from '../support/port.ts';
import { openReceiver } from '../support/receiver.ts';
import { openDeployment } from '../support/servers/deployment.ts';
import { until } from '../support/until.ts';
import { SDK_METRICS } from './names.ts';
import { namesOf, scrape, sumOf } from './scrape.ts';

const [serverPort, workerPort] = [await freePort(), await freePort()];
const receiver = closeAfterTests(await openReceiver());
const deployment = closeAfterTests(
  await openDeployment({
    file: 'metrics',
    server: { METRICS_PORT: String(serverPort) },
    worker: { METRICS_PORT: String(workerPort) },
  }),
);
await deployment.start();
const merchant = await deployment.createMerchant(receiver.url);

const statusAt = async (url: string, method = 'GET'): Promise<number> =>
  (await fetch(url, { method })).status;

describe('the metrics of server and worker', () => {
  it('have a payment, its delivery, its requests and the calls that it made', async () => {
    const declined = await merchant.create('declined');
    await merchant.outcome(declined.id, 'insufficient_funds');
    const { id } = await merchant.create('paid');
    await merchant.create('paid');
    await merchant.outcome(id, 'approve');
    const worker = await until(
      async () => scrape(workerPort),
      (series) => sumOf(series, 'tollgate_webhook_success_lag_seconds_count') >= 2,
    );
    const server = await scrape(serverPort);
    expect(server.get('tollgate_payments_total{status="created",currency="AMD"}')).toBe(2);
    expect(server.get('tollgate_payments_total{status="processing",currency="AMD"}')).toBe(2);
    expect(worker.get('tollgate_payments_total{status="completed",currency="AMD"}')).toBe(1);
    expect(worker.get('tollgate_payment_declines_total{code="insufficient_funds"}')).toBe(1);
    expect(worker.get('tollgate_webhook_attempts_total{result="succeeded"}')).toBe(2);
    expect(server.get('tollgate_idempotent_replays_total{route="/v1/payments"}')).toBe(1);
    const route = 'service="api",method="POST",route="/v1/payments"';
    expect(server.get(`tollgate_http_requests_total{${route},status="2xx"}`)).toBe(3);
    const insert = 'tollgate_mongodb_command_duration_seconds_count{command="insert"}';
    expect(server.get(insert)).toBeGreaterThan(1);
    expect(server.get('tollgate_temporal_call_duration_seconds_count{call="ask"}')).toBe(2);
    for (const series of [server, worker]) {
      expect(series.get('tollgate_overdue_seconds{kind="payments"}')).toBe(0);
      expect(series.get('nodejs_eventloop_lag_p99_seconds')).toBeGreaterThan(0);
    }
  });

  it('have those of the Temporal SDK on the same port of the worker', async () => {
    const names = [...namesOf(await scrape(workerPort))].map((name) => name.replace(/_count$/, ''));
    expect(names).toEqual(expect.arrayContaining(SDK_METRICS));
  });

  it('are at no other port and no other path', async () => {
    const { env, apiUrl } = deployment;
    const others = [apiUrl, env['CHECKOUT_URL'], `http://127.0.0.1:${env['DASHBOARD_PORT']}`];
    const found = others.map(async (url) => statusAt(`${url}/metrics`));
    expect(await Promise.all(found)).toEqual([404, 404, 404]);
    const own = `http://127.0.0.1:${serverPort}`;
    expect(await statusAt(`${own}/`)).toBe(404);
    expect(await statusAt(`${own}/v1/payments`)).toBe(404);
    expect(await statusAt(`${own}/metrics`, 'POST')).toBe(405);
  });
});
