import { execFile } from 'node:child_process';
import { cp, mkdir, mkdtemp, readdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { openStand } from '../api/harness.ts';
import { SECRET } from './signed.ts';

const run = promisify(execFile);
const project = path.resolve(import.meta.dirname, '../..');
/** The time limit of packing, which compiles. That takes long on a busy machine. */
const PATIENCE_MS = 180_000;

const stand = await openStand('sdkpack');

let folder = '';
let shop = '';

const isSource = (file: string): boolean => path.basename(file) !== 'dist';

/** Packs a copy of the SDK as a publisher does, and installs it as a user does. */
beforeAll(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'tollgate-sdk-'));
  const source = path.join(folder, 'sdk');
  await cp(path.join(project, 'sdk'), source, { recursive: true, filter: isSource });
  await symlink(path.join(project, 'node_modules'), path.join(folder, 'node_modules'), 'junction');
  await run('npm', ['pack', '--pack-destination', folder], { cwd: source });
  const tarball = (await readdir(folder)).find((name) => name.endsWith('.tgz')) ?? '';
  // In another folder, where Node does not find the project's own packages.
  shop = await mkdtemp(path.join(tmpdir(), 'tollgate-shop-'));
  await writeFile(path.join(shop, 'package.json'), '{"name":"shop","private":true}');
  const args = ['install', '--offline', '--no-audit', '--no-fund', path.join(folder, tarball)];
  await run('npm', args, { cwd: shop });
}, PATIENCE_MS);

afterAll(async () => {
  await rm(folder, { recursive: true });
  await rm(shop, { recursive: true });
});

const SCRIPT = `
  import { Tollgate, TollgateApiError, webhooks } from 'tollgate-sdk';

  const [, , baseUrl, apiKey] = process.argv;
  const tollgate = new Tollgate({ baseUrl, apiKey });
  const params = { amount: 12500, currency: 'AMD', return_url: 'https://shop.example/thanks' };
  const made = [];
  for (let n = 0; n < 5; n += 1) made.push((await tollgate.payments.create(params)).id);
  const listed = [];
  for await (const { id } of tollgate.payments.list({ limit: 2 })) listed.push(id);
  const refused = await tollgate.payments.create({ ...params, currency: 'ZZZ' }).catch((e) => e);
  const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  const body = JSON.stringify({ id: 'evt_1', type: 'payment.completed', data: { object: { id: made[0] } } });
  const headers = webhooks.signTest({ body, secret });
  const request = new Request('http://shop.example/', { method: 'POST', body, headers });
  const event = await webhooks.receive(request, secret);
  const isApiError = refused instanceof TollgateApiError;
  console.log(JSON.stringify({ made, listed, code: refused.code, isApiError, event }));
`;

const TYPED = `
  import { Tollgate, TollgateApiError, webhooks } from 'tollgate-sdk';
  import type { Event, Payment, Refund } from 'tollgate-sdk';

  declare const apiKey: string | undefined;
  const tollgate = new Tollgate({ apiKey, baseUrl: 'https://api.pay.example', fetch });
  const params = { amount: 1, currency: 'AMD', return_url: 'https://shop.example/' } as const;
  export const made: Promise<Payment> = tollgate.payments.create(params, { idempotencyKey: 'a' });
  // @ts-expect-error -- an amount is a number of minor units
  export const wrong = tollgate.payments.create({ ...params, amount: '12500' });
  // @ts-expect-error -- there is no such outcome
  export const odd = tollgate.test.outcome('pay_1', 'aprove');

  export async function walk(): Promise<Refund[]> {
    const { data, has_more } = await tollgate.refunds.list({ status: ['pending', 'failed'] });
    for await (const refund of tollgate.refunds.list()) if (has_more) data.push(refund);
    return data;
  }

  export const received: Promise<Event> = webhooks.receive(new Request('http://a/'), apiKey);

  export function read(body: Uint8Array, headers: Headers | Record<string, string[]>): string {
    const event = webhooks.verify(body, headers, ['whsec_a', 'whsec_b'], { toleranceSeconds: 60 });
    switch (event.type) {
      case 'payment.completed':
        return event.data.object.checkout_url;
      case 'refund.failed':
        return event.data.object.payment_id;
      case 'webhook_endpoint.ping':
        return event.data.object.secret_hint;
      default:
        // @ts-expect-error -- a payment and a refund have little in common
        return event.data.object.checkout_url;
    }
  }

  export function explain(error: unknown): string {
    if (!(error instanceof TollgateApiError)) return 'unknown';
    // @ts-expect-error -- there is no such code
    if (error.code === 'card_is_blue') return 'blue';
    return error.code === 'payment_state_invalid' ? 'too late' : error.message;
  }
`;

/** Code that calls the handler of a guide, with the functions that a merchant must add. */
const CALL = `
  const isNew = async () => true;
  const handle = async () => undefined;
  const body = '{"id":"evt_1","type":"payment.failed"}';
  const headers = webhooks.signTest({ body, secret: process.env.TOLLGATE_WEBHOOK_SECRET });
  const post = (sent) =>
    POST(new Request('http://shop.example/', { method: 'POST', body: sent, headers }));
  for (const sent of [body, body + ' ']) console.log((await post(sent)).status);
`;

describe('the package', () => {
  it('has the compiled code, and no other files', async () => {
    const installed = path.join(shop, 'node_modules/tollgate-sdk');
    const names = await readdir(installed);
    expect(new Set(names)).toEqual(new Set(['LICENSE', 'README.md', 'dist', 'package.json']));
    const files = await readdir(path.join(installed, 'dist'), { recursive: true });
    const code = files.filter((name) => /\.[jt]s$/.test(name));
    expect(code).toContain('index.d.ts');
    for (const name of code) {
      const text = await readFile(path.join(installed, 'dist', name), 'utf8');
      expect(text).not.toMatch(/from '\.[^']*(?<!\.js)'/);
    }
  });

  it('works in plain JavaScript against the API', async () => {
    await writeFile(path.join(shop, 'shop.mjs'), SCRIPT);
    const args = ['shop.mjs', stand.api.url, stand.tenant.secret];
    const { stdout } = await run(process.execPath, args, { cwd: shop });
    const printed = JSON.parse(stdout) as Record<string, unknown> & { made: string[] };
    expect(printed['listed']).toEqual(printed.made.toReversed());
    expect(printed).toMatchObject({ code: 'currency_unsupported', isApiError: true });
    expect(printed).toMatchObject({ event: { data: { object: { id: printed.made[0] } } } });
  });

  it.each(['sdk/README.md', 'docs/guides/webhooks.md'])('runs the handler of %s', async (file) => {
    const text = await readFile(path.join(project, file), 'utf8');
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
