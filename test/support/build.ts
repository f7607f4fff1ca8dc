/** Builds that a test run makes once, because building on every use would take seconds. */
import { execFile } from 'node:child_process';
import { cp, symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

const PROJECT = path.resolve(import.meta.dirname, '../..');
const WORKFLOWS_PATH = path.join(PROJECT, 'workflows', 'index.ts');
/** Folders that hold no file of a program. */
const LEFT_OUT = ['.git', '.cache', '.data', 'node_modules', 'bench', 'test', 'dist'];

/** Bundles the workflows of a file, by default the current ones, in the form a worker loads. */
export async function bundleWorkflows(workflowsPath = WORKFLOWS_PATH) {
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}

/** Compiles the programs to JavaScript in `folder`, and copies the other files they read. */
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
