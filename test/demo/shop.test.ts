import { spawn, type ChildProcess } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { networkInterfaces, tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { freePort } from '../support/port.ts';
import { openStand, placeOrder, until, type Stand } from './harness.ts';

/** Far more than a busy machine needs. If the streams did not end, it would never close. */
const CLOSED_WITHIN_MS = 10_000;

describe('createShop', () => {
  let stand: Stand;
  beforeEach(async () => {
    stand = await openStand({ reconcileIntervalMs: 20 });
  });
  afterEach(() => stand.close());

  it('listens on both loopback addresses', async () => {
    const addresses = Object.values(networkInterfaces()).flatMap((list) => list ?? []);
    const hosts = ['127.0.0.1', 'localhost'];
    if (addresses.some((address) => address.address === '::1')) hosts.push('[::1]');
    for (const host of hosts) {
      expect((await fetch(`http://${host}:${stand.shop.port}/healthz`)).status).toBe(200);
    }
  });

  it('keeps its orders over a restart, and reconciles them on a timer', async () => {
    const payment = await placeOrder(stand);
    await stand.restart();
    expect(stand.shop.orders.get(payment.order_id)?.status).toBe('open');
    payment.status = 'completed';
    await until(() => stand.shop.orders.get(payment.order_id)?.status === 'paid');
  });

  it('closes soon, even while a page is open', async () => {
    const feed = await fetch(`${stand.url}/orders/events`);
    expect(feed.status).toBe(200);
    const start = Date.now();
    await stand.shop.close();
    await feed.text();
    expect(Date.now() - start).toBeLessThan(CLOSED_WITHIN_MS);
  });
});

describe('server.ts', () => {
  let folder: string;
  let child: ChildProcess | undefined;
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'demo-server-'));
  });
  afterEach(async () => {
    child?.kill('SIGKILL');
    await rm(folder, { recursive: true });
  });

  async function run(config: unknown): Promise<{ code: number | null; output: () => string }> {
    const file = join(folder, 'config.json');
    await writeFile(file, JSON.stringify(config), { mode: 0o600 });
    const args = ['--import', 'tsx', 'demo/server.ts', '--config', file];
    const started = spawn(process.execPath, args, { env: {} });
    child = started;
    let text = '';
    started.stdout.on('data', (chunk) => (text += String(chunk)));
    await until(() => text.includes('demo shop started') || started.exitCode !== null);
    return { code: started.exitCode, output: () => text };
  }

  it('reports every fault of its configuration', async () => {
    const { code, output } = await run({ port: 'x', api_url: 'ftp://x', api_key: 'sk_test_1' });
    expect(code).toBe(1);
    for (const name of ['port', 'shop_url', 'api_url', 'webhook_secret', 'orders_file']) {
      expect(output()).toContain(`${name} must be`);
    }
    expect(output()).not.toContain('sk_test_1');
  });

  it('listens on the given address only', async () => {
    const port = await freePort();
    const { code } = await run({
      host: '127.0.0.2',
      port,
      shop_url: `http://localhost:${port}`,
      api_url: 'http://127.0.0.1:9',
      api_key: 'sk_test_1',
      webhook_secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
      orders_file: join(folder, 'orders.json'),
    });
    expect(code).toBeNull();
    expect((await fetch(`http://127.0.0.2:${port}/healthz`)).status).toBe(200);
    await expect(fetch(`http://127.0.0.1:${port}/healthz`)).rejects.toThrow('fetch failed');
  });

  it('starts, and exits with 0 after SIGTERM', async () => {
    const port = await freePort();
    const { code } = await run({
      port,
      shop_url: `http://localhost:${port}`,
      api_url: 'http://127.0.0.1:9',
      api_key: 'sk_test_1',
      webhook_secret: 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=',
      orders_file: join(folder, 'orders.json'),
    });
    expect(code).toBeNull();
    expect((await fetch(`http://localhost:${port}/healthz`)).status).toBe(200);
    child?.kill('SIGTERM');
    await until(() => child?.exitCode !== null || child.signalCode !== null);
    // It exits with 1 if closing takes more than two seconds.
    expect(child?.exitCode).toBe(0);
  });
});
