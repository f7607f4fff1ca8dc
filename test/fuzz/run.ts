/**
 * `npm run fuzz:api -- [--seed 1,2,3] [--cases 5000]`: generates valid and invalid requests from the
 * OpenAPI document, sends them to a Tollgate of its own, and checks every response against the
 * document. Exits with 1 on any failure.
 */
import { execFile } from 'node:child_process';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs, promisify } from 'node:util';
import { makeAllInOne } from '../support/servers/allinone.ts';
import type { AllInOne } from '../support/servers/allinone.ts';
import { makeMerchant } from '../support/merchant.ts';
import type { Merchant } from '../support/merchant.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { openReceiver } from '../support/receiver.ts';
import { fuzz, installTool } from './tool.ts';

const run = promisify(execFile);

const DEFAULT_SEEDS = '1,2,3';
const DEFAULT_CASES = '5000';
/** The minimum number of cases for each example of a call in a phase (measured). */
const CASES_PER_EXAMPLE = 16;
const MIN_EXAMPLES = 20;
/** The number of paid payments. Each accepts several refunds until nothing is left. */
const PAYMENTS = 20;
const EMAIL = ['--email', 'fuzz@example.com'];

const { values } = parseArgs({
  options: {
    seed: { type: 'string', default: DEFAULT_SEEDS },
    cases: { type: 'string', default: DEFAULT_CASES },
  },
});
const seeds = values.seed.split(',').map(Number);
const wanted = Number(values.cases);
if (![...seeds, wanted].every((number) => Number.isSafeInteger(number) && number >= 0)) {
  throw new Error('--seed takes integers separated by commas, and --cases takes one integer.');
}

const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-fuzz-'));
const all = await makeAllInOne(folder);
const receiver = await openReceiver();
const stop = async (): Promise<void> => {
  await receiver.close();
  await all.destroy();
  await rm(folder, { recursive: true, force: true, maxRetries: 5 });
};
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.once(signal, () => void stop().finally(() => process.exit(1)));
}

try {
  process.exitCode = (await fuzzAll()) ? 0 : 1;
} finally {
  await stop();
}

/** Runs all seeds, and more until there are enough cases. Returns true if none failed. */
async function fuzzAll(): Promise<boolean> {
  const tool = await installTool(all.env['CACHE_DIR'] ?? '');
  const { api_url: apiUrl } = await all.start();
  const { id, apiKey } = await hire();
  const merchant = makeMerchant({ id, apiUrl, apiKey, secret: '' });
  const examples = Math.ceil(wanted / seeds.length / CASES_PER_EXAMPLE);
  const failed: number[] = [];
  let cases = 0;
  const queue = [...seeds];
  for (let seed = queue.shift(); seed !== undefined; seed = queue.shift()) {
    const payments = await Promise.all(
      Array.from({ length: PAYMENTS }, async (_, index) => pay(merchant, `${seed}-${index}`)),
    );
    const task = { tool, folder, apiUrl, apiKey, payments, seed };
    const result = await fuzz({ ...task, examples: Math.max(examples, MIN_EXAMPLES) });
    if (!result.hasPassed) failed.push(seed);
    cases += result.cases;
    const isShort = queue.length === 0 && cases < wanted && result.hasPassed && result.cases > 0;
    if (isShort) queue.push(seed + 1);
  }
  const verdict = failed.length === 0 ? 'none failed' : `failures with seed ${failed.join(', ')}`;
  console.log(`${cases} cases: ${verdict}.`);
  return failed.length === 0 && cases >= wanted;
}

/** Creates a paid payment. Returns its id. */
async function pay(merchant: Merchant, key: string): Promise<string> {
  const { id } = await merchant.create(`fuzz-${key}`);
  await merchant.outcome(id, 'approve');
  return id;
}

/** Creates a merchant with an endpoint. Returns its key. */
async function hire(): Promise<{ id: string; apiKey: string }> {
  const made = await tollgate(all, ['merchant', 'create', '--name', 'Fuzz', ...EMAIL]);
  const merchant = made['merchant_id'] ?? '';
  await tollgate(all, ['endpoint', 'create', '--merchant', merchant, '--url', receiver.url]);
  return { id: merchant, apiKey: made['test_api_key'] ?? '' };
}

async function tollgate({ env }: AllInOne, args: string[]): Promise<Record<string, string>> {
  const command = [path.join(PROJECT, 'cli', 'tollgate.js'), ...args, '--json'];
  const { stdout } = await run(process.execPath, command, { cwd: PROJECT, env });
  return JSON.parse(stdout) as Record<string, string>;
}
