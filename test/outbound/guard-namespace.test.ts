import { Resolver } from 'node:dns/promises';
import { afterAll, describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import type { HostLookup } from '../../outbound/lookup.ts';
import { openNameServer } from './nameserver.ts';
import { openReceiver } from '../support/receiver.ts';
import { openListener } from './listeners.ts';
import { openNamespace } from './namespace.ts';
import { post, useGuard } from './guard-harness.ts';

const OUTSIDE = '127.0.0.3';
const REBINDINGS = 100;
/** Less than the 4 s after which the resolver gives up on a silent name. */
const BESIDES_MS = 3_500;

const guard = await useGuard('guard_walled');
const namespace = await openNamespace();
afterAll(async () => namespace?.close());

describe('a hostile name server', () => {
  it('cannot lead to an internal address, even with changing answers', async () => {
    const receiver = await openReceiver(OUTSIDE);
    const listener = await openListener('127.0.0.1', receiver.port);
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
    const outbound = guard.openOutbound(lookup, parseRanges([`${OUTSIDE}/32`]));
    const errors = [];
    for (let turn = 0; turn < REBINDINGS; turn += 1) {
      errors.push((await post(outbound, `http://rebind.example:${receiver.port}/`)).error);
    }
    for (const name of ['mixed', 'alias', 'inside']) {
      const { error } = await post(outbound, `http://${name}.example:${receiver.port}/`);
      expect(`${name}: ${error}`).toBe(`${name}: address_blocked`);
    }
    server.close();
    await Promise.all([receiver.close(), listener.close()]);
    expect(listener.connections).toBe(0);
    expect(errors.filter((error) => error === null)).toHaveLength(REBINDINGS / 2);
    expect(server.asked.get('rebind.example')).toBe(REBINDINGS);
  });

  // Skipped on machines without network namespaces.
  const inside = namespace ? it : it.skip;
  inside('cannot do so in a namespace with public addresses and the system resolver', async () => {
    const seen = JSON.parse(await namespace!.run('test/outbound/namespace-run.ts')) as {
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
    // An endpoint may have an unknown name. It gets requests once the name exists.
    const created = Object.fromEntries([...fine, 'none'].map((name) => [name, 'created']));
    const refused = Object.fromEntries(blocked.map((name) => [name, 'url_invalid']));
    expect(seen['created']).toEqual({ ...created, ...refused });
    expect(seen).toMatchObject({
      internalConnections: 0,
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
