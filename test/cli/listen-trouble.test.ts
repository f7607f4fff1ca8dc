import { createServer } from 'node:http';
import { describe, expect, it } from 'vitest';
import { freePort } from '../support/port.ts';
import { makeKey } from '../../store/keys.ts';
import { mintId } from '../../store/mint.ts';
import { recordingTemporal, serveApi } from '../api/harness.ts';
import { openReceiver } from '../support/receiver.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { tollgate } from './command.ts';
import { told, useGround } from './ground.ts';

const ground = await useGround('listen_trouble');

describe('tollgate listen', () => {
  it('retries a failed delivery as its next attempt', async () => {
    ground.receiver.respond = (number) => ({ status: number < 3 ? 503 : 200 });
    const listener = await ground.listen();
    await ground.developer.pay();
    await until(
      () => told(listener),
      ({ length }) => length === 1,
    );
    expect(told(listener)[0]).toMatchObject({ status: 200, attempts: 3 });
    const { requests } = ground.receiver;
    expect(requests.map(({ headers }) => headers['service-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(requests.map(({ headers }) => headers['service-delivery'])).size).toBe(1);
    expect(new Set(requests.map(({ raw }) => raw.toString())).size).toBe(1);
    for (const request of requests) verify(request, listener.secret);
    await listener.interrupt();
  });

  it('reports a refused event, and continues with the next', async () => {
    await ground.receiver.close();
    const listener = await ground.listen();
    await ground.developer.pay();
    const isReported = () => told(listener).length === 1;
    await until(isReported, Boolean);
    const [lost] = told(listener);
    expect(lost).toMatchObject({ accepted: false, status: null, attempts: 4 });
    expect(lost?.['error']).toContain('connection refused');
    const came: string[] = [];
    const back = createServer((request, response) => {
      came.push(String(request.headers['webhook-id']));
      request.resume().on('end', () => response.end());
    });
    await new Promise<void>((resolve) => back.listen(ground.receiver.port, '127.0.0.1', resolve));
    try {
      await ground.developer.pay();
      await until(
        () => came,
        ({ length }) => length === 1,
      );
      await listener.interrupt();
    } finally {
      await new Promise((resolve) => back.close(resolve));
    }
    expect(came).toEqual((await ground.developer.eventIds()).slice(-1));
    const summary = listener.lines().at(-1);
    expect(summary).toMatchObject({ forwarded: 1, failed: [lost?.['event_id']] });
    const tries = listener.lines().filter((line) => line['event_id'] === lost?.['event_id']);
    expect(tries.map(({ attempts, retrying }) => [attempts, retrying])).toEqual([
      [1, true],
      [4, false],
    ]);
    // The next run gets the refused event again, and not the one that was accepted.
    await ground.receiver.close();
    ground.receiver = await openReceiver();
    const next = await ground.listen({ args: ['--since', String(summary?.['since'])] });
    await ground.receive(1);
    await next.interrupt();
    expect(ground.ids()).toEqual([lost?.['event_id']]);
  });

  it.each([400, 401])(
    'hints at the secret once if the receiver responds with %i',
    async (status) => {
      ground.receiver.respond = () => ({ status });
      const listener = ground.start(['--forward-to', ground.receiver.url]);
      await listener.prints(/Ctrl-C stops/);
      await ground.developer.pay();
      await listener.prints(/\(attempt 4\)/);
      const { stdout } = await listener.interrupt();
      expect(stdout).toMatch(
        new RegExp(` ${status}  \\d+ ms, trying again\n +Does the receiver verify`),
      );
      expect(stdout.split('Does the receiver verify')).toHaveLength(2);
    },
  );

  it('leaves an unfinished event for the next run if it is stopped', async () => {
    ground.receiver.respond = () => ({ status: 500 });
    const listener = await ground.listen();
    await ground.developer.pay();
    await ground.receive(1);
    const { code } = await listener.interrupt();
    expect(code).toBe(0);
    const [stopped] = ground.ids();
    const since = String(listener.lines().at(-1)?.['since']);
    expect(since < String(stopped)).toBe(true);
    ground.receiver.respond = () => ({ status: 200 });
    const seen = ground.receiver.requests.length;
    const second = await ground.listen({ args: ['--since', since] });
    await ground.receive(seen + 1);
    await second.interrupt();
    expect(ground.ids().slice(seen)).toEqual([stopped]);
  });

  it('continues from its own start if it was stopped at the first event', async () => {
    await ground.developer.pay();
    ground.receiver.respond = () => ({ status: 500 });
    const since = new Date(Date.now() - 3_600_000).toISOString();
    const listener = await ground.listen({ args: ['--since', since] });
    await ground.receive(1);
    await listener.interrupt();
    expect(listener.lines().at(-1)).toMatchObject({ forwarded: 0, since });
  });

  it('continues from its own start if it never reached the API', async () => {
    const startedAt = Date.now();
    const env = { TOLLGATE_API_URL: `http://127.0.0.1:${await freePort()}` };
    const listener = ground.start(['--forward-to', ground.receiver.url, '--json'], env);
    await listener.prints(/ECONNREFUSED/);
    await listener.interrupt();
    const { forwarded, since } = listener.lines().at(-1)!;
    expect(forwarded).toBe(0);
    expect(Date.parse(String(since))).toBeGreaterThanOrEqual(startedAt);
  });

  it('exits if its key is revoked, and prints how to continue with another', async () => {
    const { mongo, tenant } = ground.developer;
    const { key, secret } = makeKey(tenant.merchantId, 'test', new Date());
    await mongo.keys.insertOne(key);
    const listener = await ground.listen({ args: ['--api-key', secret] });
    await ground.developer.pay();
    await until(
      () => told(listener),
      ({ length }) => length === 1,
    );
    await mongo.keys.updateOne({ _id: key._id }, { $set: { revoked_at: new Date() } });
    const { code, stderr } = await listener.ended;
    expect([code, JSON.parse(stderr)]).toMatchObject([2, { error: { code: 'api_key_revoked' } }]);
    const last = listener.lines().at(-1);
    expect([last?.['forwarded'], String(last?.['since']).split(',').at(-1)]).toEqual([
      1,
      ground.ids().at(-1),
    ]);
  });

  it('waits as long as the API asks after too many requests, and loses no event', async () => {
    const { mongo, tenant } = ground.developer;
    const limits = {
      merchant: { perSecond: 2, burst: 2 },
      anonymous: { perSecond: 100, burst: 100 },
      trustedHops: 0,
    };
    const temporal = recordingTemporal(mongo);
    const slow = await serveApi(tenant, { mongo, temporal, limits });
    const listener = await ground.listen({ env: { TOLLGATE_API_URL: slow.url } });
    await ground.developer.pay();
    await ground.developer.pay();
    await ground.receive(2);
    expect(ground.ids()).toEqual((await ground.developer.eventIds()).slice(-2));
    await listener.interrupt();
    await slow.close();
  });

  it.each<[string, readonly string[], RegExp]>([
    ['an unknown event type', ['--events', 'payment.created'], /no event type "payment.created"/],
    ['a malformed time', ['--since', 'yesterday'], /--since yesterday: give/],
    ['an unknown event', ['--since', mintId('event')], /no such event to continue from/],
    ['a malformed secret', ['--secret', 'hello'], /must be whsec_ and base64/],
    ['a key that is wrong', ['--api-key', 'sk_test_1'], /api_key_invalid/],
    ['a receiver that is only to be shown', ['--print'], /cannot be used with/],
    ['a malformed address', ['--forward-to', 'ftp://x/'], /is not an http or https address/],
  ])('refuses %s in one sentence', async (_, args, sentence) => {
    const command = ['listen', '--forward-to', ground.receiver.url, ...args];
    const { code, stderr } = await tollgate(command, ground.developer.env());
    expect([code, stderr]).toEqual([2, expect.stringMatching(sentence)]);
    expect(stderr).not.toContain('    at ');
    expect(ground.receiver.requests).toEqual([]);
  });
});
