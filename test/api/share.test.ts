/** A merchant that uses all it can get. Others are still served, and memory is freed. */
import net from 'node:net';
import type { Socket } from 'node:net';
import v8 from 'node:v8';
import vm from 'node:vm';
import { afterEach, describe, expect, it } from 'vitest';
import { makeAdmit } from '../../api/share.ts';
import type { Admission } from '../../api/share.ts';
import { pendingWork } from '../support/pending.ts';
import { makePayment } from '../support/rows/payment.ts';
import { until } from '../support/until.ts';
import { Refusal } from '../../operations/refusal.ts';
import { makeTenant, openStand } from './harness.ts';
import type { Tenant } from './harness.ts';

const stand = await openStand('share');

const sockets: Socket[] = [];
afterEach(async () => {
  for (const socket of sockets.splice(0)) socket.destroy();
});

/** Metadata that makes a page of 100 payments 2.5 MB long. */
const BIG = Object.fromEntries(Array.from({ length: 50 }, (_, i) => [`k${i}`, 'x'.repeat(500)]));

/** Creates a merchant with the longest possible page. */
async function createHoarder(): Promise<Tenant> {
  const tenant = await makeTenant(stand.mongo);
  const { merchantId, m } = tenant;
  const rows = Array.from({ length: 100 }, () =>
    makePayment({ merchant_id: merchantId, m, metadata: BIG }),
  );
  await stand.mongo.payments.insertMany(rows);
  return tenant;
}

/** Sends bytes on a new connection, and reads nothing. */
function sendUnread(text: string): Socket {
  const socket = net.connect(stand.api.port, '127.0.0.1');
  sockets.push(socket);
  socket.on('error', () => undefined);
  socket.pause().write(text);
  return socket;
}

const longPage = ({ secret }: Tenant): string =>
  `GET /v1/payments?limit=100 HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${secret}\r\n\r\n`;

async function codeOf(tenant: Tenant): Promise<number | string> {
  const { status, json } = await stand.api.as(tenant).send('GET', '/v1/payments?limit=1');
  return status === 200 ? 200 : (json.error.code as string);
}

v8.setFlagsFromString('--expose-gc');
const collect = vm.runInNewContext('gc') as () => void;

/** Returns the size of this process's buffers outside the heap, in MB. */
function buffersMb(): number {
  collect();
  return process.memoryUsage().arrayBuffers / 1024 / 1024;
}

describe('a merchant that reads no responses', () => {
  it.each([
    // The kernel buffers a page or two of each connection.
    ['on 10 connections, is refused', 10, 20, 'too_many_requests'],
    // A connection has one response at a time.
    ['on one connection, gets one response at a time', 1, 60, 200],
  ])(
    '%s, and does not delay others',
    async (_, connections, each, end) => {
      const hoarder = await createHoarder();
      const before = buffersMb();
      for (let i = 0; i < connections; i += 1) sendUnread(longPage(hoarder).repeat(each));
      for (let i = 0; i < 20; i += 1) expect(await codeOf(stand.tenant)).toBe(200);
      await until(
        async () => codeOf(hoarder),
        (code) => code === end,
        60_000,
      );
      // 60 pages are 150 MB. The limit is 16 MB, plus the responses that began before it.
      expect(buffersMb() - before).toBeLessThan(60);
      for (const socket of sockets.splice(0)) socket.destroy();
      await until(
        async () => codeOf(hoarder),
        (code) => code === 200,
        60_000,
      );
      await until(buffersMb, (now) => now < before + 8, 60_000);
    },
    240_000,
  );
});

const refusal = expect.objectContaining({
  code: 'too_many_requests',
  headers: { 'Retry-After': '1' },
});

const refuse = async (): Promise<never> => Promise.reject(new Refusal('resource_missing'));

