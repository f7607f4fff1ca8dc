import { describe, expect, it } from 'vitest';
import { TollgateUsageError, webhooks } from '../../sdk/index.ts';
import type { WebhookHeaders } from '../../sdk/index.ts';
import { BODY, ID, LONG, only, OTHER, reasonOf, SECRET, sign, unixNow } from './signed.ts';

describe('webhooks.verify of a forged request', () => {
  it.each([
    ['another body', BODY.replace('completed', 'failed'), {}],
    ['a body that was serialized again', JSON.stringify(JSON.parse(BODY), null, 2), {}],
    ['another secret', BODY, { secret: OTHER }],
    ['another id, without our own form', BODY, { id: 'evt_2' }],
  ])('refuses %s', (_, body, how) => {
    const signed = sign(how);
    const id = { 'webhook-id': ID };
    const headers = 'id' in how ? { ...only(signed, 'webhook-'), ...id } : { ...signed, ...id };
    expect(reasonOf(() => webhooks.verify(body, headers, SECRET))).toBe('signature');
  });

  it.each([
    [-301, 300],
    [302, 300],
    [-11, 10],
  ])('refuses one signed %i s from now, with a tolerance of %i', (offset, tolerance) => {
    const headers = sign({ timestamp: unixNow() + offset });
    const options = { toleranceSeconds: tolerance };
    const verify = () => webhooks.verify(BODY, headers, SECRET, options);
    expect(reasonOf(verify)).toBe('timestamp');
    if (tolerance === 300) {
      expect(reasonOf(() => webhooks.verify(BODY, headers, SECRET))).toBe('timestamp');
    }
  });

  it('accepts one signed within the tolerance, before or after now', () => {
    for (const offset of [-295, 0, 300]) {
      const headers = sign({ timestamp: unixNow() + offset });
      expect(webhooks.verify(BODY, headers, SECRET).id).toBe(ID);
    }
  });

  it.each(['', 'NaN', '0x6955b900', '1767225600.5', '-1767225600', '+1', '1e9', '１', 'Infinity'])(
    'refuses the timestamp %j, even if it is signed',
    (timestamp) => {
      const headers = sign({ timestamp });
      const verify = () => webhooks.verify(BODY, headers, SECRET, LONG);
      expect(reasonOf(verify)).toBe('headers');
    },
  );

  it.each([
    ['no headers', {}],
    ['null as headers', null],
    ['a Map of other headers', new Map([['host', 'shop.example']])],
    ['no timestamp', { ...sign(), 'service-timestamp': undefined, 'webhook-timestamp': undefined }],
    ['two timestamps', { 'Service-Timestamp': '1', ...only(sign(), 'service-') }],
    ['two ids', { ...only(sign(), 'webhook-'), 'webhook-id': [ID, 'evt_2'] }],
    ['no id', { ...only(sign(), 'webhook-'), 'webhook-id': undefined }],
    ['no signature', { 'service-timestamp': '1', 'webhook-id': ID, 'webhook-timestamp': '1' }],
    ['headers that are not text', { 'service-signature': 7, 'service-timestamp': 7 }],
  ])('refuses %s', (_, headers) => {
    const verify = () => webhooks.verify(BODY, headers as WebhookHeaders, SECRET);
    expect(reasonOf(verify)).toBe('headers');
  });

  it.each(['{', 'null', '"text"', '[]', '{"id":1,"type":"payment.completed"}', '{"id":"evt_1"}'])(
    'refuses the signed body %s',
    (body) => {
      const headers = webhooks.signTest({ body, secret: SECRET });
      expect(reasonOf(() => webhooks.verify(body, headers, SECRET))).toBe('body');
    },
  );
});

describe('webhooks.verify of a request without a body', () => {
  it.each([undefined, null, {}, '', new Uint8Array()])('refuses %j, signed or not', (body) => {
    for (const headers of [{}, sign()] as const) {
      const verify = () => webhooks.verify(body as string, headers, SECRET);
      expect(reasonOf(verify)).toMatch(/^(?:body|headers|signature)$/);
    }
  });

  it.each([undefined, null, {}])('throws the reason body for %j', (body) => {
    const verify = () => webhooks.verify(body as string, sign(), SECRET);
    expect(reasonOf(verify)).toBe('body');
    expect(verify).toThrow(/express\.raw/);
  });
});

describe('webhooks.readSecrets', () => {
  it('accepts one secret or several, with spaces and line breaks around them', () => {
    expect(webhooks.readSecrets(SECRET)).toEqual([SECRET]);
    expect(webhooks.readSecrets(` ${OTHER}, ${SECRET},\r\n`)).toEqual([OTHER, SECRET]);
  });

  it.each([
    [undefined, /is missing/],
    ['', /is missing/],
    [' ,\n', /is missing/],
    [`${SECRET} ${OTHER}`, /this one has white space in it/],
    [`${SECRET},sk_test_abc`, /number 2 of 2 does not begin with whsec_/],
    ['whsec_a-b', /this one is not base64/],
    ['whsec_A', /this one is not base64/],
  ])('names the fault of %j, without showing it', (setting, sentence) => {
    const read = () => webhooks.readSecrets(setting);
    expect(read).toThrow(TollgateUsageError);
    expect(read).toThrow(sentence);
    expect(read).not.toThrow(/sk_test_abc|a-b|AAEC/);
  });
});

describe('webhooks.verify, called wrongly,', () => {
  it('names webhooks.readSecrets if the secret is a list', () => {
    expect(() => webhooks.verify(BODY, sign(), `${SECRET},${OTHER}`)).toThrow(
      new TollgateUsageError(
        'A webhook secret must be whsec_ and base64, as the service shows it; this one has a ' +
          'comma in it: webhooks.readSecrets splits a list.',
      ),
    );
  });

  it.each([JSON.parse(BODY) as unknown, [], new ArrayBuffer(2), 7])(
    'asks for the raw body instead of %j',
    (body) => {
      const verify = () => webhooks.verify(body as string, sign(), SECRET);
      expect(verify).toThrow(TollgateUsageError);
      expect(verify).toThrow(/raw body/);
    },
  );

  it.each([
    ['no secret', undefined],
    ['no secrets', []],
    ['an empty secret', ''],
    ['only a prefix', 'whsec_'],
    ['an API key', 'sk_test_abc'],
    ['a missing secret in a list', [SECRET, undefined]],
    ['a secret that is not base64', 'whsec_a b c'],
  ])('refuses %s, without showing it', (_, secret) => {
    const verify = () => webhooks.verify(BODY, sign(), secret as string);
    expect(verify).toThrow(TollgateUsageError);
    expect(verify).not.toThrow(/sk_test_abc|a b c/);
  });

  it.each([0, -1, Number.NaN, Infinity, '300' as never])(
    'refuses a tolerance of %s',
    (toleranceSeconds) => {
      const verify = () => webhooks.verify(BODY, sign(), SECRET, { toleranceSeconds });
      expect(verify).toThrow(TollgateUsageError);
    },
  );
});
