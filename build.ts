/**
 * `npm run build`: makes programs that run without a loader and without development packages.
 * Writes them to `dist`, or to the folder in the first argument.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { promisify } from 'node:util';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';

const PROJECT = import.meta.dirname;
/** Files and folders that hold what the programs read besides code. */
const READ = ['package.json', 'cli', 'checkout', 'dashboard', 'demo', 'docs', 'temporal', 'ui'];
/** Files for people who read the source. */
const FOR_READERS = /\.(?:tsx?|png)$|\/docs\/\w+\.md$/;

const folder = path.resolve(process.argv[2] ?? 'dist');
await Promise.all([compile(), bundleWorkflows()]);
// Afterwards, because a copy fails if somebody else creates its folder at the same moment.
await copyFiles();

/** Compiles the programs of tsconfig.build.json and all that they import. */
async function compile(): Promise<void> {
  const compiler = path.join(PROJECT, 'node_modules', '.bin', 'tsc');
  const options = ['--project', 'tsconfig.build.json', '--outDir', folder];
  await promisify(execFile)(compiler, options, { cwd: PROJECT });
}

async function copyFiles(): Promise<void> {
  for (const name of READ) {
    await cp(path.join(PROJECT, name), path.join(folder, name), {
      recursive: true,
      filter: (source) => !FOR_READERS.test(source),
    });
  }
}

/** Bundles the workflows for worker.ts, which would otherwise do so at each start. */
async function bundleWorkflows(): Promise<void> {
  const file = path.join(folder, 'workflows', 'bundle.js');
  const { code } = await bundleWorkflowCode({
    workflowsPath: path.join(PROJECT, 'workflows', 'index.ts'),
    workflowInterceptorModules: [path.join(PROJECT, 'workflows', 'tracing.ts')],
    logger: new DefaultLogger('WARN'),
  });
  await mkdir(path.dirname(file), { recursive: true });
  await writeFile(file, code);
}
