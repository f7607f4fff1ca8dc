import { Resolver } from 'node:dns/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import type { HostLookup } from '../../outbound/lookup.ts';
import { openNameServer } from './nameserver.ts';
import { openReceiver } from '../support/receiver.ts';
import { openTrap } from './traps.ts';
import { makeWalls } from './walls.ts';
import { post, useGuard } from './guarded.ts';

const OUTSIDE = '127.0.0.3';
const REBINDINGS = 100;
/** A name that had to wait for one that is silent would take as long as the resolver's 4 s. */
const BESIDES_MS = 3_500;

const guard = await useGuard('guard_walled');
const walls = await makeWalls();
afterAll(async () => walls?.close());

describe('a name server that means harm', () => {
  it('gets nobody inside, whatever it says from one answer to the next', async () => {
    const receiver = await openReceiver(OUTSIDE);
    const trap = await openTrap('127.0.0.1', receiver.port);
    const server = await openNameServer(
      (name, nth) => {
        if (name === 'mixed.example') return [OUTSIDE, '127.0.0.1'];
        if (name === 'alias.example') return ['inside.example'];
        if (name === 'inside.example') return ['127.0.0.1'];
        return [nth % 2 === 1 ? OUTSIDE : '127.0.0.1'];
      },
      '127.0.0.1',
      0,
    );
    const resolver = new Resolver();
    resolver.setServers([`127.0.0.1:${server.port}`]);
    const lookup: HostLookup = async (host) => resolver.resolve4(host);
    const outbound = guard.guarded(lookup, parseRanges([`${OUTSIDE}/32`]));
    const errors = [];
    for (let turn = 0; turn < REBINDINGS; turn += 1) {
      errors.push((await post(outbound, `http://rebind.example:${receiver.port}/`)).error);
    }
    for (const name of ['mixed', 'alias', 'inside']) {
      const { error } = await post(outbound, `http://${name}.example:${receiver.port}/`);
      expect(`${name}: ${error}`).toBe(`${name}: address_blocked`);
    }
    server.close();
    await Promise.all([receiver.close(), trap.close()]);
    expect(trap.connections).toBe(0);
    expect(errors.filter((error) => error === null)).toHaveLength(REBINDINGS / 2);
    expect(server.asked.get('rebind.example')).toBe(REBINDINGS);
  });

  // Without a network namespace the one above is all that is checked, and the last line says so.
  const inside = walls ? it : it.skip;
  inside('is of no use in a namespace with public addresses and the system resolver', async () => {
    const seen = JSON.parse(await walls!.run('test/outbound/walled.ts')) as {
      answers: Record<string, unknown>;
      besides: { statuses: number[]; longest: number };
      fresh: { status: number; durationMs: number };
      [more: string]: unknown;
    };
    // prettier-ignore
    const blocked = [
      'mixed', 'mixed6', 'alias', 'metadata', 'mapped', 'nat64', 'this', 'chain', 'only6', 'many',
      'hosts-loopback', 'hosts-loopback6', 'hosts-private', 'hosts-mixed',
    ];
    const fine = ['public', 'chain-public', 'only6-public', 'hosts-public'];
    const hosts = ['127.0.0.1', '127.0.0.2', '10.0.0.5', '169.254.169.254', '::1', 'localhost'];
    const names = ['metadata.google.internal', 'hosts.internal'];
    const inner = [...hosts, ...names, 'fd00:ec2:0:0:0:0:0:254'];
    expect(seen.answers).toEqual({
      none: 'dns_failed',
      '[2606:4700:0:0:0:0:0:5]': 200,
      ...Object.fromEntries(fine.map((name) => [name, 200])),
      ...Object.fromEntries([...blocked, ...inner].map((name) => [name, 'address_blocked'])),
    });
    // A name that nobody knows yet may be an endpoint: it gets its requests once it is known.
    const created = Object.fromEntries([...fine, 'none'].map((name) => [name, 'created']));
    const refused = Object.fromEntries(blocked.map((name) => [name, 'url_invalid']));
    expect(seen['created']).toEqual({ ...created, ...refused });
    expect(seen).toMatchObject({
      trapped: 0,
      asked: 1_000,
      rebinding: { 200: 500, address_blocked: 500 },
      ownPorts: Array(4).fill('address_blocked'),
      besides: { statuses: [200] },
      fresh: { status: 200 },
      silence: ['dns_failed'],
    });
    expect(Math.max(seen.besides.longest, seen.fresh.durationMs)).toBeLessThan(BESIDES_MS);
  });
});
