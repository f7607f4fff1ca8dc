import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { Webhook } from 'standardwebhooks';
import { makeWebhookSecret, signatureHeaders } from '../../outbound/sign.ts';

/** The vector of the documentation, which receivers can use in their tests. */
const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
const ID = 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
const TIMESTAMP = 1767225600;
const BODY = '{"id":"evt_01ARZ3NDEKTSV4RRFFQ69G5FAV","type":"payment.completed"}';
const OWN = 'v1=4de2498251bbe03504a34fe05806237886caa7adc14a8dafdeb35ec1de07cc52';
const STANDARD = 'v1,jkAjcECu1C+X4VJ3KA/N2THsJHubSuNSSDltXoEXU78=';

const message = { id: ID, timestamp: TIMESTAMP, body: BODY };

describe('signatureHeaders', () => {
  it('returns the pinned vector', () => {
    expect(signatureHeaders(message, [SECRET])).toEqual({
      'Service-Timestamp': '1767225600',
      'Service-Signature': OWN,
      'webhook-id': ID,
      'webhook-timestamp': '1767225600',
      'webhook-signature': STANDARD,
    });
  });

  it.each([
    ['timestamp', { ...message, timestamp: TIMESTAMP + 1 }, SECRET],
    ['body', { ...message, body: `${BODY} ` }, SECRET],
    ['secret', message, makeWebhookSecret()],
  ] as const)('returns other signatures for another %s', (_, changed, secret) => {
    const headers = signatureHeaders(changed, [secret]);
    expect(headers['Service-Signature']).not.toBe(OWN);
    expect(headers['webhook-signature']).not.toBe(STANDARD);
  });

  it('lists one signature for each valid secret', () => {
    const newer = makeWebhookSecret();
    const headers = signatureHeaders(message, [newer, SECRET]);
    const alone = signatureHeaders(message, [newer]);
    expect(headers['Service-Signature']).toBe(`${alone['Service-Signature']},${OWN}`);
    expect(headers['webhook-signature']).toBe(`${alone['webhook-signature']} ${STANDARD}`);
  });

  it('signs the UTF-8 bytes of a body', () => {
    const body = '{"note":"Շնորհակալություն"}';
    const timestamp = Math.floor(Date.now() / 1000);
    const headers = signatureHeaders({ id: ID, timestamp, body }, [SECRET]);
    expect(() => new Webhook(SECRET).verify(Buffer.from(body), headers)).not.toThrow();
    const signed = Buffer.concat([Buffer.from(`${timestamp}.`), Buffer.from(body)]);
    const hex = createHmac('sha256', SECRET).update(signed).digest('hex');
    expect(headers['Service-Signature']).toBe(`v1=${hex}`);
  });
});

describe('makeWebhookSecret', () => {
  it('returns a secret of 32 random bytes', () => {
    const secrets = Array.from({ length: 50 }, makeWebhookSecret);
    expect(new Set(secrets).size).toBe(50);
    for (const secret of secrets) {
      expect(secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
      expect(Buffer.from(secret.slice(6), 'base64')).toHaveLength(32);
    }
  });
});
