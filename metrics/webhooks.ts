/** Metrics of webhook deliveries. */
import type { Registry } from 'prom-client';
import type { DeliveryError } from '../domain/delivery.ts';
import { subscribe } from '../facts.ts';
import type { Facts } from '../facts.ts';
import { makeCounter, makeHistogram } from './registry.ts';

const ERRORS: Readonly<Record<Exclude<DeliveryError, 'status'>, true>> = {
  address_blocked: true,
  dns_failed: true,
  connect_failed: true,
  connect_timeout: true,
  tls_failed: true,
  timeout: true,
  connection_reset: true,
  response_invalid: true,
  redirect: true,
  planned: true,
};
const RESULTS = ['succeeded', 'status_4xx', 'status_5xx', ...Object.keys(ERRORS)];

const ATTEMPT_SECONDS = [0.1, 0.5, 1, 2, 5, 10, 20];
/** Up to the last retry after three days. */
const LAG_SECONDS = [0.25, 1, 5, 15, 60, 300, 1_800, 7_200, 43_200, 259_200];

/** Counts attempts and the time from events to receivers. Returns functions that stop counting. */
export function countWebhooks(registry: Registry): (() => void)[] {
  const countAttempt = makeCounter(
    { registry, name: 'tollgate_webhook_attempts_total', help: 'Attempts of deliveries by result' },
    { result: RESULTS },
  );
  const countEnded = makeCounter(
    {
      registry,
      name: 'tollgate_webhook_deliveries_total',
      help: 'Deliveries that succeeded, or failed after their last attempt',
    },
    { state: ['succeeded', 'failed'] },
  );
  const countDisabled = makeCounter(
    {
      registry,
      name: 'tollgate_endpoints_disabled_total',
      help: 'Endpoints that the service disabled by itself',
    },
    { reason: ['gone', 'failing'] },
  );
  const time = (name: string, help: string, buckets: readonly number[]) =>
    makeHistogram({ registry, name, help }, {}, buckets);
  const timeAttempt = time(
    'tollgate_webhook_attempt_duration_seconds',
    'Duration of an attempt, most of which the receiver takes',
    ATTEMPT_SECONDS,
  );
  const timeFirst = time(
    'tollgate_webhook_first_attempt_lag_seconds',
    'From an event to the first attempt of its delivery',
    LAG_SECONDS,
  );
  const timeSuccess = time(
    'tollgate_webhook_success_lag_seconds',
    'From an event to the end of the attempt that succeeded',
    LAG_SECONDS,
  );
  return [
    subscribe('attempt', (fact) => {
      const { ended, lagMs } = fact;
      countAttempt({ result: resultOf(fact) });
      timeAttempt({}, fact.durationMs);
      if (ended !== null) countEnded({ state: ended });
      if (lagMs !== null && fact.number === 1) timeFirst({}, lagMs.begin);
      if (lagMs !== null && ended === 'succeeded') timeSuccess({}, lagMs.end);
    }),
    subscribe('disabled', (fact) => countDisabled(fact)),
  ];
}

function resultOf({ status, error }: Facts['attempt']): string {
  if (error === null) return 'succeeded';
  if (error !== 'status') return error;
  return `status_${String(status).slice(0, 1)}xx`;
}
