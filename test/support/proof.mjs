/**
 * Runs proofs that take minutes. `npm run proof:checkout -- [--only bank] [--update]` looks at
 * every page, and walks every outcome in a browser. `npm run proof:races -- [--rounds 500]
 * [--clicks 20000]` repeats races over HTTP. `node test/support/proof.mjs clicks` runs one of them.
 * Exits with 1 if anything deviates.
 */
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const FILES = new Map([
  ['looks', 'test/checkout/proof/looks.ts'],
  ['outcomes', 'test/journey/outcomes.ts'],
  ['races', 'test/checkout/proof/races.ts'],
  ['clicks', 'test/checkout/proof/clicks.ts'],
]);
/** Browsers or customers at the same time. */
const CONCURRENCY = 8;
const HOUR_MS = 60 * 60 * 1000;

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    only: { type: 'string' },
    rounds: { type: 'string', default: '500' },
    clicks: { type: 'string', default: '20000' },
    update: { type: 'boolean', default: false },
  },
});
const include = positionals.map((name) => FILES.get(name) ?? '');
if (include.length === 0 || include.includes('')) {
  throw new Error(`usage: node test/support/proof.mjs ${[...FILES.keys()].join('|')}`);
}

const vitest = await startVitest('test', [], {
  watch: false,
  include,
  update: values.update,
  maxWorkers: 1,
  maxConcurrency: CONCURRENCY,
  testTimeout: HOUR_MS,
  ...(values.only === undefined ? {} : { testNamePattern: values.only }),
  provide: { proof: { rounds: Number(values.rounds), clicks: Number(values.clicks) } },
});
await vitest.close();
