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
import { inLanes } from '../support/lanes.ts';
import { openTraps } from './traps.ts';
import { until } from '../support/until.ts';
import { EMBEDDED, nobody, post, useGuard } from './guarded.ts';

const guard = await useGuard('guard');

const unknown: HostLookup = async () => {
  throw Object.assign(new Error('unknown'), { code: 'ENOTFOUND' });
};

/** Every so manieth URL is tried where each takes rows of its own. */
const SAMPLED = 4;
/** Fewer than the connections of the database's pool. */
const LANES = 20;

/** Those of the URLs that `door` let through, or refused for another reason than `reason`. */
async function letThrough(
  urls: readonly { url: string; why: string }[],
  door: (url: string) => Promise<unknown>,
): Promise<string[]> {
  const answers = await inLanes(urls, LANES, async ({ url, why }) => {
    return { url, why, answer: await door(url) };
  });
  const through = answers.filter(({ answer }) => answer !== 'refused');
  return through.map(({ url, why, answer }) => `${why}: ${url} ${String(answer)}`);
}

const sentDoor = (outbound: Outbound) => async (url: string) => {
  const { error } = await post(outbound, url);
  return error === 'address_blocked' ? 'refused' : error;
};

const table = () => guard.traps.ports.flatMap((port) => hostileUrls(port));
const other = () => hostileUrls(guard.traps.port).filter(({ isLoopback }) => !isLoopback);

describe('the traps', () => {
  it('count: they are reached by whoever is not guarded', async () => {
    const open = await openTraps();
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
  it('there are at least 450 of them', () => {
    expect(new Set(hostileUrls(1).map(({ url }) => url)).size).toBeGreaterThanOrEqual(450);
  });

  it('is refused by what it says alone: no name server is asked', async () => {
    const through = await letThrough(table(), async (url) =>
      Promise.resolve()
        .then(async () => resolveReceiver(parseReceiver(url), [], nobody))
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
    const through = await letThrough(hostileUrls(guard.traps.port), async (url) => {
      const creation = createEndpoint(services, { merchant, url, events: '*' });
      const refusal = (await rejection(creation)) as Refusal;
      return refusal.code === 'url_invalid' ? 'refused' : refusal;
    });
    expect(through).toEqual([]);
    expect(await mongo.endpoints.countDocuments({ m: `${merchant}:test` })).toBe(0);
  });

  it('gets no request', async () => {
    expect(await letThrough(table(), sentDoor(guard.guarded(nobody)))).toEqual([]);
  });

  it('gets no delivery, even if it had become an endpoint', async () => {
    const outbound = guard.guarded(nobody);
    const some = hostileUrls(guard.traps.port).filter((_, index) => index % SAMPLED === 0);
    const through = await letThrough(some, async (url) => {
      const errors = await guard.deliverTo(url, outbound);
      return errors?.join() === 'address_blocked' ? 'refused' : errors;
    });
    expect(through).toEqual([]);
  });

  it('is refused with loopback opened too, if it leads elsewhere', async () => {
    expect(await letThrough(other(), sentDoor(guard.guarded(unknown, EMBEDDED)))).toEqual([]);
  });
});
