/**
 * Measures the dashboard of a merchant with many payments: every page with its queries, the memory
 * of the server during exports, and what password guesses cost the creation of payments.
 *
 * Run: `npm run bench:dashboard -- [--payments 20000] [--bare] [--only pages,exports,guesses]`. With
 * MONGODB_URI it uses that MongoDB, and leaves the rows there. `--merchant` uses those of an
 * earlier run. `--bare` seeds events and deliveries of the newest payments only.
 */
import { randomUUID } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { tenantOf } from '../domain/merchant.ts';
import { createMerchant } from '../operations/merchant.ts';
import { createKey } from '../operations/keys.ts';
import { openMongo } from '../store/mongo.ts';
import type { Mongo } from '../store/mongo.ts';
import { makeAllInOne } from '../test/support/servers/allinone.ts';
import type { ReadyFile } from '../test/support/servers/allinone.ts';
import { measureExports } from './dashboard/exports.ts';
import { measureGuesses } from './dashboard/guesses.ts';
import { measurePages } from './dashboard/pages.ts';
import { seedEndpoints, seedPayments, skipCounting } from './dashboard/seed.ts';
import type { Place } from './dashboard/seed.ts';
import { makeOwner } from './dashboard/visitor.ts';

const { values } = parseArgs({
  options: {
    payments: { type: 'string', default: '20000' },
    bare: { type: 'boolean', default: false },
    merchant: { type: 'string' },
    only: { type: 'string', default: 'pages,exports,guesses' },
  },
});
const parts = values.only.split(',');
const ACTOR = { type: 'operator', name: 'bench' } as const;

async function findPlace(mongo: Mongo, merchantId: string): Promise<Place> {
  const tenant = tenantOf(merchantId, 'test');
  const rows = await mongo.endpoints.find({ m: tenant }).sort({ _id: 1 }).toArray();
  return { merchantId, tenant, endpoints: rows.map(({ _id }) => _id) };
}

async function makePlace(mongo: Mongo): Promise<Place> {
  if (values.merchant !== undefined) return findPlace(mongo, values.merchant);
  const email = `${randomUUID()}@shop.example`;
  const services = { mongo, actor: ACTOR };
  const made = await createMerchant(services, { name: 'Large shop', email, locale: 'hy' });
  const merchantId = made.merchant_id;
  console.log(`merchant ${merchantId}`);
  await skipCounting(mongo);
  const place = await seedEndpoints(mongo, { merchantId, tenant: tenantOf(merchantId, 'test') });
  const startMs = performance.now();
  await seedPayments(mongo, place, {
    count: Number(values.payments),
    isBare: values.bare,
    onProgress: (count) => {
      if (count % 5_000 === 0) console.log(`${count} payments, ${seconds(startMs)} s`);
    },
  });
  await skipCounting(mongo);
  console.log(`seeded ${values.payments} payments in ${seconds(startMs)} s`);
  return place;
}

const seconds = (startMs: number): number => Math.round((performance.now() - startMs) / 1_000);

const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-dashboard-'));
const uri = process.env['MONGODB_URI'];
const own = await makeAllInOne(folder, path.join(folder, 'data'), {
  ...(uri !== undefined && { MONGODB_URI: uri }),
  // The attacker's requests name their senders as a proxy does.
  TRUSTED_PROXY_HOPS: '1',
  RATE_LIMIT_PER_SECOND: '100000',
  // As in production. By default `npm start` allows its one user more.
  RATE_LIMIT_ANONYMOUS_PER_SECOND: '20',
  RATE_LIMIT_ANONYMOUS_BURST: '40',
  DEMO: 'false',
});
try {
  await own.start();
  const text = JSON.stringify(own.ready()).replaceAll('//localhost:', '//127.0.0.1:');
  const ready = JSON.parse(text) as ReadyFile & { dashboard_url: string };
  const mongo = await openMongo({ uri: ready.mongodb_uri, patient: true });
  const place = await makePlace(mongo);
  if (parts.includes('pages')) console.table(await measurePages(ready.mongodb_uri, place));
  const { server: pid } = ready.pids;
  // The dashboard serves its own host only.
  const { dashboard_url: url } = own.ready() as typeof ready;
  if (parts.includes('exports')) {
    const { cookie } = await makeOwner(mongo, place.merchantId);
    console.table(await measureExports({ url, cookie, pid, place }));
  }
  if (parts.includes('guesses')) {
    const services = { mongo, actor: ACTOR };
    const { api_key: apiKey } = await createKey(services, {
      merchant: place.merchantId,
      mode: 'test',
    });
    const target = { apiUrl: ready.api_url, dashboardUrl: url, apiKey: String(apiKey), pid };
    console.table(await measureGuesses(mongo, place, target));
  }
  await mongo.close();
} catch (error) {
  console.error(error);
  process.exitCode = 1;
} finally {
  await own.destroy();
  await rm(folder, { recursive: true, force: true });
}
process.exit();
