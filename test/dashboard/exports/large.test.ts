/** Exports that are larger than any buffer: memory, slow clients, and failures in the middle. */
import { once } from 'node:events';
import http from 'node:http';
import type { IncomingMessage } from 'node:http';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
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

/** The stand-in for MongoDB takes long to insert rows, so there are few, but long ones. */
const ROWS = 1_500;
const MIB = 1024 * 1024;

/** The rows in a read of the database. */
const BATCH = 24;

let reads = 0;
/** The read that fails. */
let failingAt: number | undefined;

/** The database of the dashboard. Reads of payments are counted, and may fail. */
const mongo: Mongo = new Proxy({} as Mongo, {
  get(_, name: keyof Mongo): unknown {
    const real = ground.mongo[name];
    if (name !== 'payments') return real;
    return new Proxy(real as Mongo['payments'], {
      get(payments, member: keyof Mongo['payments']): unknown {
        if (member !== 'find') return Reflect.get(payments, member, payments);
        return (...args: Parameters<typeof payments.find>) => {
          const cursor = payments.find(...args);
          const toArray = cursor.toArray.bind(cursor);
          cursor.toArray = async () => {
            reads += 1;
            if (reads === failingAt) throw new Error('away');
            return toArray();
          };
          return cursor;
        };
      },
    });
  },
});
const ground = await openGround('dashboard-large', { mongo });
const owner = await ground.signIn('owner');

beforeAll(async () => {
  const description = 'A long text. '.repeat(400);
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
  request.on('error', () => undefined);
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => undefined);
  return response;
}

/** Waits until a download may begin. */
async function left(): Promise<void> {
  const reply = await until(
    async () => owner.get('/exports/refunds.csv'),
    ({ status }) => status !== 429,
  );
  expect(reply.status).toBe(200);
}

/** Waits until the server reads no further. Returns the number of reads. */
async function settled(): Promise<number> {
  for (let before = -1; before !== reads; await sleep(1_000)) before = reads;
  return reads;
}

beforeEach(() => {
  reads = 0;
  failingAt = undefined;
});

/** Returns the ids in a response, and the number of its bytes. Calls `onMib` after each MiB. */
async function readIds(response: Response, onMib = (): void => undefined) {
  const ids: string[] = [];
  let [bytes, mibs, rest] = [0, 0, ''];
  const decoder = new TextDecoder();
  for await (const chunk of response.body ?? []) {
    bytes += chunk.length;
    const lines = (rest + decoder.decode(chunk, { stream: true })).split('\r\n');
    rest = lines.pop() ?? '';
    // A copy, because a slice would keep the whole text in memory.
    for (const line of lines) ids.push(Buffer.from(line.slice(0, 30)).toString());
    if (bytes < (mibs + 1) * MIB) continue;
    mibs += 1;
    onMib();
  }
  return { ids: ids.slice(1), rest, bytes };
}

describe('an export of 8 MB', () => {
  it('has every row once, and takes no more memory at its end than at its beginning', async () => {
    setFlagsFromString('--expose-gc');
    const collect = runInNewContext('gc') as () => void;
    const heap: number[] = [];
    const response = await open(ground, owner, '/exports/payments.csv');
    const { ids, rest, bytes } = await readIds(response, () => {
      collect();
      heap.push(process.memoryUsage().heapUsed);
    });
    expect([ids.length, new Set(ids).size, rest]).toEqual([ROWS, ROWS, '']);
    expect(ids).toEqual(ids.toSorted().toReversed());
    expect(bytes).toBeGreaterThan(7 * MIB);
    expect(heap.at(-1)! - heap[1]!).toBeLessThan(4 * MIB);
  });

  it('reads from the database only as fast as the client takes it', async () => {
    const response = await openDeaf(owner);
    const ahead = await settled();
    expect(ahead).toBeLessThan(ROWS / BATCH);
    response.resume();
    await until(
      () => reads,
      (now) => now > ahead,
    );
    response.destroy();
    await left();
  });

  it('stops reading when the client is gone', async () => {
    const response = await openDeaf(owner);
    const ahead = await settled();
    response.destroy();
    await left();
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
    await left();
  });
});

describe('an export that fails', () => {
  it('in the middle ends without a proper end, and frees its place', async () => {
    failingAt = 5;
    const response = await open(ground, owner, '/exports/payments.csv');
    expect(response.status).toBe(200);
    await expect(readIds(response)).rejects.toThrow('terminated');
    expect(reads).toBe(5);
    await left();
  });

  it('at its first read shows an error page', async () => {
    failingAt = 1;
    const reply = await owner.get('/exports/payments.csv');
    expect(reply.status).toBe(500);
    expect(reply.headers.get('content-disposition')).toBeNull();
    await left();
  });
});

describe('parseCsv', () => {
  it('refuses a file that was cut within a row', () => {
    const bytes = new TextEncoder().encode('\uFEFFid,text\r\n1,"a');
    expect(() => parseCsv(bytes)).toThrow('not CSV');
    expect(rowsOf(parseCsv(new TextEncoder().encode('\uFEFFid\r\n1\r\n')))).toEqual([{ id: '1' }]);
  });
});
