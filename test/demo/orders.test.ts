import { mkdtemp, readdir, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { afterEach, beforeEach, describe, expect, it } from 'vitest';

import { GOODS } from '../../demo/goods.ts';
import { Orders } from '../../demo/orders.ts';

let folder: string;
let path: string;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'demo-orders-'));
  path = join(folder, 'orders.json');
});
afterEach(() => rm(folder, { recursive: true }));

const open = () => Orders.open(path, () => new Date());
const good = GOODS[0]!;
const token = (n: number) => n.toString(16).padStart(32, '0');

describe('Orders', () => {
  it('refuses a damaged file and does not change it', async () => {
    for (const text of ['{"orders": [', '[]', '{"version": 2}']) {
      await writeFile(path, text);
      await expect(open()).rejects.toThrow('move it away');
      expect(await readFile(path, 'utf8')).toBe(text);
    }
  });

  it('reads orders and events again after a restart', async () => {
    const orders = await open();
    const order = orders.place(good, token(1));
    orders.attach(order, { id: 'pay_1', checkout_url: 'http://localhost:8081/c/1' });
    orders.close(order, 'paid', 'paid by a test');
    orders.remember('evt_1');
    await orders.save();
    const again = await open();
    expect(again.list()).toEqual(orders.list());
    expect(again.hasSeen('evt_1')).toBe(true);
    expect(again.place(good, token(1)).id).toBe(order.id);
  });

  it('writes a private file without a draft, also if many saves run at once', async () => {
    const orders = await open();
    const saves = Array.from({ length: 30 }, async (_, n) => {
      const order = orders.place(good, token(n));
      await orders.save();
      const file = JSON.parse(await readFile(path, 'utf8')) as { orders: { id: string }[] };
      expect(file.orders.map(({ id }) => id)).toContain(order.id);
    });
    await Promise.all(saves);
    expect((await stat(path)).mode & 0o777).toBe(0o600);
    expect(await readdir(folder)).toEqual(['orders.json']);
  });

  it('throws if the file cannot be written, and writes everything next time', async () => {
    const orders = await open();
    orders.place(good, token(1));
    await rm(folder, { recursive: true });
    await writeFile(folder, 'a file where the folder was');
    await expect(orders.save()).rejects.toThrow();
    await rm(folder);
    await orders.save();
    expect((await open()).list()).toHaveLength(1);
  });

  it('lets a closed order become paid, and never changes a paid one', async () => {
    const orders = await open();
    const order = orders.place(good, token(1));
    expect(orders.close(order, 'expired', 'late')).toBe(true);
    expect(orders.close(order, 'failed', 'again')).toBe(false);
    expect(orders.close(order, 'paid', 'after all')).toBe(true);
    expect(orders.close(order, 'paid', 'twice')).toBe(false);
    expect(orders.close(order, 'canceled', 'too late')).toBe(false);
    expect(order.status).toBe('paid');
  });
});
