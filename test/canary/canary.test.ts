/** No secret is in the clear anywhere: the database, the logs, the histories, the files. */
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import path from 'node:path';
import { afterAll, describe, expect, it } from 'vitest';
import { Connection } from '@temporalio/client';
import { TYPED, createMerchant, spendDay } from './canaries.ts';
import type { Planted } from './canaries.ts';
import { beRefused, sufferFaults } from './faults.ts';
import { readDatabases, readFiles, readTemporal, watchCommandLines } from './places.ts';
import type { Place } from './places.ts';
import { startDatabases } from '../support/servers/databases.ts';
import { openDeployment, withDatabase } from '../support/servers/deployment.ts';
import { openReceiver } from '../support/receiver.ts';
import type { Receiver } from '../support/receiver.ts';
import { makeSearch, makeWordSearch } from './search.ts';
import type { Search } from './search.ts';
import { until } from '../support/until.ts';
import { closeAfterTests } from '../support/close.ts';

const TEMPORAL_NAMESPACE = 'default';

let good: Receiver;
let bad: Receiver;
let planted: Planted;

const databases = closeAfterTests(await startDatabases());
[good, bad] = await Promise.all([openReceiver(), openReceiver()]);
const deployment = closeAfterTests(
  await openDeployment({
    file: 'canary',
    env: {
      TEMPORAL_ADDRESS: databases.temporalAddress,
      TEMPORAL_NAMESPACE,
      MONGODB_URI: withDatabase(databases.mongoUri, 'tollgate'),
      WEBHOOK_SCHEDULE: '0,1,1',
      ENCRYPTION_KEY_PREVIOUS: randomBytes(32).toString('base64'),
      LOG_LEVEL: 'debug',
    },
  }),
);
const stopWatching = watchCommandLines();
const ground = { deployment, good, bad };
const [hired] = await Promise.all([createMerchant(ground), deployment.start()]);
const { merchant } = hired;
[planted] = await Promise.all([spendDay(ground, hired), beRefused(deployment, merchant)]);
await sufferFaults(deployment, { merchant, databases });
const commandLines = await stopWatching();
const connection = await Connection.connect({ address: databases.temporalAddress });
const secrets = makeSearch(planted.secrets);
const privates = makeSearch(planted.privates);
const typed = makeWordSearch(Object.entries(TYPED).map(([name, text]) => ({ name, text })));

afterAll(async () => {
  await connection?.close();
  await Promise.all([good?.close(), bad?.close()]);
});

/** Returns one line for each place with findings. */
function findIn(places: readonly Place[], ...searches: readonly Search[]): string[] {
  return places.flatMap(({ name, bytes }) => {
    const found = searches.flatMap((search) => search(bytes));
    return found.length > 0 ? [`${name}: ${found.join(', ')}`] : [];
  });
}

/** Throws unless the search finds known texts, which proves that it works. */
function expectSeen(places: readonly Place[], name: keyof Planted['visible']): void {
  const search = makeSearch([{ name, text: planted.visible[name], isWhole: true }]);
  expect(findIn(places, search).join('\n')).toContain(name);
}

const isLog = (name: string): boolean => name.includes('.log');
const isActivity = ({ name }: Place): boolean => name.startsWith('activity');