describe('makeAdmit', () => {
  it('admits 200 requests of a merchant at once, and another for each one that ends', () => {
    const admit = makeAdmit();
    const admissions = Array.from({ length: 200 }, () => admit('m'));
    expect(() => admit('m')).toThrow(refusal);
    expect(() => admit('other')).not.toThrow();
    admissions[0]!.leave();
    admit('m');
    expect(() => admit('m')).toThrow(refusal);
  });

  it.each([
    ['calls', 8],
    ['updates', 8],
    ['lists', 1],
  ] as const)('limits the %s of a merchant that run at once', async (kind, count) => {
    const admit = makeAdmit();
    const held = pendingWork();
    let begun = 0;
    const work = async (admission: Admission): Promise<void> =>
      admission.work(kind, async () => {
        begun += 1;
        await held.work();
      });
    const all = Array.from({ length: 50 }, async () => work(admit('m')));
    expect(await admit('other').work(kind, async () => 'done')).toBe('done');
    expect(begun).toBe(count);
    held.end();
    await Promise.all(all);
    expect(begun).toBe(50);
  });

  it('slows down only the merchant that sends many bytes', async () => {
    const admit = makeAdmit();
    const begunMs = performance.now();
    let parsed = 0;
    // Of these 6 MiB, 2 pass at once, and up to 16 in each second after that.
    const all = Array.from({ length: 96 }, async () => {
      await admit('m').receives(64 * 1024);
      parsed += 1;
    });
    await admit('other').receives(64 * 1024);
    expect(parsed).toBeLessThan(96);
    await Promise.all(all);
    expect(performance.now() - begunMs).toBeGreaterThan(200);
  });

  it('includes the wait for bytes in the wait of a request', async () => {
    const admit = makeAdmit();
    const reader = admit('m');
    reader.sends(10 * 1024 * 1024);
    reader.leave();
    const admission = admit('m');
    await admission.receives(1);
    const waitedMs = await admission.work('calls', async (waited) => waited);
    expect(waitedMs).toBeGreaterThan(400);
  });

  it('makes later requests wait for the bytes of responses that were read', async () => {
    const admit = makeAdmit();
    const first = admit('m');
    first.sends(10 * 1024 * 1024);
    first.leave();
    const begunMs = performance.now();
    await admit('m').work('lists', async () => 'done');
    expect(performance.now() - begunMs).toBeGreaterThan(400);
    const second = admit('m');
    second.sends(64 * 1024 * 1024);
    second.leave();
    await expect(admit('m').receives(1)).rejects.toEqual(refusal);
  });

  it('slows down only the merchant whose requests are refused, to 100 a second', async () => {
    const admit = makeAdmit();
    let refused = 0;
    const all = Array.from({ length: 40 }, async () => {
      const work = admit('m').work('calls', refuse);
      await expect(work).rejects.toMatchObject({ code: 'resource_missing' });
      refused += 1;
    });
    const begunMs = performance.now();
    const other = admit('other').work('calls', refuse);
    await expect(other).rejects.toMatchObject({ code: 'resource_missing' });
    expect(refused).toBeLessThan(40);
    await Promise.all(all);
    // 10 at once, and one every 10 ms after that.
    expect(performance.now() - begunMs).toBeGreaterThan(250);
  });

  it('refuses a request that waited too long for other requests of its merchant', async () => {
    const admit = makeAdmit();
    const held = pendingWork();
    const first = admit('m').work('lists', held.work);
    const second = expect(admit('m').work('lists', async () => 'done')).rejects.toEqual(refusal);
    await new Promise((resolve) => setTimeout(resolve, 3_100));
    held.end();
    await first;
    await second;
  });

  it('refuses new and waiting requests of a merchant with too many unread bytes', async () => {
    const admit = makeAdmit();
    const held = pendingWork();
    const reader = admit('m');
    const first = admit('m').work('lists', held.work);
    const second = expect(admit('m').work('lists', async () => 'done')).rejects.toEqual(refusal);
    await new Promise((resolve) => setImmediate(resolve));
    reader.sends(16 * 1024 * 1024 + 1);
    expect(() => admit('m')).toThrow(refusal);
    held.end();
    await first;
    await second;
    reader.leave();
    expect(await admit('m').work('lists', async () => 'done')).toBe('done');
  });
});
