import { describe, expect, it } from '@jest/globals';
import { parseRanges } from '../../activities/address.ts';
import { HOSTILE_NAMES } from '../support/hostile-urls.ts';
import { openReceiver } from '../support/receiver.ts';
import { openTrap } from '../support/traps.ts';
import { EMBEDDED, nobody, post, useGuard } from './guarded.ts';

/** Stands for the public internet: the traps are at other addresses. */
const OUTSIDE = '127.0.0.3';
const REBINDINGS = 1_000;

const guard = useGuard('guard_names');

describe('a name that leads inside', () => {
  it.each(HOSTILE_NAMES)('is refused: %s', async (_, answers) => {
    const url = `http://shop.example:${guard.traps.port}/hooks`;
    const outbound = guard.guarded(async () => answers);
    expect(await post(outbound, url)).toMatchObject({ status: null, error: 'address_blocked' });
    expect(await guard.deliverTo(url, outbound)).toEqual(['address_blocked']);
  });

  it('is refused under a name of the inside even if it led outside', async () => {
    const outbound = guard.guarded(async () => [OUTSIDE], parseRanges(['127.0.0.1/32']));
    const url = `http://shop.internal:${guard.traps.port}/`;
    expect(await post(outbound, url)).toMatchObject({ error: 'address_blocked' });
  });
});

describe('a name whose addresses change', () => {
  const opened = parseRanges([`${OUTSIDE}/32`]);

  it('is asked for once in each exchange, and what was checked is where it connects', async () => {
    const receiver = await openReceiver(OUTSIDE);
    let asked = 0;
    // Whoever asked twice would be sent inside every time.
    const outbound = guard.guarded(
      async () => [(asked += 1) % 2 === 1 ? OUTSIDE : '127.0.0.1'],
      opened,
    );
    const url = `http://shop.example:${receiver.port}/hooks`;
    const trap = await openTrap('127.0.0.1', receiver.port);
    const told = new Map<string | null, number>();
    for (let turn = 0; turn < REBINDINGS; turn += 1) {
      // Every fourth time on a connection of its own.
      if (turn % 4 === 0)
        receiver.answer = () => ({ status: 200, headers: { connection: 'close' } });
      if (turn % 4 === 2) receiver.answer = () => ({ status: 200 });
      const { error } = await post(outbound, url);
      told.set(error, (told.get(error) ?? 0) + 1);
    }
    await Promise.all([receiver.close(), trap.close()]);
    expect(trap.connections).toBe(0);
    expect(asked).toBe(REBINDINGS);
    expect(Object.fromEntries(told)).toEqual({
      null: REBINDINGS / 2,
      address_blocked: REBINDINGS / 2,
    });
    expect(receiver.requests).toHaveLength(REBINDINGS / 2);
  });

  it('gets nothing more over the connection that was kept', async () => {
    const receiver = await openReceiver(OUTSIDE);
    let answers = [OUTSIDE];
    const outbound = guard.guarded(async () => answers, opened);
    const url = `http://shop.example:${receiver.port}/hooks`;
    expect(await post(outbound, url)).toMatchObject({ status: 200 });
    for (const [, inside] of HOSTILE_NAMES) {
      answers = [...inside];
      expect(await post(outbound, url)).toMatchObject({ error: 'address_blocked' });
    }
    await receiver.close();
    expect(receiver.requests).toHaveLength(1);
  });

  it('is asked for once by many exchanges at the same time, and again by the next', async () => {
    const receiver = await openReceiver(OUTSIDE);
    let asked = 0;
    const outbound = guard.guarded(async () => {
      asked += 1;
      return new Promise((resolve) => {
        setImmediate(() => resolve([OUTSIDE]));
      });
    }, opened);
    const url = `http://shop.example:${receiver.port}/hooks`;
    const results = await Promise.all(Array.from({ length: 10 }, async () => post(outbound, url)));
    expect(results.map(({ status }) => status)).toEqual(Array(10).fill(200));
    expect(asked).toBe(1);
    await post(outbound, url);
    expect(asked).toBe(2);
    await receiver.close();
  });
});

describe('an answer that leads inside', () => {
  it.each([300, 301, 302, 303, 304, 305, 307, 308])('%i is not followed', async (status) => {
    const receiver = await openReceiver();
    const targets = ['127.0.0.2', '[::1]', 'localhost', '127.0.0.1'];
    const location = `http://${targets[status % targets.length]}:${guard.traps.port}/`;
    const refresh = `0; url=${location}`;
    const headers = {
      location,
      refresh,
      'content-location': location,
      'alt-svc': `h2=":${guard.traps.port}"`,
    };
    receiver.answer = () => ({ status, headers });
    const outbound = guard.guarded(nobody, EMBEDDED);
    expect(await post(outbound, receiver.url)).toMatchObject({ status, error: 'redirect' });
    expect(await guard.deliverTo(receiver.url, outbound)).toEqual(['redirect']);
    await receiver.close();
    expect(receiver.requests).toHaveLength(2);
  });
});