describe('a secret', () => {
  it('is in no document of the database, unlike private texts', async () => {
    const places = await readDatabases(databases.mongoUri);
    expectSeen(places, 'orderId');
    const requestLog = places.filter(({ name }) => name.endsWith('.api_requests'));
    expectSeen(requestLog, 'paymentId');
    const kept = new Set(places.flatMap(({ bytes }) => privates(bytes)));
    expect([...kept].toSorted()).toEqual(planted.privates.map(({ name }) => name).toSorted());
    expect(findIn(places, secrets, typed)).toEqual([]);
  });

  it('is not in the audit, and neither are private texts', async () => {
    const places = await readDatabases(databases.mongoUri);
    const audit = places.filter(({ name }) => name.endsWith('.audit'));
    expectSeen(audit, 'merchantId');
    const rows = await deployment.mongo.auditEntries.find().toArray();
    expect([...new Set(rows.map(({ action }) => action))].toSorted()).toEqual([
      'delivery.resend',
      'endpoint.create',
      'endpoint.ping',
      'endpoint.rotate_secret',
      'key.create',
      'key.revoke',
      'key.roll',
      'merchant.create',
      'replay.start',
    ]);
    const hashes = (await deployment.mongo.keys.find().toArray()).map(({ _id, hash }) => {
      return { name: `the hash of ${_id}`, text: hash };
    });
    expect(findIn(audit, secrets, privates, typed, makeSearch(hashes))).toEqual([]);
  });

  it('is in no debug log, even after faults, and neither are private texts', async () => {
    const ours = await readFiles(deployment.folder, isLog);
    expectSeen(
      ours.filter(({ name }) => name.includes('server')),
      'paymentId',
    );
    expectSeen(
      ours.filter(({ name }) => name.includes('worker')),
      'deliveryId',
    );
    const places = [...ours, ...(await readFiles(databases.folder, isLog))];
    expect(places.length).toBeGreaterThan(ours.length);
    expect(findIn(places, secrets, privates, typed)).toEqual([]);
  });

  it('is in no history and no activity, and neither are private texts', async () => {
    const fault = makeSearch([{ name: 'the fault', text: 'authenticate data' }]);
    // Temporal shows only the last failure of a delivery. Until the next attempt, that may be the
    // killed database.
    const places = await until(
      async () => readTemporal(connection, TEMPORAL_NAMESPACE),
      (read) => findIn(read.filter(isActivity), fault).length > 0,
    );
    const of = (kind: string): Place[] => places.filter(({ name }) => name.startsWith(kind));
    expectSeen(of('history'), 'orderId');
    // Every kind of workflow has run.
    for (const kind of ['pay_', 'ref_', 'rpl_', 'sweep']) {
      expect([kind, of(`history of ${kind}`).length > 0]).toEqual([kind, true]);
    }
    expectSeen(of('description'), 'orderId');
    expectSeen(of('activity'), 'deliveryId');
    expect(findIn(places, secrets, privates, typed)).toEqual([]);
  });

  it("is in no file of Temporal's, and neither are private texts", async () => {
    const places = await readFiles(path.join(databases.folder, 'temporal'), () => true);
    expectSeen(places, 'orderId');
    expect(findIn(places, secrets, privates)).toEqual([]);
  });

  it("is in no file of MongoDB's", async () => {
    const folder = path.join(databases.folder, 'mongo');
    const places = await readFiles(folder, () => true);
    // A real mongod compresses its files, so a search of them proves little.
    if (existsSync(path.join(folder, 'mongodb-stand-in'))) expectSeen(places, 'orderId');
    else console.log('MongoDB compresses its files: a search of them proves little.');
    expect(findIn(places, secrets)).toEqual([]);
  });

  it('is in no command line', () => {
    expectSeen([commandLines], 'merchantId');
    expect(findIn([commandLines], secrets)).toEqual([]);
  });

  it('is not in the stored headers of an attempt', async () => {
    const rows = await deployment.mongo.deliveries.find().toArray();
    const headers = rows.flatMap(({ attempts }) =>
      attempts.flatMap(({ request }) => request?.headers.map(([name]) => name) ?? []),
    );
    expect([...new Set(headers)].toSorted()).toEqual([
      'Content-Type',
      'Service-Attempt',
      'Service-Delivery',
      'Service-Signature',
      'Service-Timestamp',
      'User-Agent',
      'traceparent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ]);
  });
});

describe('makeSearch', () => {
  const bytes = Buffer.from(
    '8f3c1d0a5be7924466aa01fe77c2d3900f1b2c3d4e5f60718293a4b5c6d7e8f9',
    'hex',
  );
  const text = bytes.toString('base64');
  const search = makeSearch([{ name: 'it', text, bytes }]);
  const inside = (shift: number): string =>
    Buffer.concat([Buffer.alloc(shift, '.'), bytes, Buffer.from('..')]).toString('base64');

  it.each([
    ['as plain text', text],
    ['as bytes', bytes],
    ['in hex', bytes.toString('hex')],
    ['in capital hex', bytes.toString('hex').toUpperCase()],
    ['in base64url', bytes.toString('base64url')],
    ['URL-encoded', encodeURIComponent(text)],
    ['URL-encoded twice', Buffer.from(text).toString('base64')],
    ['in hex of its text', Buffer.from(text).toString('hex')],
    ['in longer base64', inside(1)],
    ['in longer base64 at another offset', inside(2)],
    ['in part', text.slice(9, 27)],
  ])('finds a secret %s', (_, form) => {
    const hay = Buffer.concat([
      Buffer.from('what is before '),
      Buffer.from(form as string),
      Buffer.from('and after'),
    ]);
    expect(search(hay)).toEqual(['it']);
  });

  it('finds nothing in other bytes', () => {
    expect(search(Buffer.from(`${text.slice(0, 15)} ${text.slice(-4)}`))).toEqual([]);
  });
});
