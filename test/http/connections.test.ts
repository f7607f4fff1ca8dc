import { afterEach, describe, expect, it } from 'vitest';
import type { ServerResponse } from 'node:http';
import { until } from '../support/until.ts';
import { dial, get, openTestServer, responsesIn } from './testserver.ts';
import type { TestServer, RawConnection } from './testserver.ts';

let server: TestServer;
const lines: RawConnection[] = [];

afterEach(async () => {
  for (const { socket } of lines.splice(0)) socket.destroy();
  await server.close();
});

async function call(text = '', how: { deaf?: boolean } = {}): Promise<RawConnection> {
  const line = await dial(server.port, text, how);
  lines.push(line);
  return line;
}

const post = (body: string): string =>
  `POST / HTTP/1.1\r\nHost: a\r\nContent-Length: ${body.length}\r\n\r\n${body}`;

/** More than the kernel buffers for a connection. */
const HUGE = Buffer.alloc(32 * 1024 * 1024, 'x');
const closed = async (line: RawConnection): Promise<boolean> => until(() => line.isClosed, Boolean);
const served = async (line: RawConnection, count: number): Promise<number> =>
  until(
    () => responsesIn(line.text),
    (now) => now >= count,
  );

describe('pipelined requests', () => {
  it('are served one at a time, in their order', async () => {
    let inside = 0;
    let most = 0;
    server = await openTestServer(async (req, res) => {
      inside += 1;
      most = Math.max(most, inside);
      await new Promise((resolve) => setImmediate(resolve));
      inside -= 1;
      res.end(req.url);
    });
    const paths = Array.from({ length: 3_000 }, (_, i) => `/${i}`);
    const line = await call(paths.map(get).join(''));
    expect(await served(line, paths.length)).toBe(paths.length);
    expect(server.seen).toEqual(paths);
    expect(most).toBe(1);
  });

  it('wait until the response before them is read', async () => {
    server = await openTestServer((_, res) => void res.end(HUGE));
    await call(get('/').repeat(60), { deaf: true });
    await until(
      () => server.seen.length,
      (count) => count === 1,
    );
    // Another connection was served, so there was time to serve the first.
    const other = await call(get('/other'));
    await served(other, 1);
    expect(server.seen).toEqual(['/', '/other']);
  });

  it('with bodies are read one after another', async () => {
    server = await openTestServer(async (req, res) => {
      const chunks: Buffer[] = [];
      for await (const chunk of req) chunks.push(chunk as Buffer);
      res.end(Buffer.concat(chunks));
    });
    const bodies = ['first', 'second', 'third'];
    const line = await call(bodies.map(post).join(''));
    await served(line, 3);
    expect(bodies.map((body) => line.text.includes(`\r\n\r\n${body}`))).toEqual([true, true, true]);
  });

  it('beyond the limit close only their own connection', async () => {
    const open: ServerResponse[] = [];
    server = await openTestServer((_, res) => void open.push(res), { bounds: { pipelined: 10 } });
    const modest = await call(get('/').repeat(6));
    await until(
      () => open.length,
      (count) => count === 1,
    );
    const greedy = await call(get('/').repeat(12));
    await closed(greedy);
    open[0]!.end('done');
    expect(await served(modest, 1)).toBe(1);
    expect(modest.isClosed).toBe(false);
  });

  it('are dropped after a response that closes the connection', async () => {
    server = await openTestServer(
      (_, res) => void res.setHeader('Connection', 'close').end('done'),
    );
    const line = await call(get('/').repeat(5));
    await closed(line);
    expect([responsesIn(line.text), server.seen.length]).toEqual([1, 1]);
  });
});

