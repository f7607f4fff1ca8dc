/** The metrics of calls to MongoDB and Temporal, and of the sweep. */
import { NamespaceNotFoundError } from '@temporalio/client';
import { Registry } from 'prom-client';
import { afterAll, describe, expect, it } from 'vitest';
import { publish } from '../../facts.ts';
import { countCalls, countSweeps } from '../../metrics/dependencies.ts';
import { openMongo } from '../../store/mongo.ts';
import { TemporalUnavailable, timed } from '../../temporal/limits.ts';
import { useDatabase } from '../store/database.ts';
import { parseMetrics } from './scrape.ts';

const registry = new Registry();
const ends = [...countCalls(registry), ...countSweeps(registry)];
afterAll(() => {
  for (const end of ends) end();
});
const read = async () => parseMetrics(await registry.metrics());
const database = await useDatabase('metrics-calls');

const countOf = (command: string) =>
  `tollgate_mongodb_command_duration_seconds_count{command="${command}"}`;
const failuresOf = (command: string) =>
  `tollgate_mongodb_command_failures_total{command="${command}"}`;

describe('the metrics of MongoDB', () => {
  it('have each command by name, rare ones together, and failures', async () => {
    const { uri, name: dbName } = database;
    const watched = await openMongo({ uri, dbName, isTimed: true });
    await watched.merchants.findOne({ _id: 'none' });
    await watched.merchants.findOne({ _id: 'none' });
    await watched.db.command({ buildInfo: 1 });
    const wrong = watched.merchants.findOne({ $strange: 1 } as never);
    await expect(wrong).rejects.toThrow();
    // A collection that does not exist is no failure.
    await expect(watched.db.command({ listIndexes: 'nowhere' })).rejects.toThrow();
    await watched.close();
    const series = await read();
    expect(series.get(countOf('find'))).toBe(3);
    expect(series.get(failuresOf('find'))).toBe(1);
    expect(series.get(countOf('other'))).toBeGreaterThanOrEqual(2);
    expect(series.get(failuresOf('other'))).toBe(undefined);
  });

  it('have nothing of a client that is not timed', async () => {
    const before = await read();
    await database.mongo.merchants.findOne({ _id: 'none' });
    expect((await read()).get(countOf('find'))).toBe(before.get(countOf('find')));
  });
});

describe('the metrics of Temporal', () => {
  it('have each call by name. Only a missing reply is a failure', async () => {
    await timed('wake', Promise.resolve());
    const refused = new NamespaceNotFoundError('none');
    await expect(timed('wake', Promise.reject(refused))).rejects.toBe(refused);
    const silent = new TemporalUnavailable('No reply.');
    await expect(timed('start', Promise.reject(silent))).rejects.toBe(silent);
    const series = await read();
    const count = 'tollgate_temporal_call_duration_seconds_count';
    const failures = 'tollgate_temporal_call_failures_total';
    expect(series.get(`${count}{call="wake"}`)).toBe(2);
    expect(series.get(`${failures}{call="wake"}`)).toBe(0);
    expect(series.get(`${count}{call="start"}`)).toBe(1);
    expect(series.get(`${failures}{call="start"}`)).toBe(1);
  });
});

describe('the metrics of the sweep', () => {
  it('add up what its rounds found', async () => {
    const round = { payments: 3, refunds: 0, replays: 0, deliveries: 2, failed: 1 };
    publish('swept', { ...round, unfinished: ['deliveries'] });
    publish('swept', { ...round, unfinished: [] });
    const series = await read();
    expect(series.get('tollgate_sweep_rounds_total')).toBe(2);
    expect(series.get('tollgate_sweep_resumed_total{kind="payments"}')).toBe(6);
    expect(series.get('tollgate_sweep_failed_total')).toBe(2);
    expect(series.get('tollgate_sweep_unfinished_total{step="deliveries"}')).toBe(1);
  });
});
