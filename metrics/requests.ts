/** Metrics of HTTP requests. */
import { Counter, Histogram } from 'prom-client';
import type { Registry } from 'prom-client';
import { subscribe } from '../facts.ts';
import type { Facts } from '../facts.ts';
import { DIRECTIVES } from '../http/violation.ts';
import { CATALOGUE } from '../operations/refusal.ts';
import { OTHER, makeCounter } from './registry.ts';

/** Few, because every route has a series for each of them. */
const SECONDS = [0.025, 0.1, 0.5, 1, 5];

/** The methods of our routes. Of these, HEAD counts as GET. */
const METHODS: Readonly<Partial<Record<string, string>>> = {
  GET: 'GET',
  HEAD: 'GET',
  POST: 'POST',
};

/** Counts and times requests. Returns functions that stop counting. */
export function countRequests(registry: Registry): (() => void)[] {
  const labelNames = ['service', 'method', 'route'] as const;
  const requests = new Counter({
    name: 'tollgate_http_requests_total',
    help: 'Requests by route and class of status',
    labelNames: [...labelNames, 'status'] as const,
    registers: [registry],
  });
  const durations = new Histogram({
    name: 'tollgate_http_request_duration_seconds',
    help: 'Time until the response is ready to be sent',
    labelNames,
    buckets: SECONDS,
    registers: [registry],
  });
  const replays = new Counter({
    name: 'tollgate_idempotent_replays_total',
    help: 'Requests that got the stored response of an earlier one with the same key',
    labelNames: ['route'],
    registers: [registry],
  });
  const countRefusal = makeCounter(
    { registry, name: 'tollgate_refusals_total', help: 'Requests that the API refused, by code' },
    { code: Object.keys(CATALOGUE) },
  );
  const countViolation = makeCounter(
    {
      registry,
      name: 'tollgate_csp_reports_total',
      help: 'Reports of violations of the security policy of payment pages, by directive',
    },
    { directive: [...DIRECTIVES, OTHER] },
  );
  return [
    subscribe('request', (fact) => {
      const labels = labelsOf(fact);
      requests.inc({ ...labels, status: `${Math.floor(fact.status / 100)}xx` });
      durations.observe(labels, fact.durationMs / 1_000);
      if (fact.isReplay) replays.inc({ route: labels.route });
    }),
    subscribe('refused', (fact) => countRefusal(fact)),
    subscribe('violation', (fact) => countViolation(fact)),
  ];
}

/** Returns labels that no client can invent: the patterns of our routes, and known methods. */
function labelsOf({ service, method, route }: Facts['request']) {
  if (route === null) return { service, method: OTHER, route: OTHER };
  return { service, method: METHODS[method] ?? OTHER, route };
}
