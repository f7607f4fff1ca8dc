import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { makeMerchantProgram } from '../../cli/merchant.ts';
import { makeProgram } from '../../cli/program.ts';
import { openStand } from '../api/harness.ts';
import { CALL, SCRIPT, TYPED } from './programs.ts';
import { SECRET } from './signed.ts';

const run = promisify(execFile);
const project = path.resolve(import.meta.dirname, '../..');
/** The time limit of packing, which compiles. That takes long on a busy machine. */
const PATIENCE_MS = 180_000;

const stand = await openStand('sdkpack');

let shop = '';

/** Installs the package from the service, in a folder where Node finds none of our packages. */
beforeAll(async () => {
  shop = await mkdtemp(path.join(tmpdir(), 'tollgate-shop-'));
  await writeFile(path.join(shop, 'package.json'), '{"name":"shop","private":true}');
  const url = `${stand.api.url}/docs/tollgate-sdk.tgz`;
  await run('npm', ['install', '--no-audit', '--no-fund', url], { cwd: shop });
}, PATIENCE_MS);

afterAll(async () => rm(shop, { recursive: true }));

describe('the package', () => {
  it('has the compiled code, and no other files', async () => {
    const installed = path.join(shop, 'node_modules/@tollgate/sdk');
    const names = await readdir(installed);
    expect(new Set(names)).toEqual(new Set(['LICENSE', 'README.md', 'dist', 'package.json']));
    const files = await readdir(path.join(installed, 'dist'), { recursive: true });
    const code = files.filter((name) => /\.[jt]s$/.test(name));
    expect(code).toContain('index.d.ts');
    expect(code.filter((name) => name.startsWith('command'))).toEqual(['command/tollgate.js']);
    const { dependencies } = JSON.parse(
      await readFile(path.join(installed, 'package.json'), 'utf8'),
    ) as { dependencies?: unknown };
    expect(dependencies).toBeUndefined();
    for (const name of code.filter((each) => !each.startsWith('command'))) {
      const text = await readFile(path.join(installed, 'dist', name), 'utf8');
      expect(text).not.toMatch(/from '\.[^']*(?<!\.js)'/);
    }
  });

  it(
    'has the same bytes as a package that is made from the repository',
    async () => {
      const args = ['pack', './sdk', '--pack-destination', shop, '--silent'];
      const { stdout } = await run('npm', args, { cwd: project });
      const packed = await readFile(path.join(shop, stdout.trim()));
      const served = await fetch(`${stand.api.url}/docs/tollgate-sdk.tgz`);
      expect(packed.equals(Buffer.from(await served.arrayBuffer()))).toBe(true);
    },
    PATIENCE_MS,
  );

  it('works in plain JavaScript against the API', async () => {
    await writeFile(path.join(shop, 'shop.mjs'), SCRIPT);
    const args = ['shop.mjs', stand.api.url, stand.tenant.secret];
    const { stdout } = await run(process.execPath, args, { cwd: shop });
    const printed = JSON.parse(stdout) as Record<string, unknown> & { made: string[] };
    expect(printed['listed']).toEqual(printed.made.toReversed());
    expect(printed).toMatchObject({ code: 'currency_unsupported', isApiError: true });
    expect(printed).toMatchObject({ event: { data: { object: { id: printed.made[0] } } } });
  });

  it('runs the handler of its README', async () => {
    const text = await readFile(path.join(project, 'sdk', 'README.md'), 'utf8');
    const [, handler = ''] = /```js\n(import [^`]*function POST[^`]*)```/.exec(text) ?? [];
    await writeFile(path.join(shop, 'handler.mjs'), handler + CALL);
    const env = { ...process.env, TOLLGATE_WEBHOOK_SECRET: SECRET };
    const { stdout } = await run(process.execPath, ['handler.mjs'], { cwd: shop, env });
    expect(stdout).toBe('200\n400\n');
  });

  it.each([
    ['node16', { module: 'node16', lib: ['es2022', 'dom'], types: [] }],
    ['nodenext', { module: 'nodenext', lib: ['es2023'], types: ['node'] }],
    ['bundler', { module: 'esnext', lib: ['es2022', 'dom'], types: [] }],
  ])(
    'has types that compile with the module resolution %s',
    async (moduleResolution, more) => {
      const at = path.join(shop, moduleResolution);
      await mkdir(at);
      await writeFile(path.join(at, 'shop.mts'), TYPED);
      const compilerOptions = {
        moduleResolution,
        target: 'es2022',
        strict: true,
        exactOptionalPropertyTypes: true,
        noEmit: true,
        typeRoots: [path.join(project, 'node_modules/@types')],
        ...more,
      };
      const config = { compilerOptions, files: ['shop.mts'] };
      await writeFile(path.join(at, 'tsconfig.json'), JSON.stringify(config));
      const tsc = path.join(project, 'node_modules/.bin/tsc');
      const { stdout } = await run(tsc, ['-p', at]).catch((error: { stdout: string }) => error);
      expect(stdout).toBe('');
    },
    PATIENCE_MS,
  );
});

