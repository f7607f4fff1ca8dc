/** Workflow code as a worker loads it. To bundle it takes seconds, so it is done once for a run. */
import { fileURLToPath } from 'node:url';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

const WORKFLOWS_PATH = fileURLToPath(new URL('../../workflows/index.ts', import.meta.url));

/** Bundles the workflows of that file, by default those of today. */
export async function bundleWorkflows(workflowsPath = WORKFLOWS_PATH) {
  return bundleWorkflowCode({ workflowsPath, logger: new DefaultLogger('ERROR') });
}
