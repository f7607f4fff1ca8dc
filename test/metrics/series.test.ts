/** The number of series, if every label has every value that it can have. */
import { describe, expect, it } from 'vitest';
import { ROUTES as API_ROUTES } from '../../api/routes.ts';
import { makeRoutes } from '../../checkout/routes.ts';
import { ROUTES as DASHBOARD_ROUTES } from '../../dashboard/routes.ts';
import { FAILURE_MESSAGES } from '../../domain/bank.ts';
import { CURRENCIES } from '../../domain/money.ts';
import { TRANSITIONS } from '../../domain/payment.ts';
import type { TransitionName } from '../../domain/payment.ts';
import { REFUND_STATUSES } from '../../domain/refund.ts';
import { publish } from '../../facts.ts';
import { CALL_NAMES, COMMANDS } from '../../metrics/dependencies.ts';
import { startCounting } from '../../metrics/program.ts';
import { CATALOGUE } from '../../operations/refusal.ts';
import { ENDPOINT_STATES } from '../../store/backlog.ts';
import { parseMetrics } from './scrape.ts';

const MAX_SERIES = 2_000;

const { stack } = makeRoutes({ assets: {} } as Parameters<typeof makeRoutes>[0]);
const ROUTES = [
  ...API_ROUTES.map(([method, route]) => ({ service: 'api', method, route })),
  ...['/livez', '/healthz', '/readyz', '/openapi.json', '/docs', '/docs/*page'].map((route) => {
    return { service: 'api', method: 'GET', route };
  }),
  ...stack.map(({ path, methods }) => ({
    service: 'checkout',
    method: methods.at(-1) ?? '',
    route: String(path),
  })),
  ...DASHBOARD_ROUTES.map(({ kind, path }) => ({
    service: 'dashboard',
    method: kind.endsWith('action') ? 'POST' : 'GET',
    route: path,
  })),
  ...['api', 'checkout', 'dashboard'].map((service) => ({ service, method: 'GET', route: null })),
];

/** Publishes each fact with every value that our own code gives it, and with a strange one. */
function publishEverything(): void {
  const timed = { durationMs: 1, isFailed: true };
  for (const request of ROUTES) {
    for (const status of [200, 304, 404, 500]) {
      publish('request', {
        ...request,
        status,
        durationMs: 1,
        isReplay: request.method === 'POST',
      });
    }
  }
  for (const code of [...Object.keys(CATALOGUE), 'strange']) publish('refused', { code });
  for (const currency of [...CURRENCIES.map((each) => each.code), 'strange']) {
    publish('created', { currency });
    for (const status of REFUND_STATUSES) publish('refund', { status, currency });
    for (const transition of Object.keys(TRANSITIONS) as TransitionName[]) {
      for (const code of Object.keys(FAILURE_MESSAGES) as (keyof typeof FAILURE_MESSAGES)[]) {
        publish('changed', { transition, currency, code });
      }
    }
  }
  for (const status of [200, 301, 404, 500, 700]) {
    const lagMs = { begin: 1, end: 2 };
    const attempt = { number: 1, status, durationMs: 1, lagMs, ended: 'succeeded' } as const;
    publish('attempt', { ...attempt, error: status === 200 ? null : 'status' });
  }
  for (const name of [...COMMANDS, 'strange']) publish('command', { name, ...timed });
  for (const name of [...CALL_NAMES, 'strange']) publish('call', { name, ...timed });
}

describe('the series of a program', () => {
  it(`are at most ${MAX_SERIES} in the worst case`, async () => {
    const { registry, show, stop } = startCounting('server');
    const endpoints = Object.fromEntries(ENDPOINT_STATES.map((state) => [state, 1]));
    const due = { payments: null, refunds: null, replays: null, deliveries: null };
    const pending = { count: 1, oldest: new Date() };
    show({ overdue: due, pending, endpoints: endpoints as never }, Date.now());
    publishEverything();
    const worst = parseMetrics(await registry.metrics());
    publishEverything();
    expect(parseMetrics(await registry.metrics()).size).toBe(worst.size);
    stop();
    expect(ROUTES.length).toBeGreaterThan(80);
    expect(worst.size).toBeGreaterThan(1_000);
    expect(worst.size).toBeLessThanOrEqual(MAX_SERIES);
  });
});
