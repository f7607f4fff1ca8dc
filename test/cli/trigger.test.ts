import { describe, expect, it } from 'vitest';
import { EVENT_TYPES } from '../../domain/event.ts';
import { freePort } from '../support/port.ts';
import { makeTenant } from '../api/harness.ts';
import { tollgate } from './command.ts';
import { openDeveloper } from './merchant.ts';

const developer = await openDeveloper('trigger');

const possible = EVENT_TYPES.filter((type) => !type.startsWith('webhook_endpoint.'));

describe('tollgate trigger', () => {
  it.each(possible)('makes a %s happen, and prints its id', async (type) => {
    const outcome = await tollgate(['trigger', type, '--json'], developer.env());
    expect(outcome).toMatchObject({ code: 0, stderr: '' });
    const ids = JSON.parse(outcome.stdout) as Record<string, string>;
    const { json: event } = await developer.api.send('GET', `/v1/events/${ids['event_id']}`);
    expect(event.type).toBe(type);
    const { object } = event.data;
    expect(object.object === 'refund' ? object.payment_id : object.id).toBe(ids['payment_id']);
    if (object.object === 'refund') expect(object.id).toBe(ids['refund_id']);
    expect(event.livemode).toBe(false);
  });

  it('makes the requested payment, and prints lines for people', async () => {
    const args = ['--order-id', 'order-77', '--amount', '990', '--currency', 'USD'];
    const { code, stdout } = await tollgate(
      ['trigger', 'payment.completed', ...args],
      developer.env(),
    );
    expect(code).toBe(0);
    const [, id] = /^payment_id +(pay_\w+)$/m.exec(stdout) ?? [];
    const { json } = await developer.api.send('GET', `/v1/payments/${id}`);
    expect(json).toMatchObject({ order_id: 'order-77', amount: 990, currency: 'USD' });
    expect(stdout).toMatch(/^event_id +evt_\w+$/m);
  });

  it('plans failures of the webhooks, also those of the refund', async () => {
    const args = ['trigger', 'refund.completed', '--fail', '2', '--json'];
    const { stdout } = await tollgate(args, developer.env());
    const ids = JSON.parse(stdout) as Record<string, string>;
    const { json } = await developer.api.send('GET', `/v1/events/${ids['event_id']}`);
    expect(json.data.object.metadata).toMatchObject({ test_webhook_failures: '2' });
    const { json: payment } = await developer.api.send('GET', `/v1/payments/${ids['payment_id']}`);
    expect(payment.metadata).toEqual({ test_webhook_failures: '2' });
  });

  it.each(['0', '4', 'two', ''])('refuses to plan %j failures', async (fail) => {
    const args = ['trigger', 'payment.completed', '--fail', fail];
    const { code, stderr } = await tollgate(args, developer.env());
    expect([code, stderr]).toEqual([2, `tollgate: --fail ${fail}: give a number from 1 to 3.\n`]);
  });

  it.each([
    ['payment.created', /There is no event type "payment.created"/],
    ['toString', /There is no event type/],
    ['webhook_endpoint.disabled', /let its receiver respond with 410.*`tollgate endpoint example`/],
    ['webhook_endpoint.ping', /no call of the API causes it/],
  ])('refuses %s with the list of possible types', async (type, reason) => {
    const before = await developer.mongo.payments.countDocuments({});
    const { code, stdout, stderr } = await tollgate(['trigger', type], developer.env());
    expect([code, stdout]).toEqual([2, '']);
    expect(stderr).toMatch(reason);
    for (const each of possible) expect(stderr).toContain(`\n  ${each}\n`);
    expect(await developer.mongo.payments.countDocuments({})).toBe(before);
  });

  it.each<[string, () => Promise<Record<string, string>>, RegExp]>([
    [
      'there is no key',
      async () => ({ TOLLGATE_API_KEY: '' }),
      /^tollgate: The API key is missing/,
    ],
    ['the key is wrong', async () => ({ TOLLGATE_API_KEY: 'sk_test_x' }), /api_key_invalid, req_/],
    [
      'the key is malformed',
      async () => ({ TOLLGATE_API_KEY: 'hello' }),
      /^tollgate: apiKey must be/,
    ],
    [
      'the address is malformed',
      async () => ({ TOLLGATE_API_URL: 'shop' }),
      /^tollgate: TOLLGATE_API/,
    ],
    [
      'nothing responds',
      async () => ({ TOLLGATE_API_URL: `http://127.0.0.1:${await freePort()}` }),
      /refused the connection\. .* \(ECONNREFUSED\)/,
    ],
    [
      'the key is a live one',
      async () => ({ TOLLGATE_API_KEY: (await makeTenant(developer.mongo, 'live')).secret }),
      /^tollgate: This needs a test key/,
    ],
  ])('exits with one sentence if %s', async (_, env, sentence) => {
    const all = { ...developer.env(), ...(await env()) };
    const { code, stdout, stderr } = await tollgate(['trigger', 'payment.completed'], all);
    expect([code, stdout]).toEqual([_ === 'nothing responds' ? 3 : 2, '']);
    expect(stderr).toMatch(sentence);
    expect(stderr).not.toContain('    at ');
  });

  it('prints a refusal of the API in JSON', async () => {
    const wrong = ['trigger', 'payment.completed', '--amount', 'abc'];
    const refused = await tollgate(wrong, {
      ...developer.env(),
      TOLLGATE_API_URL: 'http://[::1]:1',
    });
    expect(refused).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^tollgate: --amount abc: give/),
    });
    const args = ['trigger', 'payment.completed', '--amount', '1.5', '--json'];
    const { code, stderr } = await tollgate(args, developer.env());
    expect(code).toBe(2);
    expect(JSON.parse(stderr)).toMatchObject({
      error: { type: 'invalid_request', code: 'parameter_invalid', param: 'amount' },
    });
    const away = { ...developer.env(), TOLLGATE_API_URL: `http://127.0.0.1:${await freePort()}` };
    const lost = await tollgate(args, away);
    expect(lost.code).toBe(3);
    expect(JSON.parse(lost.stderr)).toMatchObject({ error: { type: 'api', code: 'unavailable' } });
  });
});
