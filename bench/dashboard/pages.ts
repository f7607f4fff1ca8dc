/** Measures every page, and asks the database how it found the rows of each query. */
import { once } from 'node:events';
import type { Document } from 'mongodb';
import { pino } from 'pino';
import { createDashboard } from '../../dashboard/app.ts';
import { lastCard } from '../../domain/method.ts';
import { refusePlainly } from '../../http/refuse.ts';
import { serve } from '../../http/serve.ts';
import { parseRanges } from '../../outbound/address.ts';
import { makeOutbound } from '../../outbound/post.ts';
import { openMongo } from '../../store/mongo.ts';
import type { Mongo } from '../../store/mongo.ts';
import { recordingTemporal } from '../../test/api/harness.ts';
import { addressOf, pageRoutes } from '../../test/dashboard/visit.ts';
import { percentile } from '../../test/load/endpoints.ts';
import { queriesOf, shapeOf } from '../../test/support/queries.ts';
import { sealer } from '../../test/support/rows/endpoint.ts';
import { freePort } from '../../test/support/port.ts';
import type { Place } from './seed.ts';
import { makeOwner } from './visitor.ts';

const VISITS = 7;
const KEY = Buffer.alloc(32, 3);
const PLENTY = { perSecond: 100_000, burst: 100_000 };
type Commands = (readonly [name: string, document: Document])[];

/** Serves the dashboard in this process. Its commands are pushed to `commands`. */
async function openPages(uri: string, commands: Commands) {
  const mongo = await openMongo({
    uri,
    patient: true,
    monitor: (name, document) => commands.push([name, document]),
  });
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const opened = parseRanges(['127.0.0.1/32']);
  const outbound = makeOutbound({ opened, timeoutMs: 15_000 });
  const app = createDashboard({
    mongo,
    outbound,
    temporal: recordingTemporal(mongo),
    log: pino({ level: 'silent' }),
    links: { checkoutUrl: 'https://pay.example' },
    apiUrl: 'https://api.example',
    ownUrl: url,
    bankTimeoutMs: 900_000,
    lifetime: { minMs: 300_000 },
    retentionDays: 90,
    limits: { anonymous: PLENTY, merchant: PLENTY, trustedHops: 0 },
    sealer,
    opened,
    signingKeys: { current: KEY, previous: [] },
  });
  const { server } = serve({ handle: app.callback(), refuse: refusePlainly });
  server.listen(port, '127.0.0.1');
  await once(server, 'listening');
  const close = async (): Promise<void> => {
    server.closeAllConnections();
    server.close();
    await outbound.close();
    await mongo.close();
  };
  return { mongo, url, close };
}

/** Measures every page of the merchant, and lists of it at several places. */
export async function measurePages(uri: string, place: Place): Promise<Record<string, unknown>[]> {
  const commands: Commands = [];
  const { mongo, url, close } = await openPages(uri, commands);
  const { cookie } = await makeOwner(mongo, place.merchantId);
  const rows: Record<string, unknown>[] = [];
  for (const [name, address] of Object.entries(await addresses(mongo, place))) {
    const times: number[] = [];
    let [bytes, status] = [0, 0];
    for (let visit = 0; visit < VISITS; visit += 1) {
      commands.length = 0;
      const startMs = performance.now();
      const response = await fetch(url + address, { headers: { cookie }, redirect: 'manual' });
      bytes = (await response.arrayBuffer()).byteLength;
      ({ status } = response);
      times.push(performance.now() - startMs);
    }
    times.sort((a, b) => a - b);
    const seen = [...commands];
    const found = await explain(mongo, seen);
    const [median, max] = [0.5, 1].map((share) => Math.round(percentile(times, share)));
    const row = { page: name, status, 'p50 ms': median, 'max ms': max, bytes, ...found };
    rows.push(row);
    console.log(JSON.stringify(row));
  }
  await close();
  return rows;
}

/** Pages of objects that are not seeded. */
const UNSEEDED = /:token|replays\/:id/;