describe('a response', () => {
  it('that is not read, or read byte by byte, is dropped after the time limit', async () => {
    server = await openTestServer((_, res) => void res.end(HUGE), { bounds: { sendMs: 300 } });
    const deaf = await call(get('/'), { deaf: true });
    const slow = await call(get('/'), { deaf: true });
    const timer = setInterval(() => slow.socket.read(1), 20);
    await until(
      async () => server.connections(),
      (count) => count === 0,
    );
    clearInterval(timer);
    deaf.socket.resume();
    await closed(deaf);
  });

  it('that is read in time leaves its connection usable after that time', async () => {
    server = await openTestServer((_, res) => void res.end('done'), { bounds: { sendMs: 50 } });
    const line = await call(get('/1'));
    await served(line, 1);
    await new Promise((resolve) => setTimeout(resolve, 150));
    line.socket.write(get('/2'));
    expect(await served(line, 2)).toBe(2);
  });

  it('that was unsent for the longest time is dropped if too many bytes are unsent', async () => {
    const bounds = { unsentBytes: 2.5 * HUGE.length };
    server = await openTestServer((_, res) => void res.end(HUGE), { bounds });
    for (let i = 0; i < 3; i += 1) {
      await call(get(`/${i}`), { deaf: true });
      await until(
        () => server.seen.length,
        (count) => count === i + 1,
      );
    }
    await until(
      async () => server.connections(),
      (count) => count === 2,
    );
    // The first was closed, so its client finds only a part in the kernel's buffers.
    const [first, ...others] = lines;
    let firstBytes = 0;
    first!.socket.on('data', (chunk: Buffer) => void (firstBytes += chunk.length)).resume();
    await closed(first!);
    expect(firstBytes).toBeLessThan(HUGE.length);
    expect(others.map(({ isClosed }) => isClosed)).toEqual([false, false]);
  });
});

describe('connections beyond the limit', () => {
  const bounds = { connections: 4 };

  it('close the connection that was idle longest, and are served', async () => {
    server = await openTestServer((_, res) => void res.end('done'), { bounds });
    const idle = [
      await call(),
      await call('GET / HTTP/1.1\r\nX-Half:'),
      await call(),
      await call(),
    ];
    for (let i = 0; i < 8; i += 1) expect(await served(await call(get('/')), 1)).toBe(1);
    await Promise.all(idle.map(closed));
    expect(await server.connections()).toBeLessThanOrEqual(4);
  });

  it('do not close connections whose requests are being served', async () => {
    const open: ServerResponse[] = [];
    const app = (req: { url?: string | undefined }, res: ServerResponse): void => {
      if (req.url === '/work') open.push(res);
      else res.end('done');
    };
    server = await openTestServer(app, { bounds });
    const busy = await call(get('/work'));
    await until(
      () => open.length,
      (count) => count === 1,
    );
    for (let i = 0; i < 20; i += 1) await call();
    expect(await served(await call(get('/')), 1)).toBe(1);
    open[0]!.end('done');
    expect(await served(busy, 1)).toBe(1);
  });

  it.each([
    ['a body that never arrives', 'POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 9\r\n\r\n', false],
    ['a response that is not read', get('/huge'), true],
  ])('close one that waits for %s if none is idle', async (_, text, deaf) => {
    server = await openTestServer(
      async (req, res) => {
        if (req.url === '/huge') return void res.end(HUGE);
        for await (const chunk of req) expect(chunk).toBeDefined();
        res.end('done');
      },
      { bounds },
    );
    for (let i = 0; i < 4; i += 1) await call(text, { deaf });
    await until(
      () => server.seen.length,
      (count) => count === 4,
    );
    expect(await served(await call(get('/')), 1)).toBe(1);
  });

  it('close a connection with pipelined requests if all others are busy', async () => {
    const open: ServerResponse[] = [];
    server = await openTestServer((_, res) => void open.push(res), { bounds });
    const busy = [await call(get('/1')), await call(get('/2'))];
    const piled = await call(get('/3').repeat(3));
    busy.push(await call(get('/4')));
    await until(
      () => open.length,
      (count) => count === 4,
    );
    const late = await call(get('/late'));
    await closed(piled);
    await until(
      () => open.length,
      (count) => count === 5,
    );
    for (const res of open) res.end('done');
    const kept = [...busy, late];
    expect(await Promise.all(kept.map(async (line) => served(line, 1)))).toEqual([1, 1, 1, 1]);
    expect(responsesIn(piled.text)).toBe(0);
  });

  it('are refused while all others are busy', async () => {
    const open: ServerResponse[] = [];
    server = await openTestServer((_, res) => void open.push(res), { bounds });
    const busy = await Promise.all([1, 2, 3, 4].map(async () => call(get('/'))));
    await until(
      () => open.length,
      (count) => count === 4,
    );
    await closed(await call(get('/')));
    for (const res of open) res.end('done');
    expect(await Promise.all(busy.map(async (line) => served(line, 1)))).toEqual([1, 1, 1, 1]);
  });
});
