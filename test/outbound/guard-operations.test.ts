import { networkInterfaces } from 'node:os';
import { describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import type { HostLookup } from '../../outbound/lookup.ts';
import type { Outbound } from '../../outbound/post.ts';
import { sendReplay } from '../../activities/replay.ts';
import { MAX_URL_LENGTH } from '../../domain/endpoint.ts';
import { updateEndpoint } from '../../operations/change-endpoint.ts';
import { resendDelivery } from '../../operations/deliveries.ts';
import { startReplay } from '../../operations/replay.ts';
import { failuresIn } from '../../operations/selection.ts';
import { pingEndpoint, sendExample } from '../../operations/test-event.ts';
import { rejection } from '../store/database.ts';
import { ACTOR } from '../support/audit.ts';
import { sealer } from '../support/rows/endpoint.ts';
import { HOSTILE_NAMES } from './hostile-names.ts';
import { hostileUrls } from './hostile-urls.ts';
import { mapConcurrently } from '../support/concurrent.ts';
import { openReceiver } from '../support/receiver.ts';
import { openListener } from './listeners.ts';
import { noLookup, post, useGuard } from './guard-harness.ts';

/** An address that stands for the public internet. The listeners are at other addresses. */
const OUTSIDE = '127.0.0.3';
const OPENED = parseRanges([`${OUTSIDE}/32`]);
/** The concurrency: fewer than the connections of the database's pool. */
const LANES = 10;

const guard = await useGuard('guard_doors');

/** One of this number of URLs is tried. Other tests try the whole table on the same code. */
const SAMPLED = 40;
const sample = () => hostileUrls(guard.listeners.port).filter((_, index) => index % SAMPLED === 0);

/** Creates services that attempt a delivery as soon as it is started. */
function servicesWith(outbound: Outbound) {
  const { mongo } = guard.database;
  const outcomes: string[][] = [];
  const startDelivery = async (id: string): Promise<void> => {
    outcomes.push((await guard.attempt(id, outbound)) ?? []);
  };
  const temporal = {
    startDelivery,
    resumeReplay: async (replayId: string): Promise<void> => {
      await sendReplay({ mongo, temporal: { startDelivery } }, { replay_id: replayId });
    },
  };
  return { services: { mongo, actor: ACTOR, sealer, opened: [], temporal }, outcomes };
}

type Inserted = Awaited<ReturnType<typeof guard.insertDelivery>>;
type Services = ReturnType<typeof servicesWith>['services'];

const HOUR_MS = 3_600_000;

const OPERATIONS: [string, (services: Services, inserted: Inserted) => Promise<unknown>][] = [
  ['ping', async (services, { endpoint }) => pingEndpoint(services, { id: endpoint._id })],
  [
    'example',
    async (services, { endpoint }) =>
      sendExample(services, { id: endpoint._id, type: 'payment.completed' }),
  ],
  ['resend', async (services, { delivery }) => resendDelivery(services, { id: delivery._id })],
  [
    'replay',
    async (services, { endpoint, delivery: { _id } }) => {
      const failed = { state: 'failed' as const, next_attempt_at: null };
      await services.mongo.deliveries.updateOne({ _id }, { $set: failed });
      return startReplay(services, {
        endpoint: endpoint._id,
        from: new Date(Date.now() - HOUR_MS),
        until: new Date(Date.now() + HOUR_MS),
        selection: failuresIn('failed'),
      });
    },
  ],
];

describe('an endpoint with a hostile URL', () => {
  it.each(OPERATIONS)('gets no request from %s', async (_, operate) => {
    const { services, outcomes } = servicesWith(guard.openOutbound(noLookup));
    const urls = sample();
    await mapConcurrently(urls, LANES, async ({ url }) =>
      operate(services, await guard.insertDelivery(url)),
    );
    expect(urls.length).toBeGreaterThanOrEqual(10);
    expect(outcomes).toEqual(urls.map(() => ['address_blocked']));
  });
});

describe('updateEndpoint', () => {
  it('refuses every hostile URL, and keeps the old one', async () => {
    const { services } = servicesWith(guard.openOutbound(noLookup));
    const { endpoint } = await guard.insertDelivery('https://shop.example/hooks');
    const through: string[] = [];
    for (const { url } of hostileUrls(guard.listeners.port)) {
      const change = updateEndpoint(services, { id: endpoint._id, url });
      const refusal = (await rejection(change)) as { code?: string };
      if (refusal.code !== 'url_invalid') through.push(`${url} ${JSON.stringify(refusal)}`);
    }
    expect(through).toEqual([]);
    const long = `https://8.8.8.8/${'a'.repeat(MAX_URL_LENGTH)}`;
    await expect(updateEndpoint(services, { id: endpoint._id, url: long })).rejects.toMatchObject({
      code: 'url_invalid',
    });
    const row = await services.mongo.endpoints.findOne({ _id: endpoint._id });
    expect(row?.url).toBe('https://shop.example/hooks');
  });
});

describe('a retry', () => {
  it('is refused after the name changed to an internal address, on new and kept connections', async () => {
    const receiver = await openReceiver(OUTSIDE);
    const closing = { connection: 'close' };
    receiver.respond = (number) => ({ status: 500, headers: number % 2 === 0 ? closing : {} });
    const listeners = await Promise.all([
      openListener('127.0.0.1', receiver.port),
      openListener('::1', receiver.port).catch(() => undefined),
    ]);
    const addresses = new Map<string, readonly string[]>();
    const lookup: HostLookup = async (host) => addresses.get(host) ?? [OUTSIDE];
    const outbound = guard.openOutbound(lookup, OPENED);
    await mapConcurrently([...HOSTILE_NAMES.entries()], LANES, async ([index, [why, inside]]) => {
      const host = `shop-${index}.example`;
      const { delivery } = await guard.insertDelivery(`http://${host}:${receiver.port}/hooks`);
      expect(await guard.attempt(delivery._id, outbound)).toEqual(['status']);
      addresses.set(host, inside);
      const errors = await guard.attempt(delivery._id, outbound);
      expect([why, errors]).toEqual([why, ['status', 'address_blocked']]);
      addresses.delete(host);
      expect((await guard.attempt(delivery._id, outbound))?.at(-1)).toBe('status');
    });
    await Promise.all([receiver.close(), ...listeners.map(async (listener) => listener?.close())]);
    expect(listeners.map((listener) => listener?.connections ?? 0)).toEqual([0, 0]);
    expect(receiver.requests).toHaveLength(HOSTILE_NAMES.length * 2);
  });
});

describe('one opened address', () => {
  it('does not allow other addresses, in any spelling', async () => {
    const receiver = await openReceiver();
    const { port } = receiver;
    const others = await Promise.all([
      openListener('127.0.0.2', port),
      openListener('::1', port).catch(() => undefined),
    ]);
    const names: Record<string, readonly string[]> = {
      both: ['127.0.0.1', '::1'],
      four: ['127.0.0.1'],
    };
    const lookup: HostLookup = async (host) => names[host.split('.')[0] ?? ''] ?? ['::1'];
    const outbound = guard.openOutbound(lookup, parseRanges(['127.0.0.1/32']));
    // A socket to a mapped address uses IPv4.
    const same = ['127.0.0.1', '0x7f.1', '2130706433', '[::ffff:127.0.0.1]', 'four.localhost'];
    for (const host of same) {
      expect([host, (await post(outbound, `http://${host}:${port}/`)).status]).toEqual([host, 200]);
    }
    // prettier-ignore
    const different = [
      '127.0.0.2', '127.0.0.0', '127.2', '[::ffff:127.0.0.2]', '[::1]', '[::]', '0.0.0.0', '0',
      '[::127.0.0.1]', '[64:ff9b::127.0.0.1]', '[2002:7f00:1::]', '[::ffff:0:127.0.0.1]',
      'localhost', 'both.localhost', 'both.example',
    ];
    for (const host of different) {
      const { error } = await post(outbound, `http://${host}:${port}/`);
      expect([host, error]).toEqual([host, 'address_blocked']);
    }
    await Promise.all([receiver.close(), ...others.map(async (listener) => listener?.close())]);
    expect(others.map((listener) => listener?.connections ?? 0)).toEqual([0, 0]);
    expect(receiver.requests).toHaveLength(same.length);
  });
});

describe('the addresses of this machine', () => {
  it('are blocked in every spelling, and by name', async () => {
    const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    expect(own.length).toBeGreaterThan(0);
    for (const { address, family } of own) {
      const hosts = family === 'IPv4' ? spellingsOf(address) : [`[${address}]`];
      const outbound = guard.openOutbound(async () => [address]);
      for (const host of [...hosts, 'shop.example']) {
        const { error } = await post(outbound, `http://${host}:${guard.listeners.port}/`);
        expect([host, error]).toEqual([host, 'address_blocked']);
      }
    }
  });
});

function spellingsOf(address: string): string[] {
  const parts = address.split('.').map(Number);
  const whole = parts.reduce((sum, part) => sum * 256 + part, 0);
  const octal = parts.map((part) => `0${part.toString(8)}`).join('.');
  const inside = ['::ffff:', '::', '64:ff9b::', '::ffff:0:', '2606:4700::5efe:'];
  return [
    address,
    String(whole),
    `0x${whole.toString(16)}`,
    octal,
    ...inside.map((p) => `[${p}${address}]`),
  ];
}
