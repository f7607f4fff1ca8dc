/** The attacks by name. Each lasts until the end of its run, and attacks this machine only. */
import { randomBytes } from 'node:crypto';
import type { Socket } from 'node:net';
import { makeKey } from '../../store/keys.ts';
import { mintToken } from '../../store/mint.ts';
import { flood, holdOpen, readStatuses, request } from './sockets.ts';
import type { Run, Target } from './sockets.ts';

type Attack = (target: Target, run: Run) => Promise<unknown>;

const CONNECTIONS = 40;
const PIPELINED = 60;
const STALLED = 40;
const IDLE = 3_000;
const SLOW = 500;

/** Calls `act` every second until the socket closes. */
function everySecond(socket: Socket, act: () => void): void {
  const timer = setInterval(act, 1_000);
  socket.on('close', () => clearInterval(timer));
}

const longList = ({ apiUrl, apiKey }: Target): string =>
  request(`${apiUrl}/v1/payments?limit=100`, { key: apiKey });

/** Returns a well-formed key with a valid checksum that belongs to nobody. */
const unknownKey = (): string => makeKey('mer_nobody', 'test', new Date(0)).secret;

const slowHead = ['Content-Type: application/json', 'Content-Length: 60000', 'Expect: '];

const payment = (description: string): string => {
  const fields = { amount: 12_500, currency: 'AMD', return_url: 'https://shop.example/' };
  return JSON.stringify({ ...fields, description });
};

export const ATTACKS: Readonly<Record<string, Attack>> = {
  'stalled readers': async (target, run) =>
    holdOpen(run, { url: target.apiUrl, connections: STALLED }, (socket) => {
      socket.pause().write(longList(target));
    }),
  'one byte a second': async (target, run) =>
    holdOpen(run, { url: target.apiUrl, connections: STALLED }, (socket) => {
      socket.pause().write(longList(target));
      everySecond(socket, () => socket.read(1));
    }),
  'pipelined lists': async (target, run) =>
    holdOpen(run, { url: target.apiUrl, connections: 4 }, (socket) => {
      socket.pause().write(longList(target).repeat(PIPELINED));
    }),
  'pipelined and read': async (target, run) =>
    holdOpen(run, { url: target.apiUrl, connections: 4 }, (socket) => {
      readStatuses(run, socket);
      socket.write(longList(target).repeat(PIPELINED));
    }),
  'digits in 64 KiB': async ({ apiUrl, apiKey }, run) => {
    const body = payment('0 '.repeat(32_500));
    await flood(run, CONNECTIONS, () => ({ url: `${apiUrl}/v1/payments`, key: apiKey, body }));
  },
  'malformed keys': async ({ apiUrl }, run) =>
    flood(run, CONNECTIONS, () => ({
      url: `${apiUrl}/v1/payments`,
      key: `sk_test_${randomBytes(9).toString('hex')}`,
    })),
  'unknown keys': async ({ apiUrl }, run) =>
    flood(run, CONNECTIONS, () => ({ url: `${apiUrl}/v1/payments`, key: unknownKey() })),
  'unknown tokens': async ({ checkoutUrl }, run) =>
    flood(run, CONNECTIONS, () => ({ url: `${checkoutUrl}/c/${mintToken()}` })),
  'idle and half-open': async (target, run) => {
    const urls = [target.apiUrl, target.checkoutUrl, target.dashboardUrl];
    const connections = IDLE / urls.length;
    const idle = urls.map(async (url) =>
      holdOpen(run, { url, connections }, (socket) => {
        if (Math.random() < 0.5) socket.write('GET / HTTP/1.1\r\nHost: a\r\nX-');
        readStatuses(run, socket);
      }),
    );
    await Promise.all(idle);
  },
  'slow bodies': async ({ apiUrl, apiKey }, run) => {
    const sent = request(`${apiUrl}/v1/payments`, { key: apiKey, lines: slowHead, body: '{' });
    await holdOpen(run, { url: apiUrl, connections: SLOW }, (socket) => {
      readStatuses(run, socket);
      socket.write(sent);
      everySecond(socket, () => socket.write(' '));
    });
  },
  "another merchant's refunds": async ({ apiUrl, apiKey, foreignIds }, run) => {
    let next = 0;
    await flood(run, CONNECTIONS, () => {
      next = (next + 1) % foreignIds.length;
      const body = JSON.stringify({ payment_id: foreignIds[next], amount: 1_000 });
      return { url: `${apiUrl}/v1/refunds`, key: apiKey, body };
    });
  },
  'its own limit': async ({ apiUrl, apiKey }, run) =>
    flood(run, CONNECTIONS, () => ({ url: `${apiUrl}/v1/payments?limit=1`, key: apiKey })),
};
