/** The gauges of what waits, served over HTTP. */
import { Registry } from 'prom-client';
import { beforeEach, describe, expect, it } from 'vitest';
import { makeBacklogGauges, watchBacklog } from '../../metrics/backlog.ts';
import { serveMetrics } from '../../metrics/serve.ts';
import { openMongo } from '../../store/mongo.ts';
import type { Mongo } from '../../store/mongo.ts';
import { useDatabase } from '../store/database.ts';
import { closeAfterTests } from '../support/close.ts';
import { freePort } from '../support/port.ts';
import { makePayment } from '../support/rows/payment.ts';
import { namesOf, scrape } from './scrape.ts';

const database = await useDatabase('metrics-backlog');
const LATE_MS = 60_000;
await database.mongo.payments.insertOne(
  makePayment({ open: true, due_at: new Date(Date.now() - LATE_MS) }),
);

const GAUGES = [
  'tollgate_overdue_seconds',
  'tollgate_deliveries_pending',
  'tollgate_deliveries_oldest_seconds',
  'tollgate_endpoints',
];

/** Serves the gauges with a clock that the test moves. */
async function serveBacklog(mongo: Mongo) {
  const registry = new Registry();
  const clock = { ms: Date.now() };
  const refresh = watchBacklog(mongo, makeBacklogGauges(registry), { now: () => clock.ms });
  const port = await freePort();
  const place = { variable: 'METRICS_PORT', port, host: '127.0.0.1' };
  const close = await serveMetrics({ registry, refresh }, place);
  return closeAfterTests({ port, clock, close });
}

describe('the gauges of the backlog', () => {
  const commands: string[] = [];
  let mongo: Mongo;
  beforeEach(async () => {
    const { uri, name: dbName } = database;
    mongo = await openMongo({ uri, dbName, monitor: (command) => commands.push(command) });
    commands.length = 0;
  });

  it('are read once by any number of scrapes within 15 s, and their ages go on', async () => {
    const { port, clock } = await serveBacklog(mongo);
    const [first] = await Promise.all([scrape(port), scrape(port), scrape(port)]);
    const once = commands.length;
    expect(once).toBe(9);
    clock.ms += 14_000;
    const second = await scrape(port);
    expect(commands).toHaveLength(once);
    const late = 'tollgate_overdue_seconds{kind="payments"}';
    expect(second.get(late)! - first.get(late)!).toBeCloseTo(14, 3);
    clock.ms += 1_000;
    await scrape(port);
    expect(commands).toHaveLength(2 * once);
    await mongo.close();
  });

  it('are absent while the database is down, and the scrape succeeds', async () => {
    const { port, clock } = await serveBacklog(mongo);
    expect([...namesOf(await scrape(port))].toSorted()).toEqual(GAUGES.toSorted());
    await mongo.close();
    clock.ms += 15_000;
    expect([...namesOf(await scrape(port))]).toEqual([]);
  });
});
