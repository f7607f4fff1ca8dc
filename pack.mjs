/**
 * Makes the package of the client: the compiled library of `sdk/`, and the merchant's commands of
 * `cli/` in one file.
 *
 * - `node pack.mjs` makes `sdk/dist`. `npm pack ./sdk` runs it.
 * - `node pack.mjs <file>` makes the whole package as that file, and leaves nothing else.
 */
import { execFileSync } from 'node:child_process';
import {
  copyFileSync,
  cpSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { createRequire, isBuiltin } from 'node:module';
import { tmpdir } from 'node:os';
import path from 'node:path';

const PROJECT = import.meta.dirname;
const SDK = path.join(PROJECT, 'sdk');
/** The packages that may be in the bundle. The library itself has no dependencies. */
const BUNDLED = ['commander', 'envalid', 'leven', 'tslib', 'ulid'];
/** Modules of the installation, and those that stand in for them in the package. */
const REPLACED = { 'cli/act.ts': 'cli/act-elsewhere.ts', 'version.ts': 'sdk/version.ts' };
/** Modules of commands that the package does not have. They need not even be read. */
const UNUSED = ['cli/smoke.ts', 'cli/verify-page.ts'];

const [, , file] = process.argv;
if (file === undefined) await compile(path.join(SDK, 'dist'));
else await pack(path.resolve(file));

/** Writes the package to `target`. Nobody sees half a file, and several programs may do it at once. */
async function pack(target) {
  const folder = mkdtempSync(path.join(tmpdir(), 'tollgate-pack-'));
  try {
    for (const name of ['package.json', 'README.md', 'LICENSE']) {
      copyFileSync(path.join(SDK, name), path.join(folder, name));
    }
    await compile(path.join(folder, 'dist'));
    // npm gives every file the same time, so the same content has the same bytes.
    const args = ['pack', '--ignore-scripts', '--offline', '--silent'];
    execFileSync('npm', args, { cwd: folder });
    const filename = readdirSync(folder).find((name) => name.endsWith('.tgz'));
    mkdirSync(path.dirname(target), { recursive: true });
    const part = `${target}.${process.pid}`;
    cpSync(path.join(folder, filename), part);
    renameSync(part, target);
  } finally {
    rmSync(folder, { recursive: true });
  }
}

/** Writes the library and the command to the folder. */
async function compile(folder) {
  rmSync(folder, { recursive: true, force: true });
  const { resolve } = createRequire(import.meta.url);
  let compiler;
  let esbuild;
  try {
    compiler = path.join(path.dirname(resolve('typescript/package.json')), 'bin', 'tsc');
    esbuild = await import('esbuild');
  } catch (error) {
    const missing = `TypeScript or esbuild is missing: run \`npm ci\` in ${PROJECT} first.`;
    throw new Error(missing, { cause: error });
  }
  const settings = path.join(SDK, 'tsconfig.build.json');
  execFileSync(process.execPath, [compiler, '-p', settings, '--outDir', folder], { cwd: SDK });
  correctDeclarations(folder);
  await bundleCommand(esbuild, path.join(folder, 'command'));
}

/** The compiler leaves `.ts` in the imports of declarations. Users of the package need `.js`. */
function correctDeclarations(folder) {
  for (const name of readdirSync(folder, { recursive: true })) {
    if (!name.endsWith('.d.ts')) continue;
    const declaration = path.join(folder, name);
    const text = readFileSync(declaration, 'utf8');
    const corrected = text.replaceAll(/(\bfrom ')(\.[./\w]+)\.ts(?=';)/g, '$1$2.js');
    writeFileSync(declaration, corrected);
  }
}

/** Writes the command as one file, with the licenses of the packages in it. */
async function bundleCommand(esbuild, folder) {
  const { metafile } = await esbuild.build({
    absWorkingDir: PROJECT,
    entryPoints: { tollgate: 'cli/merchant-bin.ts' },
    outdir: folder,
    bundle: true,
    platform: 'node',
    format: 'esm',
    target: 'node20',
    minify: true,
    // Names of classes are printed with errors.
    keepNames: true,
    metafile: true,
    logLevel: 'warning',
    plugins: [{ name: 'parts', setup: usePartsOnly }],
    banner: {
      // Packages in the old format call `require` for modules of Node.
      js: [
        '#!/usr/bin/env node',
        "import { createRequire } from 'node:module';",
        'const require = createRequire(import.meta.url);',
      ].join('\n'),
    },
  });
  const [{ inputs, imports }] = Object.values(metafile.outputs);
  const foreign = imports.filter(({ path: name }) => !isBuiltin(name));
  if (foreign.length > 0) {
    const names = foreign.map(({ path: name }) => name).join(', ');
    throw new Error(`The merchant's commands need ${names}: see BUNDLED in pack.mjs.`);
  }
  const used = Object.entries(inputs).filter(([, { bytesInOutput }]) => bytesInOutput > 0);
  const packages = BUNDLED.filter((name) =>
    used.some(([input]) => input.startsWith(`node_modules/${name}/`)),
  );
  writeFileSync(path.join(folder, 'LICENSES.txt'), packages.map(licenseOf).join('\n'));
}

/** Leaves out modules of which nothing is used, and replaces those of the installation. */
function usePartsOnly(build) {
  build.onResolve({ filter: /./ }, async ({ path: name, pluginData, ...from }) => {
    if (pluginData === 'resolved' || from.kind === 'entry-point') return undefined;
    if (/^[^.]/.test(name) && !isBuiltin(name) && !BUNDLED.includes(name)) {
      return { path: name, external: true, sideEffects: false };
    }
    const resolved = await build.resolve(name, { ...from, pluginData: 'resolved' });
    const module = path.relative(PROJECT, resolved.path).replaceAll('\\', '/');
    if (UNUSED.includes(module)) return { path: module, external: true, sideEffects: false };
    const other = REPLACED[module];
    const replaced = other === undefined ? {} : { path: path.join(PROJECT, other) };
    return { ...resolved, ...replaced, sideEffects: false };
  });
}

function licenseOf(name) {
  const folder = path.join(PROJECT, 'node_modules', name);
  const { version } = JSON.parse(readFileSync(path.join(folder, 'package.json'), 'utf8'));
  const license = readdirSync(folder).find((each) => /^licen[cs]e/i.test(each));
  const text = license === undefined ? '' : readFileSync(path.join(folder, license), 'utf8');
  return `${name} ${version}\n\n${text.trim()}\n`;
}
