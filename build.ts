/**
 * `npm run build`: makes programs that run without a loader and without development packages.
 * Writes them to `dist`, or to the folder in the first argument.
 */
import { execFile } from 'node:child_process';
import { cp, mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { DefaultLogger, bundleWorkflowCode } from '@temporalio/worker';
import { CLIENT_FILE } from './docs/clientfile.ts';
import { fontFiles } from './ui/fontfiles.ts';

const PROJECT = import.meta.dirname;
/** Files and folders that hold what the programs read besides code. */
const READ = ['package.json', 'cli', 'checkout', 'dashboard', 'demo', 'docs', 'temporal', 'ui'];
/** Pictures for people who read the source, and fonts, which also exist from earlier versions. */
const LEFT_OUT = /\.(?:tsx?|png)$|\/ui\/fonts$/;

const folder = path.resolve(process.argv[2] ?? 'dist');
await Promise.all([compile(), bundleWorkflows(), packClient()]);
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
      filter: (source) => !LEFT_OUT.test(source),
    });
  }
  for (const { from } of Object.values(fontFiles())) {
    const file = fileURLToPath(from[0]);
    await cp(file, path.join(folder, path.relative(PROJECT, file)));
  }
}

/** Makes the package of the client, which the API offers for download. */
async function packClient(): Promise<void> {
  const file = path.join(folder, 'docs', CLIENT_FILE);
  await promisify(execFile)(process.execPath, [path.join(PROJECT, 'pack.mjs'), file]);
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