/** Returns the addresses of all pages, and those of searches, filters and deep places. */
async function addresses(mongo: Mongo, place: Place): Promise<Record<string, string>> {
  const { tenant: m, endpoints } = place;
  const [endpoint = ''] = endpoints;
  const nth = async (rows: 'payments' | 'events', skip: number): Promise<string> => {
    const found = mongo[rows].find({ m } as never, { projection: { _id: 1 } });
    return (await found.sort({ _id: 1 }).skip(skip).limit(1).next())?._id ?? '';
  };
  const old = await nth('payments', 20);
  const payment = await mongo.payments.findOne({ _id: old });
  if (!payment) throw new Error('There are no payments.');
  const event = await nth('events', 20);
  const delivery = (await mongo.deliveries.findOne({ m, endpoint_id: endpoint }))?._id ?? '';
  const request = (await mongo.calls.findOne({ m }))?._id ?? '';
  const ids = {
    payment: old,
    event,
    delivery,
    endpoint,
    request,
    replay: '',
    invite: '',
    reset: '',
  };
  const pages = pageRoutes().filter((route) => !UNSEEDED.test(route));
  const total = payment.amount;
  return {
    ...Object.fromEntries(pages.map((route) => [route, addressOf(route, ids)])),
    'payments, oldest page': `/payments?before=${old}`,
    'payments, after an old one': `/payments?after=${old}`,
    'payments, status': '/payments?status=completed',
    'payments, rare status': '/payments?status=processing',
    'payments, old status': `/payments?status=failed&before=${old}`,
    'payments, old day': `/payments?to=${payment.created_at.toISOString().slice(0, 10)}`,
    'search, order': `/payments?q=${payment.order_id}`,
    'search, amount': `/payments?q=${total}`,
    'search, card': `/payments?q=${lastCard(payment)?.last4 ?? '4242'}`,
    'search, card and status': '/payments?q=4444&status=failed',
    'search, common metadata': '/payments?q=city:Երևան',
    'search, common and rare status': '/payments?q=city:Երևան&status=processing',
    'search, rare metadata': `/payments?q=basket:${payment.metadata['basket']}`,
    'search, nothing': '/payments?q=nothing',
    'deliveries, failed': `/webhooks/${endpoint}/deliveries?state=failed`,
    'deliveries, old': `/webhooks/${endpoint}/deliveries?after=${delivery}`,
    'events, type': '/developers/events?type=payment.failed',
    'events, old': `/developers/events?after=${event}`,
    'requests, failed': '/developers/requests?status=4xx',
    'export, count': '/exports?kind=payments&status=completed',
    'export, count deliveries': `/exports?kind=deliveries&endpoint=${endpoint}`,
  };
}

interface Plan {
  readonly queryPlanner?: { readonly winningPlan?: Document };
  readonly executionStats?: { totalKeysExamined?: number; totalDocsExamined?: number };
}

/** Explains the queries. Returns their number, the most that one read, and its bad stages. */
async function explain(mongo: Mongo, commands: Commands) {
  const queries = commands.filter(([name]) => ['find', 'aggregate', 'getMore'].includes(name));
  let [keys, docs] = [0, 0];
  const bad: string[] = [];
  for (const [name, document] of queries) {
    const [query] = queriesOf(mongo, name, document);
    if (!query) continue;
    const { lsid: _, txnNumber: __, $db: ___, $clusterTime: ____, ...command } = document;
    const asked = { explain: command, verbosity: 'executionStats' };
    const plan = (await mongo.db.command(asked)) as Plan;
    const { totalKeysExamined = 0, totalDocsExamined = 0 } = plan.executionStats ?? {};
    keys = Math.max(keys, totalKeysExamined);
    docs = Math.max(docs, totalDocsExamined);
    const stages = JSON.stringify(plan).match(/"(?:COLLSCAN|SORT)"/g) ?? [];
    if (stages.length > 0) bad.push(`${[...new Set(stages)].join()} ${shapeOf(query)}`);
  }
  return { queries: queries.length, 'max keys': keys, 'max docs': docs, bad: bad.join(' | ') };
}
