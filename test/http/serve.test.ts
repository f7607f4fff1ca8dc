import type { ServerResponse } from 'node:http';
import { afterEach, describe, expect, it } from 'vitest';
import { refusePlainly } from '../../http/refuse.ts';
import { openPort, serve } from '../../http/serve.ts';
import { until } from '../support/until.ts';
import { dial, get, openGround, responsesIn } from './ground.ts';
import type { Ground } from './ground.ts';

let ground: Ground;
afterEach(async () => ground.close());

describe('a server that drains', () => {
  it('closes idle connections at once, and others after their response', async () => {
    const open: ServerResponse[] = [];
    ground = await openGround((req, res) => {
      if (req.url === '/slow') open.push(res);
      else res.end('done');
    });
    const idle = await dial(ground.port, get('/'));
    await until(
      () => responsesIn(idle.text),
      (count) => count === 1,
    );
    const busy = await dial(ground.port, get('/slow') + get('/next'));
    await until(
      () => open.length,
      (count) => count === 1,
    );
    const drained = ground.drain();
    await until(() => idle.isClosed, Boolean);
    expect(busy.isClosed).toBe(false);
    open[0]!.end('done');
    await drained;
    await until(() => busy.isClosed, Boolean);
    expect(busy.text).toContain('Connection: close');
    // The pipelined request had no effect, so its client may send it again.
    expect([responsesIn(busy.text), ground.seen]).toEqual([1, ['/', '/slow']]);
  });

  it('keeps connections open before that', async () => {
    ground = await openGround((_, res) => void res.end('done'));
    const line = await dial(ground.port);
    for (let i = 1; i <= 3; i += 1) {
      line.socket.write(get(`/${i}`));
      await until(
        () => responsesIn(line.text),
        (count) => count === i,
      );
    }
    expect([line.isClosed, await ground.connections()]).toEqual([false, 1]);
    await ground.drain();
    await until(() => line.isClosed, Boolean);
  });
});

describe('openPort', () => {
  it('names the variable of a port that is taken', async () => {
    ground = await openGround(() => undefined);
    const second = serve({ handle: async () => undefined, refuse: refusePlainly });
    const taken = { variable: 'API_PORT', port: ground.port, host: '127.0.0.1' };
    await expect(openPort(second, taken)).rejects.toThrow(`API_PORT: cannot listen on port`);
  });
});
