import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { parseRanges } from '../../outbound/address.ts';
import { makeOutbound } from '../../outbound/post.ts';
import type { Outbound } from '../../outbound/post.ts';
import { openRawServer } from './rawserver.ts';
import type { OnSocket, RawServer } from './rawserver.ts';
import { until } from '../support/until.ts';

const TIMEOUT_MS = 2_000;
/** The time between the response and the next action of a receiver in its own thread. */
const AFTER_MS = 50;
/** After this time the connection is idle, and nothing has followed yet. */
const IDLE_MS = 10;
/** The time for which our thread is busy and reads no socket. */
const BUSY_MS = 250;
/** The time for which we keep a connection, plus the time to notice its end. */
const KEPT_LIMIT_MS = 9_000;

const ANSWER = 'HTTP/1.1 200 OK\r\nContent-Length: 2\r\n\r\nok';
/** A response without a request. Its status shows whether it was read as a response. */
const STRAY = 'HTTP/1.1 299 Stray\r\nContent-Length: 5\r\n\r\nstray';

let outbound: Outbound;
const closers: (() => Promise<unknown>)[] = [];
beforeEach(() => {
  outbound = makeOutbound({ opened: parseRanges(['127.0.0.1/32']), timeoutMs: TIMEOUT_MS });
});
afterEach(async () => {
  await outbound.close();
  await Promise.all(closers.splice(0).map(async (close) => close()));
});

async function open(onSocket: OnSocket): Promise<RawServer> {
  const server = await openRawServer(onSocket);
  closers.push(async () => server.close());
  return server;
}

/** Opens a receiver that runs while this thread is busy. `afterwards` follows its response. */
async function openThread(afterwards: string): Promise<string> {
  const code = `
    const { parentPort } = require('node:worker_threads');
    const server = require('node:net').createServer({ noDelay: true }, (socket) => {
      socket.on('error', () => undefined);
      socket.on('data', () => {
        socket.write(${JSON.stringify(ANSWER)});
        setTimeout(() => { ${afterwards} }, ${AFTER_MS});
      });
    });
    server.listen(0, '127.0.0.1', () => parentPort.postMessage(server.address().port));`;
  const thread = new Worker(code, { eval: true });
  closers.push(async () => thread.terminate());
  const [port] = (await once(thread, 'message')) as [number];
  return `http://127.0.0.1:${port}/`;
}

/** Keeps this thread busy, so that received bytes stay unread. */
async function beBusy(): Promise<void> {
  await sleep(IDLE_MS);
  const end = performance.now() + BUSY_MS;
  while (performance.now() < end);
}

const post = async (url: string) => outbound.post({ url, headers: {}, body: '{}' });
const statusOf = async (url: string) => (await post(url)).status;

describe('a response without a request', () => {
  it('is not taken for the next response if it comes with the first', async () => {
    const { url } = await open(
      (socket) => void socket.on('data', () => socket.write(ANSWER + STRAY)),
    );
    const statuses = [];
    for (let turn = 0; turn < 50; turn += 1) statuses.push(await statusOf(url));
    expect(new Set(statuses)).toEqual(new Set([200]));
  });

  it('is not taken for the next response if it comes while the process is busy', async () => {
    const url = await openThread(`socket.write(${JSON.stringify(STRAY)})`);
    for (let turn = 0; turn < 5; turn += 1) {
      expect(await statusOf(url)).toBe(200);
      await beBusy();
    }
  });

  it('closes its connection', async () => {
    const server = await open((socket) => {
      socket.on('data', () =>
        socket.write(ANSWER, () => setTimeout(() => socket.write(STRAY), 20)),
      );
    });
    expect(await statusOf(server.url)).toBe(200);
    await until(
      () => server.closed,
      (closed) => closed === 1,
    );
    expect(await statusOf(server.url)).toBe(200);
  });
});

describe('a connection that the receiver has closed', () => {
  it('is not used again, even if it was closed while the process was busy', async () => {
    for (const end of ['socket.end()', 'socket.resetAndDestroy()']) {
      const url = await openThread(end);
      for (let turn = 0; turn < 5; turn += 1) {
        expect(await post(url)).toMatchObject({ status: 200, error: null });
        await beBusy();
      }
    }
  });

  it('is not used again after `Connection: close`', async () => {
    const closing = ANSWER.replace('\r\n\r\n', '\r\nConnection: close\r\n\r\n');
    const { url } = await open((socket) => void socket.once('data', () => socket.end(closing)));
    for (let turn = 0; turn < 50; turn += 1) expect(await statusOf(url)).toBe(200);
  });

  it('is not used again if it was closed right after the response', async () => {
    const { url } = await open((socket) => void socket.once('data', () => socket.end(ANSWER)));
    for (let turn = 0; turn < 50; turn += 1) expect(await statusOf(url)).toBe(200);
  });

  it('fails only the request that was sent meanwhile, which is retried later', async () => {
    let requests = 0;
    const server = await open((socket) => {
      let isSecond = false;
      socket.on('data', () => {
        requests += 1;
        if (isSecond) socket.destroy();
        else socket.write(ANSWER);
        isSecond = true;
      });
    });
    expect(await post(server.url)).toMatchObject({ status: 200 });
    expect(await post(server.url)).toMatchObject({ status: null, error: 'connection_reset' });
    // It is not resent at once, because the receiver may have acted on it.
    expect(requests).toBe(2);
    expect(await post(server.url)).toMatchObject({ status: 200 });
  });
});

describe('a connection that the receiver keeps open', () => {
  it('is closed by us after 4 s, even if the receiver asks for more', async () => {
    const forever = ANSWER.replace('\r\n\r\n', '\r\nKeep-Alive: timeout=86400\r\n\r\n');
    const server = await open((socket) => void socket.on('data', () => socket.write(forever)));
    expect(await statusOf(server.url)).toBe(200);
    const begun = Date.now();
    await until(
      () => server.closed,
      (closed) => closed === 1,
      KEPT_LIMIT_MS,
    );
    expect(Date.now() - begun).toBeLessThan(KEPT_LIMIT_MS);
  });
});
