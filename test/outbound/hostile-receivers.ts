/** Hostile and broken receivers, which control a connection below HTTP. */
import type { Socket } from 'node:net';
import { gzipSync } from 'node:zlib';
import type { DeliveryError } from '../../domain/delivery.ts';
import type { OnSocket } from './rawserver.ts';

/** Sends these bytes whenever it receives data. */
export function saying(text: string | Buffer): OnSocket {
  return (socket) => void socket.on('data', () => socket.write(text));
}

/** Sends these bytes once, and ends the connection. */
function ending(text: string): OnSocket {
  return (socket) => void socket.once('data', () => socket.end(text));
}

/** Sends these bytes once, and resets the connection. */
function resetting(text: string): OnSocket {
  return (socket) =>
    void socket.once('data', () => socket.write(text, () => setTimeout(reset, 20, socket)));
}
const reset = (socket: Socket): void => void socket.resetAndDestroy();

/** Sends `head`, then `more` repeatedly: as fast as possible, or every `everyMs`. */
function flooding(head: string, more: string | Buffer, everyMs?: number): OnSocket {
  return (socket) =>
    void socket.once('data', () => {
      socket.write(head);
      if (everyMs !== undefined) {
        const timer = setInterval(() => socket.write(more), everyMs);
        socket.on('close', () => clearInterval(timer));
        return;
      }
      const pour = (): void => {
        while (!socket.destroyed && socket.write(more));
      };
      socket.on('drain', pour);
      pour();
    });
}

const OK = 'HTTP/1.1 200 OK\r\n';
const LENGTH_2 = 'Content-Length: 2\r\n\r\n';
const CHUNKED = 'Transfer-Encoding: chunked\r\n\r\n';
const KIB = 1024;
/** 100 kB that decompress to 100 MB. */
const BOMB = gzipSync(Buffer.alloc(100 * KIB * KIB));
const bombHead = `${OK}Content-Encoding: gzip\r\nContent-Length: ${BOMB.length}\r\n\r\n`;

type Hostile = readonly [
  what: string,
  onSocket: OnSocket,
  status: number | null,
  error: DeliveryError | null,
];

/** Stops reading after its response. */
const answeringEarly: OnSocket = (socket) =>
  void socket.once('data', () => {
    socket.pause();
    socket.write(`${OK}${LENGTH_2}ok`);
  });

