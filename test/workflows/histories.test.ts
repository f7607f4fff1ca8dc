/**
 * Every change of the workflows has to fit the histories in test/histories/, which payments of
 * today still have. After a change on purpose, record them again on real servers by
 * `RECORD_HISTORIES=1 npm test -- test/workflows/replay.test.ts`.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from '@jest/globals';
import { DefaultLogger, Worker, bundleWorkflowCode } from '@temporalio/worker';
import type { WorkflowBundleWithSourceMap } from '@temporalio/worker';
import { WORKFLOWS_PATH, quietRuntime, startWorkers } from '../support/worker.ts';
import type { Ground } from '../support/worker.ts';
import { readHistory } from './history.ts';
import { REFUND_SCENARIOS, SCENARIOS, record, recordRefund } from './scenarios.ts';

const HISTORIES = new URL('../histories/', import.meta.url);
const BROKEN_PATH = fileURLToPath(new URL('broken/index.ts', import.meta.url));
/** Small enough to be read in a review. */
const MAX_HISTORY_BYTES = 40_000;
const recording = process.env['RECORD_HISTORIES'] === '1';
const names = [...Object.keys(SCENARIOS), ...Object.keys(REFUND_SCENARIOS)];
const ends = (name: string) => (SCENARIOS[name] ?? REFUND_SCENARIOS[name])?.ends;

const fileOf = (name: string): URL => new URL(`${name}.json`, HISTORIES);
const logger = new DefaultLogger('ERROR');

async function replay(code: WorkflowBundleWithSourceMap, json: string): Promise<void> {
  await Worker.runReplayHistory({ workflowBundle: code }, readHistory(json), 'replayed');
}

let bundle: WorkflowBundleWithSourceMap;
let ground: Ground;

beforeAll(async () => {
  quietRuntime();
  bundle = await bundleWorkflowCode({ workflowsPath: WORKFLOWS_PATH, logger });
  ground = await startWorkers('replay');
});
afterAll(async () => {
  await ground.close();
});

describe('a changed workflow', () => {
  it('is caught as nondeterministic by every history', async () => {
    const broken = await bundleWorkflowCode({ workflowsPath: BROKEN_PATH, logger });
    for (const name of names) {
      const history = await readFile(fileOf(name), 'utf8');
      const caught = await replay(broken, history).catch((error: unknown) => error);
      expect(caught).toMatchObject({ name: 'DeterminismViolationError' });
    }
  });
});

describe('the histories that are kept', () => {
  it('are of every scenario and of nothing else', async () => {
    const files = await readdir(HISTORIES);
    expect(files.toSorted()).toEqual(names.map((name) => `${name}.json`).toSorted());
  });

  it.each(names)('%s fits the workflows as they are', async (name) => {
    const history = await readFile(fileOf(name), 'utf8');
    expect(history.length).toBeLessThan(MAX_HISTORY_BYTES);
    await replay(bundle, history);
  });
});

describe('the histories of today', () => {
  it.each(names)('%s ends as it should and can be replayed', async (name) => {
    const live = name in SCENARIOS ? record : recordRefund;
    const { result, history } = await live(ground, name);
    expect(result).toBe(ends(name));
    await replay(bundle, history);
    if (recording) await writeFile(fileOf(name), history);
  });
});
