/** Responses that the app writes while the client reads them, such as downloads. */
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { until } from '../support/until.ts';
import { dial, get, openTestServer } from './testserver.ts';
import type { RawConnection, TestServer } from './testserver.ts';

let server: TestServer;
const lines: RawConnection[] = [];
afterEach(async () => {
  for (const { socket } of lines.splice(0)) socket.destroy();
  await server.close();
});

const PIECE = Buffer.alloc(64 * 1024, 'x');
/** More than the kernel buffers for a connection. */
const PIECES = 1_000;

/** Writes the pieces as fast as they are taken. */
function stream(res: ServerResponse, pieces = PIECES): void {
  function* all(): Generator<Buffer> {
    for (let nth = 0; nth < pieces; nth += 1) yield PIECE;
  }
  res.setHeader('Content-Length', pieces * PIECE.length);
  Readable.from(all()).pipe(res);
}

async function call(text: string, how: { deaf?: boolean } = {}): Promise<RawConnection> {
  const line = await dial(server.port, text, how);
  lines.push(line);
  return line;
}

const gone = async (count: number): Promise<number> =>
  until(
    async () => server.connections(),
    (open) => open === count,
  );

describe('a response that is written while it is read', () => {
  it('goes on while a slow client reads it, however long that takes', async () => {
    const bounds = { sendMs: 50, streamMs: 500 };
    server = await openTestServer((_, res) => stream(res), { bounds });
    const { socket } = await call(get('/'), { deaf: true });
    let received = 0;
    let pauseAt = 0;
    const beganMs = performance.now();
    socket.on('data', (chunk: Buffer) => {
      received += chunk.length;
      if (received < pauseAt) return;
      pauseAt = received + 2 * 1024 * 1024;
      socket.pause();
      setTimeout(() => socket.resume(), 60);
    });
    socket.resume();
    await until(
      () => received,
      (bytes) => bytes > PIECES * PIECE.length,
    );
    // The bounds were in force more than once.
    expect(performance.now() - beganMs).toBeGreaterThan(2 * bounds.streamMs);
    expect(await server.connections()).toBe(1);
  });

  it('is dropped if the client reads nothing, or byte by byte', async () => {
    const bounds = { streamMs: 300 };
    server = await openTestServer((_, res) => stream(res), { bounds });
    await call(get('/'), { deaf: true });
    const slow = await call(get('/'), { deaf: true });
    const timer = setInterval(() => slow.socket.read(1), 20);
    await gone(0);
    clearInterval(timer);
  });

  it('goes on while the app has nothing to send', async () => {
    const open: ServerResponse[] = [];
    server = await openTestServer(
      (_, res) => {
        res.write('begun ');
        open.push(res);
      },
      { bounds: { sendMs: 50, streamMs: 50 } },
    );
    const line = await call(get('/'));
    await until(() => line.text.includes('begun'), Boolean);
    await sleep(300);
    open[0]!.end('ended');
    await until(() => line.text.includes('ended'), Boolean);
    expect(line.isClosed).toBe(false);
  });

  it('is dropped for others that need the room, if it waits for its client', async () => {
    server = await openTestServer(
      (req, res) => (req.url === '/' ? stream(res) : void res.end('ok')),
      {
        bounds: { connections: 1 },
      },
    );
    const deaf = await call(get('/'), { deaf: true });
    await until(
      () => server.seen.length,
      (count) => count === 1,
    );
    const other = await call(get('/other'));
    await until(() => other.text.includes('ok'), Boolean);
    deaf.socket.resume();
    await until(() => deaf.isClosed, Boolean);
  });
});
