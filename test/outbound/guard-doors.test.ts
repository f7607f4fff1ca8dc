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
import { inLanes } from '../support/lanes.ts';
import { openReceiver } from '../support/receiver.ts';
import { openTrap } from './traps.ts';
import { nobody, post, useGuard } from './guarded.ts';

/** Stands for the public internet: the traps are at other addresses. */
const OUTSIDE = '127.0.0.3';
const OPENED = parseRanges([`${OUTSIDE}/32`]);
/** Fewer than the connections of the database's pool. */
const LANES = 10;

const guard = await useGuard('guard_doors');

/** Every so manieth URL: by these doors they come to where the whole table is tried elsewhere. */
const SAMPLED = 40;
const sample = () => hostileUrls(guard.traps.port).filter((_, index) => index % SAMPLED === 0);

/** Services whose deliveries are attempted as soon as they are started. */
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

type Planted = Awaited<ReturnType<typeof guard.plant>>;
type Services = ReturnType<typeof servicesWith>['services'];

const HOUR_MS = 3_600_000;

const DOORS: [string, (services: Services, planted: Planted) => Promise<unknown>][] = [
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

describe('an endpoint that has come to a hostile URL', () => {
  it.each(DOORS)('gets nothing by way of %s', async (_, door) => {
    const { services, outcomes } = servicesWith(guard.guarded(nobody));
    const urls = sample();
    await inLanes(urls, LANES, async ({ url }) => door(services, await guard.plant(url)));
    expect(urls.length).toBeGreaterThanOrEqual(10);
    expect(outcomes).toEqual(urls.map(() => ['address_blocked']));
  });
});

describe('updateEndpoint', () => {
  it('takes no hostile URL, and leaves the endpoint where it was', async () => {
    const { services } = servicesWith(guard.guarded(nobody));
    const { endpoint } = await guard.plant('https://shop.example/hooks');
    const through: string[] = [];
    for (const { url } of hostileUrls(guard.traps.port)) {
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
  it('does not go where the name leads by then, be its connection a new or a kept one', async () => {
    const receiver = await openReceiver(OUTSIDE);
    const closing = { connection: 'close' };
    receiver.answer = (number) => ({ status: 500, headers: number % 2 === 0 ? closing : {} });
    const traps = await Promise.all([
      openTrap('127.0.0.1', receiver.port),
      openTrap('::1', receiver.port).catch(() => undefined),
    ]);
    const answers = new Map<string, readonly string[]>();
    const lookup: HostLookup = async (host) => answers.get(host) ?? [OUTSIDE];
    const outbound = guard.guarded(lookup, OPENED);
    await inLanes([...HOSTILE_NAMES.entries()], LANES, async ([index, [why, inside]]) => {
      const host = `shop-${index}.example`;
      const { delivery } = await guard.plant(`http://${host}:${receiver.port}/hooks`);
      expect(await guard.attempt(delivery._id, outbound)).toEqual(['status']);
      answers.set(host, inside);
      const errors = await guard.attempt(delivery._id, outbound);
      expect([why, errors]).toEqual([why, ['status', 'address_blocked']]);
      answers.delete(host);
      expect((await guard.attempt(delivery._id, outbound))?.at(-1)).toBe('status');
    });
    await Promise.all([receiver.close(), ...traps.map(async (trap) => trap?.close())]);
    expect(traps.map((trap) => trap?.connections ?? 0)).toEqual([0, 0]);
    expect(receiver.requests).toHaveLength(HOSTILE_NAMES.length * 2);
  });
});

describe('one opened address', () => {
  it('opens no other one, however that is spelled', async () => {
    const receiver = await openReceiver();
    const { port } = receiver;
    const others = await Promise.all([
      openTrap('127.0.0.2', port),
      openTrap('::1', port).catch(() => undefined),
    ]);
    const names: Record<string, readonly string[]> = {
      both: ['127.0.0.1', '::1'],
      four: ['127.0.0.1'],
    };
    const lookup: HostLookup = async (host) => names[host.split('.')[0] ?? ''] ?? ['::1'];
    const outbound = guard.guarded(lookup, parseRanges(['127.0.0.1/32']));
    // A mapped address is that very address of IPv4: a socket to it goes there by IPv4.
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
    await Promise.all([receiver.close(), ...others.map(async (trap) => trap?.close())]);
    expect(others.map((trap) => trap?.connections ?? 0)).toEqual([0, 0]);
    expect(receiver.requests).toHaveLength(same.length);
  });
});

describe('the addresses of this machine', () => {
  it('are reached by none of their spellings, nor by a name', async () => {
    const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
    expect(own.length).toBeGreaterThan(0);
    for (const { address, family } of own) {
      const hosts = family === 'IPv4' ? spellingsOf(address) : [`[${address}]`];
      const outbound = guard.guarded(async () => [address]);
      for (const host of [...hosts, 'shop.example']) {
        const { error } = await post(outbound, `http://${host}:${guard.traps.port}/`);
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
