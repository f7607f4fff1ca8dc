import { connect } from 'node:net';
import { describe, expect, it } from 'vitest';
import { parseReceiver, resolveReceiver } from '../../outbound/address.ts';
import type { HostLookup } from '../../outbound/lookup.ts';
import type { Outbound } from '../../outbound/post.ts';
import { createEndpoint } from '../../operations/create-endpoint.ts';
import { createMerchant } from '../../operations/merchant.ts';
import type { Refusal } from '../../operations/refusal.ts';
import { rejection } from '../store/database.ts';
import { ACTOR } from '../support/audit.ts';
import { sealer } from '../support/rows/endpoint.ts';
import { hostileUrls } from './hostile-urls.ts';
import { mapConcurrently } from '../support/concurrent.ts';
import { openListeners } from './listeners.ts';
import { until } from '../support/until.ts';
import { LOOPBACK, noLookup, post, useGuard } from './guard-harness.ts';
import { tenantOf } from '../../domain/merchant.ts';

const guard = await useGuard('guard');

const unknown: HostLookup = async () => {
  throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
};

/** One of this number of URLs is tried where each needs its own rows. */
const SAMPLED = 4;
/** The concurrency: fewer than the connections of the database's pool. */
const LANES = 20;

/** Returns the URLs that `attempt` did not refuse. */
async function letThrough(
  urls: readonly { url: string; why: string }[],
  attempt: (url: string) => Promise<unknown>,
): Promise<string[]> {
  const results = await mapConcurrently(urls, LANES, async ({ url, why }) => {
    return { url, why, result: await attempt(url) };
  });
  const through = results.filter(({ result }) => result !== 'refused');
  return through.map(({ url, why, result }) => `${why}: ${url} ${String(result)}`);
}

const postTo = (outbound: Outbound) => async (url: string) => {
  const { error } = await post(outbound, url);
  return error === 'address_blocked' ? 'refused' : error;
};

const table = () => guard.listeners.ports.flatMap((port) => hostileUrls(port));
const other = () => hostileUrls(guard.listeners.port).filter(({ isLoopback }) => !isLoopback);

describe('the listeners', () => {
  it('count the connections of unguarded requests', async () => {
    const open = await openListeners();
    for (const port of open.ports) connect(port, '127.0.0.2').on('error', () => undefined);
    connect(open.port, '::1').on('error', () => undefined);
    await until(
      () => open.connections,
      (connections) => connections >= open.ports.length - 1,
    );
    await open.close();
  });
});

describe('every URL of the table of hostile URLs', () => {
  it('is one of at least 450', () => {
    expect(new Set(hostileUrls(1).map(({ url }) => url)).size).toBeGreaterThanOrEqual(450);
  });

  it('is refused without a name lookup', async () => {
    const through = await letThrough(table(), async (url) =>
      Promise.resolve()
        .then(async () => resolveReceiver(parseReceiver(url), [], noLookup))
        .then(
          ({ addresses }) => addresses.join(' '),
          (error: { code?: string }) => (error.code === 'address_blocked' ? 'refused' : error),
        ),
    );
    expect(through).toEqual([]);
  });

  it('is refused when an endpoint is created', async () => {
    const { mongo } = guard.database;
    const services = { mongo, actor: ACTOR, sealer, opened: [] };
    const { merchant_id: merchant } = await createMerchant(
      { mongo, actor: ACTOR },
      {
        name: 'Guard',
        email: 'guard@shop.example',
        locale: 'en',
      },
    );
    const through = await letThrough(hostileUrls(guard.listeners.port), async (url) => {
      const creation = createEndpoint(services, { merchant, url, events: '*' });
      const refusal = (await rejection(creation)) as Refusal;
      return refusal.code === 'url_invalid' ? 'refused' : refusal;
    });
    expect(through).toEqual([]);
    expect(await mongo.endpoints.countDocuments({ m: tenantOf(merchant, 'test') })).toBe(0);
  });

  it('gets no request', async () => {
    expect(await letThrough(table(), postTo(guard.openOutbound(noLookup)))).toEqual([]);
  });

  it('gets no delivery, even as the URL of an endpoint', async () => {
    const outbound = guard.openOutbound(noLookup);
    const some = hostileUrls(guard.listeners.port).filter((_, index) => index % SAMPLED === 0);
    const through = await letThrough(some, async (url) => {
      const errors = await guard.deliverTo(url, outbound);
      return errors?.join() === 'address_blocked' ? 'refused' : errors;
    });
    expect(through).toEqual([]);
  });

  it('is refused with loopback opened, unless it leads to loopback', async () => {
    expect(await letThrough(other(), postTo(guard.openOutbound(unknown, LOOPBACK)))).toEqual([]);
  });
});
