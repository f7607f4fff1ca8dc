/** Every variable of the programs with its form and its default. `.env.example` explains them. */
import { bool, port, str } from 'envalid';
import { DEFAULT_SCHEDULE_SECONDS } from '../domain/delivery.ts';
import { DEFAULT_RETENTION_DAYS } from '../domain/retention.ts';
import { DEFAULT_SWEEP_GRACE as GRACE } from '../domain/sweep.ts';
import { MAX_DRAIN_SECONDS, MAX_WEBHOOK_TIMEOUT_MS } from './grace.ts';
import { url } from './text.ts';
import { count, hosts, key, keys, ranges, schedule } from './variables.ts';

const CUT_OFF = ': a worker that stops waits no longer for a delivery under way';

const STOPPED = ': a server that stops has to end its requests after that';

const LEVELS = ['fatal', 'error', 'warn', 'info', 'debug', 'silent'] as const;

/** The variables of servers, workers and the operator's commands. */
export const SPECS = {
  API_PORT: port({ default: 8080 }),
  CHECKOUT_PORT: port({ default: 8081 }),
  DASHBOARD_PORT: port({ default: 8082 }),
  DEMO_PORT: port({ default: 8083 }),
  TEMPORAL_UI_PORT: port({ default: 8233 }),
  WORKER_HEALTH_PORT: port({ default: undefined }),
  METRICS_PORT: port({ default: undefined }),
  LISTEN_HOST: str({ default: undefined }),
  API_URL: url({ default: undefined }),
  CHECKOUT_URL: url({ default: undefined }),
  DASHBOARD_URL: url({ default: undefined }),
  TEMPORAL_UI_URL: url({ default: undefined }),
  ALLOW_HTTP_HOSTS: hosts({ default: [] }),
  DATA_DIR: str({ default: '.data' }),
  CACHE_DIR: str({ default: '.cache' }),
  ENCRYPTION_KEY: key({ default: undefined }),
  ENCRYPTION_KEY_PREVIOUS: keys({ default: [] }),
  TEMPORAL_ENCRYPT_PAYLOADS: bool({ default: false }),
  MONGODB_URI: str({ default: undefined }),
  MONGOD_PATH: str({ default: undefined }),
  TEMPORAL_CLI_PATH: str({ default: undefined }),
  WEBHOOK_SCHEDULE: schedule({ default: DEFAULT_SCHEDULE_SECONDS }),
  WEBHOOK_ALLOW_CIDRS: ranges({ default: undefined }),
  WEBHOOK_TIMEOUT_MS: count(100, MAX_WEBHOOK_TIMEOUT_MS, CUT_OFF)({ default: 15_000 }),
  PAYMENT_LIFETIME_MIN_SECONDS: count(1, 3_600)({ default: 300 }),
  BANK_TIMEOUT_SECONDS: count(1, 86_400)({ default: 900 }),
  SWEEP_SECONDS: count(1, 3_600)({ default: 30 }),
  SWEEP_PAYMENT_GRACE_SECONDS: count(1, 3_600)({ default: GRACE.paymentMs / 1000 }),
  SWEEP_DELIVERY_GRACE_SECONDS: count(1, 3_600)({ default: GRACE.deliveryMs / 1000 }),
  RETENTION_DAYS: count(1, 3_650)({ default: DEFAULT_RETENTION_DAYS }),
  RATE_LIMIT_PER_SECOND: count(1, 100_000)({ default: undefined }),
  RATE_LIMIT_BURST: count(1, 1_000_000)({ default: undefined }),
  RATE_LIMIT_ANONYMOUS_PER_SECOND: count(1, 100_000)({ default: undefined }),
  RATE_LIMIT_ANONYMOUS_BURST: count(1, 1_000_000)({ default: undefined }),
  TRUSTED_PROXY_HOPS: count(0, 10)({ default: 0 }),
  DRAIN_SECONDS: count(0, MAX_DRAIN_SECONDS, STOPPED)({ default: 5 }),
  LOG_LEVEL: str({ choices: LEVELS, default: 'info' }),
  OTEL_EXPORTER_OTLP_ENDPOINT: url({ default: undefined }),
  OTEL_EXPORTER_OTLP_PROTOCOL: str({ choices: ['http/protobuf'], default: 'http/protobuf' }),
  OTEL_SDK_DISABLED: bool({ default: false }),
  DEMO: bool({ default: true }),
  TOLLGATE_ACTOR: str({ default: undefined }),
};
