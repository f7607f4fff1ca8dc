/** The imports that each room may have. Keep the summary in ARCHITECTURE.md up to date. */

export interface Room {
  /** Our folders (with a slash at the end) and files. */
  readonly ours: readonly string[];
  /** The same, for types only. */
  readonly types?: readonly string[];
  /** Packages by name, or by a prefix such as `node:`. By default all packages without an owner. */
  readonly packages?: readonly string[];
  /** The advice if a file imports more. */
  readonly instead: string;
}

/** The shared imports of all rooms that serve requests. */
const SERVED = [
  'domain/',
  'store/',
  'http/',
  'temporal/client.ts',
  'tracing/',
  'facts.ts',
  'log.ts',
  'version.ts',
];

export const ROOMS: Readonly<Record<string, Room>> = {
  'domain/': {
    ours: ['domain/'],
    packages: [],
    instead: 'keep rules pure: take the clock, randomness and rows as arguments',
  },
  'store/': {
    ours: ['domain/', 'store/', 'concurrency.ts', 'facts.ts'],
    packages: ['mongodb', 'ulid', 'node:crypto', 'node:zlib'],
    instead: 'let the caller decide, and pass the decision to the write',
  },
  'workflows/': {
    ours: ['domain/', 'workflows/'],
    types: ['activities/'],
    packages: ['@temporalio/workflow'],
    instead: 'do it in an activity, and add its type to workflows/messages.ts',
  },
  'activities/': {
    ours: [
      'domain/',
      'store/',
      'outbound/',
      'activities/',
      'tracing/',
      'workflows/messages.ts',
      'concurrency.ts',
      'facts.ts',
    ],
    types: ['temporal/client.ts', 'log.ts'],
    packages: ['@temporalio/common', '@temporalio/activity', 'node:'],
    instead: 'take it as a dependency of createActivities',
  },
  'outbound/': {
    ours: ['outbound/', 'domain/url.ts', 'concurrency.ts'],
    types: ['domain/delivery.ts'],
    packages: ['lru-cache', 'ipaddr.js', 'undici', 'node:'],
    instead: 'take it as an argument: this room has no payments and no merchants',
  },
  'http/': {
    ours: ['http/', 'facts.ts', 'concurrency.ts'],
    packages: ['node:', 'koa', 'koa-helmet', 'ipaddr.js', 'lru-cache', 'rate-limiter-flexible'],
    instead: 'take it as an argument: this room has no payments and no merchants',
  },
  'api/': {
    ours: [...SERVED, 'api/', 'operations/', 'concurrency.ts'],
    instead: 'have server.ts pass it as an argument',
  },
  'checkout/': {
    ours: [...SERVED, 'ui/', 'checkout/'],
    instead: 'have server.ts pass it as an argument',
  },
  'dashboard/': {
    ours: [...SERVED, 'ui/', 'dashboard/', 'operations/', 'explain/', 'concurrency.ts'],
    types: ['outbound/post.ts'],
    instead: 'have server.ts pass it as an argument',
  },
  'ui/': {
    ours: ['ui/', 'domain/money.ts'],
    types: ['domain/'],
    packages: ['preact', 'preact-render-to-string', 'intl-messageformat', 'subset-font', 'node:'],
    instead: 'take what is shown as a property',
  },
  'docs/': {
    ours: ['docs/', 'ui/'],
    packages: ['preact', 'preact-render-to-string', 'marked', 'node:'],
    instead: 'take it as a member of DocsOptions',
  },
  'cli/': {
    ours: [
      'domain/',
      'store/',
      'cli/',
      'operations/',
      'check/',
      'explain/',
      'sdk/',
      'embedded/',
      'doctor/',
      'smoke/',
      'verify/',
      'metrics/smoke.ts',
      'config.ts',
      'log.ts',
      'temporal/client.ts',
      'temporal/codec.ts',
      'version.ts',
      'outbound/sign.ts',
      'outbound/address.ts',
    ],
    instead: 'do it in store/ or operations/',
  },
  'operations/': {
    ours: [
      'domain/',
      'store/',
      'operations/',
      'check/',
      'outbound/sign.ts',
      'outbound/address.ts',
      'tracing/current.ts',
      'concurrency.ts',
      'facts.ts',
    ],
    types: ['temporal/client.ts', 'outbound/post.ts'],
    packages: ['node:crypto', '@node-rs/argon2', 'otpauth', '@simplewebauthn/server', 'leven'],
    instead: 'take it as an argument: the API, the command line and pages pass it in',
  },
  'check/': {
    ours: ['domain/', 'store/mint.ts', 'check/', 'outbound/sign.ts', 'version.ts'],
    packages: [],
    instead: 'take it as an argument: the caller sends the requests, and shows the findings',
  },
  'explain/': {
    ours: ['domain/', 'store/', 'explain/', 'outbound/sign.ts'],
    packages: ['node:crypto'],
    instead: 'have cli/explain.ts pass it as an argument',
  },
  'doctor/': {
    ours: [
      'doctor/',
      'store/',
      'config.ts',
      'concurrency.ts',
      'version.ts',
      'temporal/inspect.ts',
      'temporal/tls.ts',
      'http/identity.ts',
      'outbound/address.ts',
      'outbound/probe.ts',
    ],
    packages: ['node:'],
    instead: 'read facts in store/, temporal/ or outbound/, and only judge them here',
  },
  'smoke/': {
    ours: ['smoke/', 'sdk/'],
    packages: ['node:', 'node-html-parser'],
    instead: 'use the public API and the pages, as merchants and customers do',
  },
  'verify/': {
    ours: ['verify/', 'checkout/', 'domain/', 'http/', 'version.ts'],
    packages: ['node:', 'koa'],
    instead: 'read what a browser gets, and compare it with what the checkout sends',
  },
  'embedded/': { ours: ['embedded/'], instead: 'have start.ts pass it as an argument' },
  'sdk/': {
    ours: ['sdk/'],
    packages: ['node:'],
    instead: 'do without: it is a package of its own',
  },
  'demo/': { ours: ['demo/', 'sdk/'], instead: 'call the API as any merchant does' },
  'config.ts': {
    ours: ['config/', 'store/encryption.ts'],
    packages: ['envalid', '@temporalio/envconfig', 'node:'],
    instead: 'read variables here, and use them elsewhere',
  },
  'config/': {
    ours: ['config/', 'domain/', 'store/encryption.ts', 'outbound/address.ts'],
    packages: ['envalid', 'node:crypto', 'node:fs'],
    instead: 'read variables here, and use them elsewhere',
  },
  'process.ts': {
    ours: ['config/grace.ts'],
    instead: 'do it in the entry file',
  },
  'log.ts': { ours: ['tracing/current.ts'], instead: 'do it in the entry file' },
  'version.ts': { ours: [], packages: ['node:'], instead: 'do it in the entry file' },
  'temporal/': {
    ours: [
      'domain/',
      'workflows/messages.ts',
      'temporal/',
      'tracing/',
      'store/encryption.ts',
      'store/seal.ts',
      'concurrency.ts',
      'facts.ts',
    ],
    types: ['workflows/', 'activities/', 'log.ts'],
    instead: 'give the call a name in temporal/client.ts and let the caller decide',
  },
  'metrics/': {
    ours: [
      'metrics/',
      'domain/',
      'http/',
      'operations/refusal.ts',
      'store/backlog.ts',
      'concurrency.ts',
      'facts.ts',
      'version.ts',
    ],
    types: ['store/mongo.ts', 'temporal/limits.ts'],
    packages: ['prom-client', 'node:'],
    instead: 'publish a fact where it happens (facts.ts), and count it here',
  },
  'facts.ts': {
    ours: [],
    types: ['domain/'],
    packages: ['node:diagnostics_channel'],
    instead: 'leave out what does not fit a label',
  },
  'tracing/': {
    ours: ['tracing/', 'domain/trace.ts', 'concurrency.ts'],
    types: ['log.ts'],
    packages: [
      'node:',
      'koa',
      '@opentelemetry/api',
      '@opentelemetry/exporter-trace-otlp-proto',
      '@opentelemetry/resources',
      '@opentelemetry/sdk-trace-base',
    ],
    instead: 'take it as an attribute of the span',
  },
  'concurrency.ts': {
    ours: [],
    packages: ['node:timers/promises'],
    instead: 'do it in the entry file',
  },
};
