/** The metrics of requests, with clients that try to invent series. */
import { once } from 'node:events';
import { connect } from 'node:net';
import { Registry } from 'prom-client';
import { afterAll, describe, expect, it } from 'vitest';
import { publish } from '../../facts.ts';
import { countRequests } from '../../metrics/requests.ts';
import { PAYMENT, openStand, putPayment } from '../api/harness.ts';
import { parseMetrics, seriesOf, sumOf } from './scrape.ts';

const registry = new Registry();
const ends = countRequests(registry);
afterAll(() => {
  for (const end of ends) end();
});
const { api, mongo, temporal, tenant } = await openStand('metrics-requests');

/** Returns the series, without those of pages that an earlier file of this process still serves. */
async function read() {
  const all = [...parseMetrics(await registry.metrics())];
  return new Map(all.filter(([series]) => !/service="(?:checkout|dashboard)"/.test(series)));
}

async function send(method: string, path: string, key = tenant.secret): Promise<number> {
  const response = await fetch(api.url + path, {
    method,
    headers: { Authorization: `Bearer ${key}` },
  });
  await response.text();
  return response.status;
}

/** Sends bytes that are no HTTP, and waits for the end of the response. */
async function sendBytes(bytes: string): Promise<void> {
  const socket = connect(api.port, '127.0.0.1');
  socket.end(bytes);
  socket.resume();
  await once(socket, 'close');
}

let round = 0;

/** Sends requests of every strange kind. Each round has other texts. */
async function annoy(): Promise<void> {
  round += 1;
  const junk = `x${round}%2f..%00`;
  await send('GET', `/${junk}`);
  await send('GET', `/v1/payments/${junk}?${junk}=1`);
  await send('GET', `/v1/payments/pay_${round}`, `sk_test_${round}`);
  for (const method of ['DELETE', 'PUT', 'PATCH', 'OPTIONS', 'PROPFIND', 'HEAD']) {
    await send(method, '/v1/payments');
    await send(method, `/${junk}`);
  }
  await sendBytes(`BREW${round} /v1/payments HTTP/1.1\r\nHost: a\r\n\r\n`);
  const { _id } = await putPayment({ mongo, tenant });
  temporal.fault = new Error(`fault ${round}`);
  const cancel = async () => api.send('POST', `/v1/payments/${_id}/cancel`, { body: {} });
  expect((await cancel()).status).toBe(500);
}

describe('the metrics of requests', () => {
  it('have the patterns of routes, and get no series from strange requests', async () => {
    await annoy();
    const before = await read();
    for (let times = 0; times < 5; times += 1) await annoy();
    const after = await read();
    expect([...after.keys()]).toEqual([...before.keys()]);
    const requests = 'tollgate_http_requests_total';
    const cancel = 'service="api",method="POST",route="/v1/payments/:id/cancel"';
    expect(after.get(`${requests}{${cancel},status="5xx"}`)).toBe(6);
    const unrouted = `${requests}{service="api",method="other",route="other",status="4xx"}`;
    expect(after.get(unrouted)).toBeGreaterThan(60);
    expect(after.get('tollgate_refusals_total{code="internal_error"}')).toBe(6);
    expect(after.get('tollgate_refusals_total{code="method_not_allowed"}')).toBe(30);
    expect(JSON.stringify([...after.keys()])).not.toMatch(/x\d|%|pay_|BREW|PROPFIND/);
  });

  it('count HEAD as GET, and an unknown code as `other`', async () => {
    await send('HEAD', '/v1/currencies');
    publish('refused', { code: 'a code of tomorrow' });
    const series = await read();
    const route = 'service="api",method="GET",route="/v1/currencies"';
    expect(series.get(`tollgate_http_request_duration_seconds_count{${route}}`)).toBe(1);
    expect(series.get('tollgate_refusals_total{code="other"}')).toBe(1);
  });

  it('count a repeated request as a replay, and the first one not', async () => {
    const body = { ...PAYMENT };
    await api.send('POST', '/v1/payments', { body, key: 'again' });
    expect(sumOf(await read(), 'tollgate_idempotent_replays_total')).toBe(0);
    await api.send('POST', '/v1/payments', { body, key: 'again' });
    const replays = seriesOf(await read(), 'tollgate_idempotent_replays_total');
    expect([...replays]).toEqual([['tollgate_idempotent_replays_total{route="/v1/payments"}', 1]]);
  });
});
