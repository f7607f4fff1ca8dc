/** What a run of the tests builds once, because each use of the source itself takes seconds. */
import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const WORKFLOWS_PATH = path.join(PROJECT, 'workflows', 'index.ts');
/** Folders that no program reads its own files from. */
const LEFT_OUT = ['.git', '.cache', '.data', 'node_modules', 'bench', 'test', 'dist'];

/** Bundles the workflows of that file, by default the current ones, as a worker loads them. */
export async function bundleWorkflows(workflowsPath = WORKFLOWS_PATH) {
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}

/** Compiles the programs to JavaScript in that folder, with the other files that they read. */
export async function buildPrograms(folder: string): Promise<void> {
  const compiler = path.join(PROJECT, 'node_modules', '.bin', 'tsc');
  const options = ['--noEmit', 'false', '--noCheck', '--outDir', folder];
  await promisify(execFile)(compiler, options, { cwd: PROJECT });
  await cp(PROJECT, folder, {
    recursive: true,
    filter: (source) =>
      !LEFT_OUT.includes(path.relative(PROJECT, source)) && !/\.tsx?$/.test(source),
  });
  await symlink(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'));
}
