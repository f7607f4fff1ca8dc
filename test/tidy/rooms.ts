/** Which room may import what. A new room or a changed arrow needs an entry in DECISIONS.md. */

export interface Room {
  /** Folders (with a slash at the end) and files of ours. */
  readonly ours: readonly string[];
  /** The same, but for types alone. */
  readonly types?: readonly string[];
  /** Packages by name or beginning; everything that has no owner (below) when it is left out. */
  readonly packages?: readonly string[];
  /** What to do instead of reaching further. */
  readonly instead: string;
}

/** What both rooms of pages may use. */
const PAGES = ['domain/', 'store/', 'ui/', 'http/', 'temporal.ts', 'log.ts', 'version.ts'];

export const ROOMS: Readonly<Record<string, Room>> = {
  'domain/': {
    ours: ['domain/'],
    packages: [],
    instead: 'keep rules pure: take the clock, randomness and rows as arguments',
  },
  'store/': {
    ours: ['domain/', 'store/'],
    packages: ['mongodb', 'ulid', 'node:crypto', 'node:zlib'],
    instead: 'let the caller decide, and pass the decision to the write',
  },
  'workflows/': {
    ours: ['domain/', 'workflows/'],
    types: ['activities/'],
    packages: ['@temporalio/workflow'],
    instead: 'cause it by an activity whose type stands in workflows/messages.ts',
  },
  'activities/': {
    ours: ['domain/', 'store/', 'activities/', 'workflows/messages.ts', 'line.ts'],
    types: ['temporal.ts', 'log.ts'],
    packages: [
      'lru-cache',
      'ipaddr.js',
      'undici',
      '@temporalio/common',
      '@temporalio/activity',
      'node:',
    ],
    instead: 'take it as a dependency of createActivities',
  },
  'http/': {
    ours: ['http/'],
    packages: ['node:', 'koa', 'ipaddr.js', 'lru-cache', 'rate-limiter-flexible'],
    instead: 'take it as an argument: this room knows no payments and no merchants',
  },
  'api/': {
    ours: ['domain/', 'store/', 'http/', 'api/', 'temporal.ts', 'line.ts', 'log.ts', 'version.ts'],
    instead: 'have server.ts hand it over as an argument',
  },
  'checkout/': {
    ours: [...PAGES, 'checkout/', 'http/'],
    instead: 'have server.ts hand it over as an argument',
  },
  'dashboard/': {
    ours: [...PAGES, 'dashboard/', 'operations/', 'webhooks/', 'activities/sign.ts'],
    instead: 'have server.ts hand it over as an argument',
  },
  'ui/': {
    ours: ['ui/', 'domain/money.ts'],
    types: ['domain/'],
    packages: ['preact', 'preact-render-to-string', 'node:fs', 'node:path'],
    instead: 'take what is shown as a property',
  },
  'docs/': {
    ours: ['docs/', 'ui/'],
    packages: ['preact', 'marked', 'node:fs', 'node:path'],
    instead: 'take it as a member of DocsOptions: the page is made from what it is given',
  },
  'cli/': {
    ours: [
      'domain/',
      'store/',
      'cli/',
      'operations/',
      'webhooks/',
      'sdk/',
      'embedded/',
      'config.ts',
      'encryption.ts',
      'log.ts',
      'temporal.ts',
      'version.ts',
      'activities/sign.ts',
      'activities/address.ts',
    ],
    instead: 'ask store/ for it',
  },
  'operations/': {
    ours: ['domain/', 'store/', 'operations/', 'webhooks/'],
    packages: [],
    instead: 'take it as a member of Services: the command line and pages hand it over',
  },
  'webhooks/': {
    ours: ['domain/', 'store/', 'webhooks/', 'activities/sign.ts', 'activities/address.ts'],
    types: ['temporal.ts'],
    packages: ['node:crypto'],
    instead: 'take it as a member of Services: the command line and pages hand it over',
  },
  'embedded/': { ours: ['embedded/'], instead: 'have start.ts hand it over as an argument' },
  'sdk/': { ours: ['sdk/'], packages: ['node:'], instead: 'do without: it is published alone' },
  'demo/': { ours: ['demo/', 'sdk/'], instead: 'speak to the API as any customer would' },
  'config.ts': {
    ours: ['domain/', 'encryption.ts', 'grace.ts', 'variables.ts'],
    instead: 'keep the reading of variables apart from their use',
  },
  'variables.ts': {
    ours: ['activities/address.ts', 'encryption.ts'],
    packages: ['envalid'],
    instead: 'let config.ts read it, and check only the text here',
  },
  'encryption.ts': { ours: [], packages: ['node:crypto'], instead: 'do it in the entry file' },
  'grace.ts': { ours: [], packages: [], instead: 'do it in the entry file' },
  'process.ts': {
    ours: ['config.ts', 'grace.ts', 'log.ts'],
    instead: 'do it in the entry file',
  },
  'log.ts': { ours: ['version.ts'], instead: 'do it in the entry file' },
  'version.ts': { ours: [], packages: ['node:'], instead: 'do it in the entry file' },
  'temporal.ts': {
    ours: [
      'domain/',
      'workflows/messages.ts',
      'temporal-setup.ts',
      'temporal-limits.ts',
      'temporal-ready.ts',
      'temporal-runs.ts',
      'line.ts',
    ],
    types: ['workflows/', 'activities/', 'log.ts'],
    instead: 'give the call a name in temporal.ts and let the caller decide',
  },
  'line.ts': { ours: [], packages: [], instead: 'do it in the entry file' },
  'temporal-limits.ts': {
    ours: [],
    packages: ['@temporalio/client', 'node:os'],
    instead: 'give the call a name in temporal.ts and let the caller decide',
  },
  'temporal-runs.ts': {
    ours: [],
    types: ['log.ts'],
    packages: ['@temporalio/client'],
    instead: 'give the call a name in temporal.ts and let the caller decide',
  },
  'temporal-ready.ts': {
    ours: ['temporal-setup.ts', 'temporal-limits.ts'],
    types: ['log.ts'],
    packages: ['@temporalio/client'],
    instead: 'give the call a name in temporal.ts and let the caller decide',
  },
  'temporal-setup.ts': {
    ours: ['domain/', 'workflows/messages.ts'],
    types: ['log.ts'],
    instead: 'give the call a name in temporal.ts and let the caller decide',
  },
};

/** These put the rooms together. */
export const ENTRIES = [
  'server.ts',
  'worker.ts',
  'start.ts',
  'test/',
  'bench/',
  'vitest.config.mjs',
];

/** Packages that only these may import, besides test/ and bench/. */
export const OWNERS: Readonly<Record<string, readonly string[]>> = {
  mongodb: ['store/', 'embedded/'],
  '@temporalio/client': [
    'temporal.ts',
    'temporal-setup.ts',
    'temporal-limits.ts',
    'temporal-ready.ts',
    'temporal-runs.ts',
    'worker.ts',
    'embedded/',
  ],
  '@temporalio/worker': ['worker.ts', 'temporal.ts'],
  '@temporalio/workflow': ['workflows/'],
  '@temporalio/activity': ['activities/'],
  '@temporalio/envconfig': ['config.ts'],
  undici: ['activities/'],
  preact: ['ui/', 'checkout/', 'dashboard/', 'demo/', 'docs/'],
  marked: ['docs/'],
  envalid: ['config.ts', 'variables.ts'],
  'rate-limiter-flexible': ['http/'],
  commander: ['cli/'],
  execa: ['embedded/', 'cli/', 'start.ts'],
};
