/**
 * Every change of the workflows must fit the histories in test/histories/, because running payments
 * have such histories. Never change or delete a file there. If new histories look different after a
 * change, add them beside the old ones, such as `approved.2.json`, with `RECORD_HISTORIES=1 npm test
 * -- test/workflows/histories.test.ts -t approved`. If a change cannot fit, use `patched` of
 * @temporalio/workflow.
 */
import { readFile, readdir, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { Worker } from '@temporalio/worker';
import type { WorkflowBundleOption } from '@temporalio/worker';
import { bundleWorkflows } from '../support/build.ts';
import { openMongoProxy } from '../support/servers/proxy.ts';
import { testServers } from '../support/run.ts';
import { quietRuntime, startWorkers } from '../support/worker.ts';
import { readHistory } from './history.ts';
import { SCENARIOS, record } from './scenarios.ts';
import { closeAfterTests } from '../support/close.ts';

const HISTORIES = new URL('../histories/', import.meta.url);
const CHANGED_PATH = fileURLToPath(new URL('changed/index.ts', import.meta.url));
/** The largest size of a file that can be read in a review. */
const MAX_HISTORY_BYTES = 60_000;
const recording = process.env['RECORD_HISTORIES'] === '1';
const names = Object.keys(SCENARIOS);
/** Cuts every run off from the database. */
const OUTAGE = 'database-outage';
const files = await readdir(HISTORIES);

const contentOf = async (file: string) => readFile(new URL(file, HISTORIES), 'utf8');
/** Returns `approved` for `approved.2.json`. */
const scenarioOf = (file: string): string => file.replace(/(\.[2-9])?\.json$/, '');

async function replay(workflowBundle: WorkflowBundleOption, json: string): Promise<void> {
  await Worker.runReplayHistory({ workflowBundle }, readHistory(json), 'replayed');
}

/** Writes a history under the scenario's next free name. Never overwrites a file. */
async function keep(name: string, history: string): Promise<void> {
  const count = files.filter((file) => scenarioOf(file) === name).length;
  const file = count === 0 ? `${name}.json` : `${name}.${count + 1}.json`;
  await writeFile(new URL(file, HISTORIES), history, { flag: 'wx' });
}

quietRuntime();
const database = closeAfterTests(await openMongoProxy(testServers().mongoUri));
const ground = closeAfterTests(await startWorkers('histories', { mongoUri: database.uri }));

describe('a changed workflow', () => {
  it('fails the replay of every history', async () => {
    const changed = await bundleWorkflows(CHANGED_PATH);
    for (const file of files) {
      const caught = await replay(changed, await contentOf(file)).catch((error: unknown) => error);
      // Some mismatches are not reported as nondeterministic: the replay itself breaks.
      expect(caught).toMatchObject({ name: expect.stringMatching(/^Determinism|^ReplayError/) });
    }
  });
});

describe('the stored histories', () => {
  it('cover every scenario and nothing else', () => {
    const kept = new Set(files.map(scenarioOf));
    expect([...kept].toSorted()).toEqual(names.toSorted());
  });

  it.each(files)('%s fits the current workflows', async (file) => {
    const history = await contentOf(file);
    expect(history.length).toBeLessThan(MAX_HISTORY_BYTES);
    await replay(testServers().workflowBundle, history);
  });
});

async function expectReplayable(name: string): Promise<void> {
  const { result, history } = await record({ ground, database }, name);
  expect(result).toBe(SCENARIOS[name]!.ends);
  await replay(testServers().workflowBundle, history);
  if (recording) await keep(name, history);
}

describe('new histories', () => {
  const title = '%s ends as it should and can be replayed';
  // Concurrent, because these tests mostly wait, and do not disturb each other.
  it.concurrent.each(names.filter((name) => name !== OUTAGE))(title, expectReplayable);
  it.each([OUTAGE])(title, expectReplayable);
});
