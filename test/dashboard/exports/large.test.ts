/** Exports of many rows: memory, slow clients, and failures in the middle. */
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, describe, expect, it } from 'vitest';
import { setTimeout as sleep } from 'node:timers/promises';
import { openMongo } from '../../../store/mongo.ts';
import type { Mongo } from '../../../store/mongo.ts';
import { insertAll } from '../../support/insert.ts';
import { testServers } from '../../support/run.ts';
import { until } from '../../support/until.ts';
import { makePayment } from '../../support/rows/payment.ts';
import { openGround } from '../harness.ts';
import type { Browser } from '../harness.ts';
import { open, parseCsv, rowsOf } from './download.ts';

const ROWS = 20_000;
const MIB = 1024 * 1024;

let finds = 0;
/** Makes the query of that number fail. */
let failAt = Infinity;

/** The database of the dashboard. Its queries for payments are counted, and may fail. */
const mongo: Mongo = new Proxy({} as Mongo, {
  get(_, name: keyof Mongo): unknown {
    const real = ground.mongo[name];
    if (name !== 'payments') return real;
    return new Proxy(real as Mongo['payments'], {
      get(payments, member: keyof Mongo['payments']): unknown {
        const value: unknown = Reflect.get(payments, member, payments);
        if (typeof value !== 'function') return value;
        return (...args: unknown[]): unknown => {
          if (member === 'find') finds += 1;
          if (member === 'find' && finds >= failAt) throw new Error('away');
          return Reflect.apply(value, payments, args);
        };
      },
    });
  },
});
const ground = await openGround('dashboard-large', { mongo });
const owner = await ground.signIn('owner');

beforeAll(async () => {
  const description = 'A long text. '.repeat(19);
  const rows = Array.from({ length: ROWS }, () => makePayment({ m: ground.tenant, description }));
  const dbName = ground.mongo.db.databaseName;
  const patient = await openMongo({ uri: testServers().mongoUri, dbName, patient: true });
  await insertAll(patient.payments, rows);
  await patient.close();
}, 300_000);

/** Opens a download whose body nobody reads. */
async function openDeaf(browser: Browser): Promise<IncomingMessage> {
  const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
  const request = http.get(`${ground.url}/exports/payments.csv`, {
    headers: { Cookie: cookie },
    agent: false,
  });
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

/** Waits until no further query is sent. */
async function settled(): Promise<number> {
  for (let before = -1; before !== finds; await sleep(500)) before = finds;
  return finds;
}

describe('an export of 20,000 rows', () => {
  it('has every row once, and takes no more memory at its end than at its beginning', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap: number[] = [];
    const response = await open(ground, owner, '/exports/payments.csv');
    const ids = new Set<string>();
    let bytes = 0;
    let rest = '';
    const decoder = new TextDecoder();
    for await (const chunk of response.body!) {
      bytes += (chunk as Uint8Array).length;
      const lines = (rest + decoder.decode(chunk as Uint8Array, { stream: true })).split('\r\n');
      rest = lines.pop()!;
      for (const line of lines) ids.add(line.slice(0, 30));
      if (bytes > heap.length * MIB) {
        collect();
        heap.push(process.memoryUsage().heapUsed);
      }
    }
    // With the header.
    expect([ids.size, rest]).toEqual([ROWS + 1, '']);
    expect(heap.length).toBeGreaterThan(6);
    // The ids of the test itself take about 2 MiB.
    expect(heap.at(-1)! - heap[1]!).toBeLessThan(6 * MIB);
  });

  it('reads from the database only as fast as the client takes it', async () => {
    finds = 0;
    const response = await openDeaf(owner);
    const ahead = await settled();
    expect(ahead).toBeLessThan(ROWS / 100);
    let bytes = 0;
    response.on('data', (chunk: Buffer) => void (bytes += chunk.length));
    await once(response, 'end');
    expect([finds, response.complete]).toEqual([ROWS / 100, true]);
    expect(bytes).toBeGreaterThan(8 * MIB);
  });

  it('stops reading when the client is gone', async () => {
    finds = 0;
    const response = await openDeaf(owner);
    const ahead = await settled();
    response.destroy();
    await sleep(100);
    expect(await settled()).toBeLessThanOrEqual(ahead + 1);
  });

  it('is limited to two at once for a merchant', async () => {
    const [one, two] = [await openDeaf(owner), await openDeaf(owner)];
    expect([one.statusCode, two.statusCode]).toEqual([200, 200]);
    expect((await owner.get('/exports/payments.csv')).status).toBe(429);
    const merchant = await ground.addMerchant();
    const other = await ground.signIn('owner', merchant);
    expect((await other.get('/exports/payments.csv')).status).toBe(200);
    one.destroy();
    two.destroy();
    const again = async () => (await owner.get('/exports/refunds.csv')).status;
    expect(await until(again, (status) => status !== 429)).toBe(200);
  });

  it('shows a bounded count before', async () => {
    const { html } = await owner.get('/exports?kind=payments');
    expect(html).toContain('More than 10,000 rows');
  });
});

describe('an export that fails', () => {
  it('in the middle ends without a proper end', async () => {
    [finds, failAt] = [0, 5];
    const response = await open(ground, owner, '/exports/payments.csv');
    expect(response.status).toBe(200);
    const received: Uint8Array[] = [];
    const reading = async (): Promise<void> => {
      for await (const chunk of response.body!) received.push(chunk as Uint8Array);
    };
    await expect(reading()).rejects.toThrow('terminated');
    failAt = Infinity;
    expect(finds).toBe(5);
    // It freed its place.
    const refunds = async () => (await owner.get('/exports/refunds.csv')).status;
    expect(await until(refunds, (status) => status !== 429)).toBe(200);
  });

  it('at its first query shows an error page', async () => {
    [finds, failAt] = [0, 1];
    const reply = await owner.get('/exports/payments.csv');
    failAt = Infinity;
    expect(reply.status).toBe(500);
    expect(reply.headers.get('content-disposition')).toBeNull();
  });
});

describe('parseCsv', () => {
  it('refuses a file that was cut within a row', () => {
    const bytes = new TextEncoder().encode('\uFEFFid,text\r\n1,"a');
    expect(() => parseCsv(bytes)).toThrow('not CSV');
    expect(rowsOf(parseCsv(new TextEncoder().encode('\uFEFFid\r\n1\r\n')))).toEqual([{ id: '1' }]);
  });
});
