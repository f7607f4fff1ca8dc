/** The attacks by name. Each lasts until its raid ends, against this machine only. */
import { randomBytes } from 'node:crypto';
import { makeKey } from '../../store/keys.ts';
import { mintToken } from '../../store/mint.ts';
import { flood, holdOpen, readStatuses, request } from './wire.ts';
import type { Raid, Target } from './wire.ts';

type Attack = (target: Target, raid: Raid) => Promise<unknown>;

const LANES = 40;
const PIPELINED = 60;
const STALLED = 40;
const IDLE = 3_000;
const SLOW = 500;
/** Between two bytes of a slow sender or reader. */
const BYTE_MS = 1_000;

const longList = ({ apiUrl, apiKey }: Target): string =>
  request(`${apiUrl}/v1/payments?limit=100`, { key: apiKey });

const repeated = (text: string, bytes: number): string =>
  text.repeat(Math.ceil(bytes / text.length)).slice(0, bytes);

/** Has the form of a key and the right checksum, and is nobody's. */
const unknownKey = (): string => makeKey('mer_nobody', 'test', new Date(0)).secret;

const slowHead = ['Content-Type: application/json', 'Content-Length: 60000', 'Expect: '];

const payment = (description: string): string =>
  JSON.stringify({
    amount: 12_500,
    currency: 'AMD',
    return_url: 'https://shop.example/',
    description,
  });

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'stalled readers': async (target, raid) =>
    holdOpen(raid, { url: target.apiUrl, connections: STALLED }, (socket) => {
      socket.pause().write(longList(target));
    }),
  'one byte a second': async (target, raid) =>
    holdOpen(raid, { url: target.apiUrl, connections: STALLED }, (socket) => {
      socket.pause().write(longList(target));
      const timer = setInterval(() => socket.read(1), BYTE_MS);
      socket.on('close', () => clearInterval(timer));
    }),
  'pipelined lists': async (target, raid) =>
    holdOpen(raid, { url: target.apiUrl, connections: 4 }, (socket) => {
      socket.pause().write(longList(target).repeat(PIPELINED));
    }),
  'pipelined and read': async (target, raid) =>
    holdOpen(raid, { url: target.apiUrl, connections: 4 }, (socket) => {
      readStatuses(raid, socket);
      socket.write(longList(target).repeat(PIPELINED));
    }),
  'digits in 64 KiB': async ({ apiUrl, apiKey }, raid) => {
    const body = payment(repeated('0 ', 65_000));
    await flood(raid, LANES, () => ({ url: `${apiUrl}/v1/payments`, key: apiKey, body }));
  },
  'malformed keys': async ({ apiUrl }, raid) =>
    flood(raid, LANES, () => ({
      url: `${apiUrl}/v1/payments`,
      key: `sk_test_${randomBytes(9).toString('hex')}`,
    })),
  'unknown keys': async ({ apiUrl }, raid) =>
    flood(raid, LANES, () => ({ url: `${apiUrl}/v1/payments`, key: unknownKey() })),
  'unknown tokens': async ({ checkoutUrl }, raid) =>
    flood(raid, LANES, () => ({ url: `${checkoutUrl}/c/${mintToken()}` })),
  'idle and half-open': async (target, raid) => {
    const urls = [target.apiUrl, target.checkoutUrl, target.dashboardUrl];
    const connections = IDLE / urls.length;
    const idle = urls.map(async (url) =>
      holdOpen(raid, { url, connections }, (socket) => {
        if (Math.random() < 0.5) socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-');
        readStatuses(raid, socket);
      }),
    );
    await Promise.all(idle);
  },
  'slow bodies': async ({ apiUrl, apiKey }, raid) => {
    const sent = request(`${apiUrl}/v1/payments`, { key: apiKey, lines: slowHead, body: '{' });
    await holdOpen(raid, { url: apiUrl, connections: SLOW }, (socket) => {
      readStatuses(raid, socket);
      socket.write(sent);
      const timer = setInterval(() => socket.write(' '), BYTE_MS);
      socket.on('close', () => clearInterval(timer));
    });
  },
  "another merchant's refunds": async ({ apiUrl, apiKey, foreignIds }, raid) => {
    let next = 0;
    await flood(raid, LANES, () => {
      next = (next + 1) % foreignIds.length;
      const body = JSON.stringify({ payment_id: foreignIds[next], amount: 1_000 });
      return { url: `${apiUrl}/v1/refunds`, key: apiKey, body };
    });
  },
  'its own limit': async ({ apiUrl, apiKey }, raid) =>
    flood(raid, LANES, () => ({ url: `${apiUrl}/v1/payments?limit=1`, key: apiKey })),
};