/** The behaviour of a receiver, and the status and error of a delivery to it. */
export const HOSTILE_RECEIVERS: readonly Hostile[] = [
  ['never responds', () => undefined, null, 'timeout'],
  ['never reads', (socket) => void socket.pause(), null, 'timeout'],
  ['sends a byte of its head at a time', flooding(`${OK}x: `, 'x', 20), null, 'timeout'],
  ['sends a byte of its body at a time', flooding(`${OK}\r\n`, 'x', 20), 200, null],
  ['sends a chunk at a time', flooding(OK + CHUNKED, '1\r\nx\r\n', 20), 200, null],
  ['sends an endless body', flooding(`${OK}\r\n`, 'x'.repeat(64 * KIB)), 200, null],
  [
    'sends one header of 64 KiB',
    saying(`${OK}x: ${'x'.repeat(64 * KIB)}\r\n\r\n`),
    null,
    'response_invalid',
  ],
  ['sends endless headers', flooding(OK, 'x: y\r\n'.repeat(KIB)), null, 'response_invalid'],
  [
    'sends endless cookies',
    flooding(OK, 'Set-Cookie: a=b; Path=/\r\n'.repeat(KIB)),
    null,
    'response_invalid',
  ],
  [
    'sends 1,000 cookies',
    saying(`${OK}${'Set-Cookie: abcdefgh=b\r\n'.repeat(1_000)}${LENGTH_2}ok`),
    null,
    'response_invalid',
  ],
  ['sends endless trailers', flooding(`${OK}${CHUNKED}0\r\n`, 'x: y\r\n'.repeat(KIB)), 200, null],
  ['sends an endless chunk extension', flooding(`${OK}${CHUNKED}1;`, 'x'.repeat(KIB)), 200, null],
  ['sends a gzip bomb', saying(Buffer.concat([Buffer.from(bombHead), BOMB])), 200, null],
  ['hangs up at once', (socket) => void socket.end(), null, 'connection_reset'],
  ['resets at once', (socket) => void setImmediate(reset, socket), null, 'connection_reset'],
  ['hangs up on the request', ending(''), null, 'connection_reset'],
  ['hangs up in the middle of its head', ending(`${OK}Content-Le`), null, 'connection_reset'],
  ['hangs up in the middle of its body', ending(`${OK}Content-Length: 9\r\n\r\nxy`), 200, null],
  ['resets in the middle of its head', resetting(`${OK}Content-Le`), null, 'connection_reset'],
  ['resets in the middle of its body', resetting(`${OK}Content-Length: 9\r\n\r\nxy`), 200, null],
  ['speaks no HTTP', saying('220 mail.shop.example ESMTP\r\n'), null, 'response_invalid'],
  ['sends zeros', flooding('', Buffer.alloc(64 * KIB)), null, 'response_invalid'],
  ['sends noise', saying(Buffer.from('f5a8c3ff00fe0d0a0d0a', 'hex')), null, 'response_invalid'],
  ['speaks HTTP/0.9', ending('<html>ok</html>'), null, 'response_invalid'],
  ['speaks HTTP/1.0', ending('HTTP/1.0 200 OK\r\n\r\nok'), 200, null],
  ['speaks HTTP/1.0 and fails', ending('HTTP/1.0 500 No\r\n\r\nno'), 500, 'status'],
  ['speaks HTTP/2', saying(Buffer.from('000000040000000000', 'hex')), null, 'response_invalid'],
  ['speaks HTTP/3.7', saying(`HTTP/3.7 200 OK\r\n${LENGTH_2}ok`), null, 'response_invalid'],
  ['sends a request', saying('GET / HTTP/1.1\r\nHost: a\r\n\r\n'), null, 'response_invalid'],
  [
    'has a status with two digits',
    saying(`HTTP/1.1 20 OK\r\n${LENGTH_2}ok`),
    null,
    'response_invalid',
  ],
  ['has a status of 999', saying(`HTTP/1.1 999 ?\r\n${LENGTH_2}ok`), 999, 'status'],
  ['sends an unexpected 100', saying('HTTP/1.1 100 Continue\r\n\r\n'), null, 'response_invalid'],
  [
    'sends endless 100s',
    flooding('', 'HTTP/1.1 100 Continue\r\n\r\n'.repeat(KIB)),
    null,
    'response_invalid',
  ],
  [
    'sends endless 103s',
    flooding('', 'HTTP/1.1 103 Hints\r\nLink: <a>\r\n\r\n'.repeat(KIB)),
    null,
    'response_invalid',
  ],
  [
    'sends endless 103s slowly',
    flooding('', 'HTTP/1.1 103 Hints\r\n\r\n', 10),
    null,
    'response_invalid',
  ],
  [
    'sends a 103 and its response',
    saying(`HTTP/1.1 103 Hints\r\n\r\n${OK}${LENGTH_2}ok`),
    200,
    null,
  ],
  ['sends nothing but a 102', saying('HTTP/1.1 102 Processing\r\n\r\n'), null, 'timeout'],
  [
    'upgrades',
    saying('HTTP/1.1 101 Switching\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n'),
    null,
    'response_invalid',
  ],
  [
    'upgrades with a 200',
    saying(`${OK}Upgrade: h2c\r\nConnection: Upgrade\r\n${LENGTH_2}ok`),
    200,
    null,
  ],
  ['responds before it has read everything', answeringEarly, 200, null],
  ['responds before the request', (socket) => void socket.write(`${OK}${LENGTH_2}ok`), 200, null],
  ['sends malformed chunks', saying(`${OK}${CHUNKED}zz\r\nok\r\n`), 200, null],
  ['sends a chunk of 2^64', saying(`${OK}${CHUNKED}ffffffffffffffff\r\nok\r\n`), 200, null],
  ['sends a length that is too short', saying(`${OK}${LENGTH_2}ok and more`), 200, null],
  ['sends a length that is too long', saying(`${OK}Content-Length: 99\r\n\r\nok`), 200, null],
  [
    'sends a negative length',
    saying(`${OK}Content-Length: -1\r\n\r\nok`),
    null,
    'response_invalid',
  ],
  [
    'sends two lengths',
    saying(`${OK}Content-Length: 3\r\n${LENGTH_2}ok`),
    null,
    'response_invalid',
  ],
  [
    'sends a length of 2^64',
    saying(`${OK}Content-Length: 18446744073709551616\r\n\r\nok`),
    null,
    'response_invalid',
  ],
  [
    'sends a length and chunks',
    saying(`${OK}Content-Length: 2\r\n${CHUNKED}0\r\n\r\n`),
    null,
    'response_invalid',
  ],
  ['sends trailers', saying(`${OK}${CHUNKED}2\r\nok\r\n0\r\nX: y\r\n\r\n`), 200, null],
  [
    'sends lines without carriage returns',
    saying('HTTP/1.1 200 OK\nContent-Length: 2\n\nok'),
    null,
    'response_invalid',
  ],
  ['sends a NUL in a header', saying(`${OK}x: a\0b\r\n${LENGTH_2}ok`), null, 'response_invalid'],
  ['sends a folded header', saying(`${OK}x: a\r\n b\r\n${LENGTH_2}ok`), null, 'response_invalid'],
  [
    'sends 204 with a body',
    saying('HTTP/1.1 204 No Content\r\nContent-Length: 2\r\n\r\nok'),
    204,
    null,
  ],
];
