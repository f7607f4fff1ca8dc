/** Builds that a test run makes once, because building on every use would take seconds. */
import { execFile } from 'node:child_process';
import { symlink } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

const PROJECT = path.resolve(import.meta.dirname, '../..');

/** Bundles the workflows of a file in the form a worker loads. */
export async function bundleWorkflows(workflowsPath: string) {
  const workflowInterceptorModules = [path.join(PROJECT, 'workflows', 'tracing.ts')];
  const logger = new DefaultLogger('ERROR');
  return bundleWorkflowCode({ workflowsPath, workflowInterceptorModules, logger });
}

/** Builds the programs in `folder`, as `npm run build` does. */
export async function buildPrograms(folder: string): Promise<void> {
  const build = ['--import', 'tsx', 'build.ts', folder];
  await promisify(execFile)(process.execPath, build, { cwd: PROJECT });
  await symlink(path.join(PROJECT, 'node_modules'), path.join(folder, 'node_modules'));
}
