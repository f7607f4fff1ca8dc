import { runInNewContext } from 'node:vm';
import { describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { signatureHeaders } from '../../outbound/sign.ts';
import { webhooks } from '../../sdk/index.ts';
import type { Payment, Refund, WebhookHeaders } from '../../sdk/index.ts';
import { BODY, ID, LONG, only, OTHER, reasonOf, SECRET, sign, unixNow } from './signed.ts';

/** The vector of the documentation. */
const VECTOR = {
  own: {
    'Service-Timestamp': '1767225600',
    'Service-Signature': 'v1=4de2498251bbe03504a34fe05806237886caa7adc14a8dafdeb35ec1de07cc52',
  },
  standard: {
    'webhook-id': ID,
    'webhook-timestamp': '1767225600',
    'webhook-signature': 'v1,jkAjcECu1C+X4VJ3KA/N2THsJHubSuNSSDltXoEXU78=',
  },
};
describe('the pinned vector', () => {
  it.each(Object.entries(VECTOR))('is accepted with only the %s form', (_, headers) => {
    expect(webhooks.verify(BODY, headers, SECRET, LONG)).toEqual(JSON.parse(BODY));
    expect(reasonOf(() => webhooks.verify(BODY, headers, OTHER, LONG))).toBe('signature');
  });

  it('is the output of signTest', () => {
    const signed = sign({ timestamp: 1_767_225_600 });
    expect(signed).toMatchObject({
      'service-timestamp': VECTOR.own['Service-Timestamp'],
      'service-signature': VECTOR.own['Service-Signature'],
      ...VECTOR.standard,
    });
  });
});

describe('independent signers', () => {
  it('are accepted by verify: the service and the library of Standard Webhooks', () => {
    const timestamp = unixNow();
    const message = { id: ID, timestamp, body: BODY };
    expect(webhooks.verify(BODY, signatureHeaders(message, [SECRET]), SECRET).id).toBe(ID);
    const rolling = signatureHeaders(message, [OTHER, SECRET]);
    expect(webhooks.verify(BODY, rolling, SECRET).id).toBe(ID);
    const signature = new Webhook(SECRET).sign(ID, new Date(timestamp * 1_000), BODY);
    const headers = {
      'webhook-id': ID,
      'webhook-timestamp': String(timestamp),
      'webhook-signature': signature,
    };
    expect(webhooks.verify(BODY, headers, SECRET).id).toBe(ID);
  });

  it('accept the headers of signTest', () => {
    expect(new Webhook(SECRET).verify(BODY, sign() as never)).toEqual(JSON.parse(BODY));
  });
});

describe('webhooks.verify', () => {
  it('accepts headers in the form of every framework', () => {
    const signed = sign();
    const upper = Object.entries(signed).map(([name, value]) => [name.toUpperCase(), value]);
    const arrays = Object.entries(signed).map(([name, value]) => [name, [value]]);
    const forms: WebhookHeaders[] = [
      signed,
      new Headers(signed),
      new Map(Object.entries(signed)) as never,
      Object.fromEntries(upper) as Record<string, string>,
      Object.fromEntries(arrays) as Record<string, string[]>,
      { ...signed, host: undefined, 'set-cookie': ['a', 'b'] },
    ];
    for (const headers of forms) expect(webhooks.verify(BODY, headers, SECRET).id).toBe(ID);
  });

  it('accepts the body as text or bytes, with any characters', () => {
    const body = JSON.stringify({ id: ID, type: 'payment.failed', note: 'Երևան ☕ é' });
    const headers = webhooks.signTest({ body, secret: SECRET });
    const bytes = new TextEncoder().encode(body);
    expect(webhooks.verify(body, headers, SECRET)).toEqual(JSON.parse(body));
    expect(webhooks.verify(bytes, headers, SECRET)).toEqual(JSON.parse(body));
    expect(webhooks.verify(Buffer.from(body), headers, SECRET)).toEqual(JSON.parse(body));
    const foreign = runInNewContext('Uint8Array.from(bytes)', { bytes }) as Uint8Array;
    expect(webhooks.verify(foreign, headers, SECRET)).toEqual(JSON.parse(body));
    const own = webhooks.signTest({ body: bytes, secret: SECRET });
    expect(webhooks.verify(body, own, SECRET)).toEqual(JSON.parse(body));
  });

  it('accepts one of several secrets, and one of several signatures', () => {
    const both = [OTHER, SECRET];
    expect(webhooks.verify(BODY, sign(), both).id).toBe(ID);
    const rolling = sign({ secret: both });
    expect(rolling['service-signature']).toMatch(/^v1=\w{64},v1=\w{64}$/);
    for (const prefix of ['service-', 'webhook-'] as const) {
      for (const secret of both) {
        expect(webhooks.verify(BODY, only(rolling, prefix), secret).id).toBe(ID);
      }
    }
  });

  it('ignores signatures of unknown versions', () => {
    const signed = sign();
    const own = {
      ...only(signed, 'service-'),
      'service-signature': `v2=ab, ${signed['service-signature']}`,
    };
    expect(webhooks.verify(BODY, own, SECRET).id).toBe(ID);
    const standard = {
      ...only(signed, 'webhook-'),
      'webhook-signature': `v1a,ab ${signed['webhook-signature']}`,
    };
    expect(webhooks.verify(BODY, standard, SECRET).id).toBe(ID);
    const hex = signed['service-signature']?.slice(3);
    for (const text of [
      `v2=${hex}`,
      `v1a=${hex}`,
      `v1,${hex}`,
      `${hex}`,
      `v1=${hex?.toUpperCase()}`,
    ]) {
      const headers = { ...only(signed, 'service-'), 'service-signature': text };
      expect(reasonOf(() => webhooks.verify(BODY, headers, SECRET))).toBe('signature');
    }
  });

  it('reads signatures from repeated headers', () => {
    const [old, fresh] = [sign({ secret: OTHER }), sign()];
    for (const name of ['service-signature', 'webhook-signature'] as const) {
      const prefix = name === 'service-signature' ? 'service-' : 'webhook-';
      const values = [old[name] ?? '', fresh[name] ?? ''];
      const listed = { ...only(fresh, prefix), [name]: values };
      expect(webhooks.verify(BODY, listed, SECRET).id).toBe(ID);
      const joined = new Headers(only(old, prefix));
      joined.append(name, fresh[name] ?? '');
      expect(webhooks.verify(BODY, joined, SECRET).id).toBe(ID);
    }
  });

  it('accepts one genuine form if the other is not genuine', () => {
    const [good, bad] = [sign(), sign({ secret: OTHER })];
    const stale = sign({ timestamp: 1 });
    for (const wrong of [bad, stale]) {
      const first = { ...only(wrong, 'service-'), ...only(good, 'webhook-') };
      const second = { ...only(good, 'service-'), ...only(wrong, 'webhook-') };
      for (const headers of [first, second]) {
        expect(webhooks.verify(BODY, headers, SECRET).id).toBe(ID);
      }
    }
  });

  it('does not use the timestamp of one form for the other', () => {
    const stale = sign({ timestamp: unixNow() - 3_600 });
    const now = String(unixNow());
    for (const [prefix, name] of [
      ['service-', 'webhook-timestamp'],
      ['webhook-', 'service-timestamp'],
    ] as const) {
      const headers = { ...only(stale, prefix), [name]: now };
      expect(reasonOf(() => webhooks.verify(BODY, headers, SECRET))).toBe('timestamp');
    }
  });

  it('returns an event whose type narrows its object', () => {
    const body = '{"id":"evt_1","type":"payment.completed","data":{"object":{"id":"pay_1"}}}';
    const event = webhooks.verify(body, webhooks.signTest({ body, secret: SECRET }), SECRET);
    const objects: (Payment | Refund)[] = [];
    if (event.type === 'payment.completed') {
      const payment: Payment = event.data.object;
      objects.push(payment);
    }
    if (event.type === 'refund.completed') {
      const refund: Refund = event.data.object;
      objects.push(refund);
    }
    expect(objects).toEqual([{ id: 'pay_1' }]);
  });
});
