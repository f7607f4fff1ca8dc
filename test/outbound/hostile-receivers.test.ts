import { setTimeout as sleep } from 'node:timers/promises';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { afterAll, describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import { makeOutbound } from '../../outbound/post.ts';
import type { Outbound } from '../../outbound/post.ts';
import { HOSTILE_RECEIVERS, saying } from './hostile-receivers.ts';
import { openRawServer } from './rawserver.ts';
import type { OnSocket, RawServer } from './rawserver.ts';
import { openReceiver } from '../support/receiver.ts';
import { until } from '../support/until.ts';
import { closeAfterTests } from '../support/close.ts';

/** Enough for the healthy receiver, even with floods in the same process. */
const TIMEOUT_MS = 3_000;
/** The time that a busy machine may add. */
const LATE_MS = 8_000;
const MAX_ANSWER_BYTES = 16 * 1024;
/** More than the network buffers for a receiver that does not read. */
const LONG_BODY = JSON.stringify({ text: 'x'.repeat(8 * 1024 * 1024) });

const opened = parseRanges(['127.0.0.1/32']);

const servers: RawServer[] = [];
const healthy = closeAfterTests(await openReceiver());
afterAll(async () => {
  await Promise.all(servers.map(async (server) => server.close()));
});

async function open(onSocket: OnSocket): Promise<RawServer> {
  const server = await openRawServer(onSocket);
  servers.push(server);
  return server;
}

/** Connections of one test, which checks that they are closed while other tests run. */
function makeSender() {
  const outbound = makeOutbound({ opened, timeoutMs: TIMEOUT_MS });
  return {
    post: async (url: string, body = '{}') => outbound.post({ url, headers: {}, body }),
    close: async () => outbound.close(),
  };
}

// Concurrent, because many receivers only wait for the time limit.
describe.concurrent('a receiver that', () => {
  it.each(HOSTILE_RECEIVERS)('%s', async (_, onSocket, status, error) => {
    // A receiver that does not read does not notice that we disconnect.
    const server = await open((socket) => {
      onSocket(socket);
      socket.resume();
    });
    const { post, close } = makeSender();
    const hostile = post(server.url);
    await sleep(20);
    const meanwhile = await post(healthy.url);
    const result = await hostile;
    const afterwards = await post(healthy.url);
    expect(result).toMatchObject({ status, error });
    expect(result.durationMs).toBeLessThan(TIMEOUT_MS + LATE_MS);
    expect(result.response?.body.length ?? 0).toBeLessThanOrEqual(MAX_ANSWER_BYTES);
    for (const other of [meanwhile, afterwards]) {
      expect(other).toMatchObject({ status: 200, error: null });
    }
    await close();
    await until(
      () => server.opened - server.closed,
      (left) => left === 0,
    );
  });

  it('does not read a long request is disconnected within the time limit', async () => {
    const server = await open((socket) => void socket.pause());
    const { post, close } = makeSender();
    expect(await post(server.url, LONG_BODY)).toMatchObject({ status: null, error: 'timeout' });
    expect(await post(healthy.url)).toMatchObject({ status: 200 });
    await close();
  });

  it('uses up all connections has them closed after the time limit', async () => {
    let isSilent = true;
    const server = await open((socket) => {
      socket.on('data', () => {
        if (!isSilent) socket.write('HTTP/1.1 204 No Content\r\n\r\n');
      });
    });
    const { post, close } = makeSender();
    const many = await Promise.all(Array.from({ length: 50 }, async () => post(server.url)));
    expect(new Set(many.map(({ error }) => error))).toEqual(new Set(['timeout']));
    isSilent = false;
    // One round is enough on an idle machine.
    await until(
      async () => Promise.all(Array.from({ length: 20 }, async () => post(server.url))),
      (later) => later.every(({ status }) => status === 204),
    );
    await close();
  });
});

describe.concurrent('a receiver with TLS that', () => {
  const hello = Buffer.from('160303007a0200007603', 'hex');
  it.each<[string, OnSocket, string]>([
    ['does not respond to our hello', (socket) => void socket.resume(), 'timeout'],
    ['stops in the middle of its hello', saying(hello), 'timeout'],
    ['speaks another protocol', saying('220 mail.shop.example ESMTP\r\n'), 'tls_failed'],
    ['sends an alert', saying(Buffer.from('15030300020228', 'hex')), 'tls_failed'],
    [
      'hangs up on the TLS hello',
      (socket) => void socket.once('data', () => socket.end()),
      'connection_reset',
    ],
    [
      'resets',
      (socket) => void socket.once('data', () => socket.resetAndDestroy()),
      'connection_reset',
    ],
  ])('%s', async (_, onSocket, error) => {
    const server = await open(onSocket);
    const { post, close } = makeSender();
    const result = await post(server.url.replace('http:', 'https:'));
    expect(result).toMatchObject({ status: null, error });
    expect(result.durationMs).toBeLessThan(TIMEOUT_MS + LATE_MS);
    expect(await post(healthy.url)).toMatchObject({ status: 200, error: null });
    await close();
    await until(
      () => server.opened - server.closed,
      (left) => left === 0,
    );
  });
});

describe('hundreds of hostile responses', () => {
  const EACH = 6;
  /** A short time limit, because the results are tested above. */
  const HASTY_MS = 600;
  const MAX_GROWTH_BYTES = 2 * 1024 * 1024;
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;

  /** Posts to every receiver `times` times at once. Returns the bytes in use afterwards. */
  async function round(hasty: Outbound, urls: readonly string[]): Promise<number> {
    const all = urls.flatMap((url) => Array.from({ length: EACH }, () => url));
    await Promise.all(all.map(async (url) => hasty.post({ url, headers: {}, body: '{}' })));
    await sleep(HASTY_MS);
    collect();
    await sleep(HASTY_MS);
    collect();
    const { heapUsed, external, arrayBuffers } = process.memoryUsage();
    return heapUsed + external + arrayBuffers;
  }

  it('leak no memory: another round needs no more than the one before', async () => {
    const rows = HOSTILE_RECEIVERS.filter(([what]) => !what.startsWith('never'));
    const listening = await Promise.all(rows.map(async ([, onSocket]) => open(onSocket)));
    const urls = listening.map(({ url }) => url);
    const hasty = makeOutbound({ opened, timeoutMs: HASTY_MS });
    await round(hasty, urls);
    let before = await round(hasty, urls);
    // Delayed garbage collection catches up within a round, but a leak grows with every round.
    const growthOfRound = async (): Promise<number> => {
      const after = await round(hasty, urls);
      const growth = after - before;
      before = after;
      return growth;
    };
    await until(growthOfRound, (growth) => growth < MAX_GROWTH_BYTES);
    const afterwards = async () => hasty.post({ url: healthy.url, headers: {}, body: '{}' });
    await until(afterwards, ({ status }) => status === 200);
    await hasty.close();
  });
});
