import { mkdtemp, readFile, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, expect, it } from 'vitest';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { webhooks } from '../../sdk/index.ts';
import { VERSION } from '../../version.ts';
import { verify } from '../support/signature.ts';
import { until } from '../support/until.ts';
import { told, useGround } from './ground.ts';

const ground = await useGround('listen');

describe('tollgate listen', () => {
  it('forwards new events: the same bytes, with both signatures', async () => {
    await ground.developer.pay({ order_id: 'before' });
    const listener = await ground.listen();
    const payment = await ground.developer.pay({
      order_id: 'Պատվեր 🍵',
      metadata: { note: 'a </b> é' },
    });
    await ground.developer.api.send('POST', '/v1/refunds', { body: { payment_id: payment } });
    await ground.receive(4);
    const { json } = await ground.developer.api.send('GET', `/v1/events?payment_id=${payment}`);
    const events = (json.data as { id: string; type: string }[]).toReversed();
    expect(ground.ids()).toEqual(events.map(({ id }) => id));
    for (const request of ground.receiver.requests) {
      const event = verify(request, listener.secret);
      expect(webhooks.verify(request.raw, request.headers, listener.secret)).toEqual(event);
      const stored = await ground.developer.api.send('GET', `/v1/events/${event.id}`);
      expect(request.raw.toString()).toBe(stored.text);
    }
    const [first] = ground.receiver.requests;
    expect(first).toMatchObject({ method: 'POST', path: '/hooks' });
    expect(Object.keys(first?.headers ?? {}).toSorted()).toEqual([
      'connection',
      'content-length',
      'content-type',
      'host',
      'service-attempt',
      'service-delivery',
      'service-signature',
      'service-timestamp',
      'user-agent',
      'webhook-id',
      'webhook-signature',
      'webhook-timestamp',
    ]);
    expect(first?.headers).toMatchObject({
      'content-type': 'application/json',
      'user-agent': `Tollgate/${VERSION}`,
      'service-attempt': '1',
      'service-delivery': expect.stringMatching(/^dlv_\w{26}$/),
    });
    await until(
      () => told(listener),
      ({ length }) => length === 4,
    );
    expect(told(listener)[0]).toMatchObject({
      type: 'payment.completed',
      event_id: events[0]?.id,
      status: 200,
      accepted: true,
      attempts: 1,
    });
    expect((await listener.interrupt()).code).toBe(0);
  });

  it('continues where it was stopped, without loss or repeats', async () => {
    const first = await ground.listen();
    await ground.developer.pay();
    await ground.developer.pay();
    await ground.receive(2);
    const { code, stdout, stderr } = await first.interrupt();
    expect([code, stderr]).toEqual([0, '']);
    const summary = first.lines().at(-1);
    expect(summary).toMatchObject({ forwarded: 2, failed: [] });
    expect(String(summary?.['since']).split(',').slice(-2)).toEqual(ground.ids());
    expect(stdout).toContain('"since"');
    await ground.developer.pay();
    await ground.developer.pay();
    const second = await ground.listen({ args: ['--since', String(summary?.['since'])] });
    await ground.developer.pay();
    await ground.receive(5);
    expect(ground.ids()).toEqual((await ground.developer.eventIds()).slice(-5));
    await second.interrupt();
    expect(ground.ids()).toHaveLength(5);
  });

  it('forwards events since a time, oldest first, and then new ones', async () => {
    const all = await ground.developer.eventIds();
    const listener = await ground.listen({ args: ['--since', '10m'] });
    await ground.receive(all.length);
    expect(ground.ids()).toEqual(all);
    await ground.developer.pay();
    await ground.receive(all.length + 1);
    await listener.interrupt();
    expect(ground.ids()).toEqual(await ground.developer.eventIds());
  });

  it('forwards only the requested types', async () => {
    const listener = await ground.listen({ args: ['--events', 'refund.*, payment.refunded'] });
    const payment = await ground.developer.pay();
    await ground.developer.api.send('POST', '/v1/refunds', { body: { payment_id: payment } });
    await ground.receive(3);
    const types = ground.receiver.requests.map(
      ({ raw }) => JSON.parse(raw.toString()).type as string,
    );
    const asked = ['refund.created', 'refund.completed', 'payment.refunded'];
    expect(types.toSorted()).toEqual(asked.toSorted());
    await listener.interrupt();
  });

  it('signs with the given secret, from an option or the environment', async () => {
    const [onTheLine, inTheEnvironment] = [makeWebhookSecret(), makeWebhookSecret()];
    const first = await ground.listen({ args: ['--secret', onTheLine] });
    await ground.developer.pay();
    await ground.receive(1);
    await first.interrupt();
    const second = await ground.listen({ env: { TOLLGATE_WEBHOOK_SECRET: inTheEnvironment } });
    await ground.developer.pay();
    await ground.receive(2);
    expect([first.secret, second.secret]).toEqual([onTheLine, 'that of TOLLGATE_WEBHOOK_SECRET']);
    await second.interrupt();
    expect(() => verify(ground.receiver.requests[0]!, onTheLine)).not.toThrow();
    expect(() => verify(ground.receiver.requests[1]!, inTheEnvironment)).not.toThrow();
  });

  it('signs with a secret from standard input, and does not print it', async () => {
    const secret = makeWebhookSecret();
    const listener = await ground.listen({ args: ['--secret', '-'], input: `${secret}\n` });
    await ground.developer.pay();
    await ground.receive(1);
    const { stdout } = await listener.interrupt();
    expect(listener.secret).toBe('that of standard input');
    expect(stdout).not.toContain(secret);
    expect(() => verify(ground.receiver.requests[0]!, secret)).not.toThrow();
  });

  it('keeps its secret between starts, also of two at once, for its owner alone', async () => {
    const state = await mkdtemp(path.join(tmpdir(), 'tollgate-listen-'));
    const env = { XDG_STATE_HOME: state };
    const both = await Promise.all([ground.listen({ env }), ground.listen({ env })]);
    await Promise.all(both.map(async (each) => each.interrupt()));
    const third = await ground.listen({ env });
    await third.interrupt();
    expect(new Set([...both, third].map(({ secret }) => secret))).toEqual(new Set([third.secret]));
    const folder = path.join(state, 'tollgate');
    const [file = '', ...others] = await readdir(folder);
    expect([others, (await stat(path.join(folder, file))).mode & 0o777]).toEqual([[], 0o600]);
    expect(file + (await readFile(path.join(folder, file), 'utf8'))).toBe(
      `${file}${third.secret}\n`,
    );
    expect(file).not.toContain(ground.developer.tenant.secret);
    await rm(state, { recursive: true });
  });

  it('shows events without a receiver', async () => {
    const listener = ground.start(['--print', '--body', '--json']);
    await listener.prints(/"listening"/);
    const payment = await ground.developer.pay();
    await listener.prints(/"payment.completed"/);
    const { code } = await listener.interrupt();
    const [, line, summary] = listener.lines();
    expect(line).toMatchObject({
      type: 'payment.completed',
      event: { data: { object: { id: payment } } },
    });
    expect([code, summary?.['forwarded']]).toEqual([0, 1]);
    expect(String(summary?.['since'])).toContain(String(line?.['event_id']));
  });

  it('prints lines for people', async () => {
    const listener = ground.start(['--forward-to', ground.receiver.url.replace('http://', '')]);
    await listener.prints(/Signing secret: whsec_[\w+/]{43}= \(kept in .+\)\nCtrl-C stops/);
    await ground.developer.pay();
    await listener.prints(/payment\.completed +evt_\w{26} +200 +\d+ ms/);
    const { stdout } = await listener.interrupt();
    expect(stdout).toMatch(
      /1 event done, 0 not accepted\.\nContinue from here with: --since \S+,evt_\w{26}\n$/,
    );
  });

  it('sends an event with planned failures again, until they are over', async () => {
    const listener = await ground.listen();
    await ground.developer.pay({ metadata: { test_webhook_failures: '2' } });
    await ground.receive(3);
    const requests = ground.receiver.requests;
    expect(requests.map(({ headers }) => headers['service-attempt'])).toEqual(['1', '2', '3']);
    expect(new Set(requests.map(({ headers }) => headers['service-delivery'])).size).toBe(1);
    await until(
      () => told(listener),
      ({ length }) => length === 1,
    );
    expect(told(listener)[0]).toMatchObject({ accepted: true, attempts: 3 });
    await listener.interrupt();
  });
});