/** Runs the command of the package as npx does, in the merchant's folder. */
const command = async (args: readonly string[], env: Record<string, string> = {}) =>
  run(path.join(shop, 'node_modules/.bin/tollgate'), [...args], {
    cwd: shop,
    env: { PATH: process.env['PATH'] ?? '', ...env },
  }).catch((error: { stdout: string; stderr: string }) => error);

describe('its command', () => {
  it('offers the commands of a merchant, and names the licenses of what is in it', async () => {
    const { stdout } = await command(['--help']);
    const offered = [...stdout.matchAll(/^ {2}([a-z-]+) \[/gm)].map(([, name]) => name);
    const wanted = ['listen', 'trigger', 'advance', 'check', 'explain', 'completion', 'help'];
    expect(offered).toEqual(wanted);
    const file = 'node_modules/@tollgate/sdk/dist/command/LICENSES.txt';
    expect(await readFile(path.join(shop, file), 'utf8')).toMatch(/^commander 14[^]+MIT[^]+ulid/);
  });

  it('causes an event, with the key of a file .env', async () => {
    const variables = [
      `TOLLGATE_API_URL=${stand.api.url}`,
      `TOLLGATE_API_KEY=${stand.tenant.secret}`,
    ];
    // A setting of the merchant's own, with a name that the service knows too.
    const own = 'MONGODB_URI_FILE=/run/secrets/missing';
    await writeFile(path.join(shop, '.env'), [...variables, own].join('\n'));
    const { stdout, stderr } = await command(['trigger', 'payment.completed', '--json']);
    await rm(path.join(shop, '.env'));
    expect(stderr).toBe('');
    expect(JSON.parse(stdout)).toMatchObject({ type: 'payment.completed' });
  });

  it('explains a signature', async () => {
    await writeFile(path.join(shop, 'body.json'), '{"id":"evt_1"}');
    const args = ['explain', '--body', 'body.json', '--timestamp', '1767225600', '--json'];
    const { stdout } = await command(args, { TOLLGATE_WEBHOOK_SECRET: SECRET });
    expect(JSON.parse(stdout)).toMatchObject({ headers: expect.anything() });
  });

  it.each([
    [['endpoint', 'create', '--url', 'http://localhost:9000'], 'endpoint'],
    [['doctor'], 'doctor'],
    [['explain', '--delivery', 'dlv_1'], 'explain --delivery'],
  ])('says where %j has to be run', async (args, name) => {
    const { stdout, stderr } = await command(args);
    expect(stdout).toBe('');
    expect(stderr).toContain(
      `Run it where Tollgate is installed, in its folder: npx tollgate ${name}`,
    );
  });

  it('knows every command of the installation', () => {
    const [own, all] = [makeMerchantProgram(), makeProgram()].map(({ commands }) =>
      commands.map((each) => each.name()).toSorted(),
    );
    expect(own).toEqual(all);
  });
});
