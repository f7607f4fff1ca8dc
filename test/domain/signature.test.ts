import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeWebhookSecret, signatureHeaders } from '../../outbound/sign.ts';
import { explainSignature } from '../../domain/signature/explain.ts';
import type { Explained } from '../../domain/signature/explain.ts';
import { mintId } from '../../store/mint.ts';
import {
  BODY,
  DECODED,
  ID,
  OLD,
  SECRET,
  STRANGERS,
  TIMESTAMP,
  codes,
  explain,
  hex,
  hmac,
  object,
  service,
  spoken,
  standard,
} from './computed.ts';

describe('explainSignature', () => {
  it('expects the headers that the signer writes, for one secret and for two', () => {
    for (const secrets of [[SECRET], [SECRET, OLD]]) {
      const signed = signatureHeaders(
        { id: ID, timestamp: Number(TIMESTAMP), body: BODY },
        secrets,
      );
      const { headers } = explain({ secrets });
      const expected = Object.fromEntries(headers.map((each) => [each.name, each.expected]));
      const lower = Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]);
      expect(expected).toEqual(Object.fromEntries(lower));
    }
  });

  it('agrees with the published vector', () => {
    const id = 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
    const body = `{"id":"${id}","type":"payment.completed"}`;
    const { headers } = explain({ id, body });
    const texts = headers.map(({ expected }) => expected);
    expect(texts).toContain('v1,jkAjcECu1C+X4VJ3KA/N2THsJHubSuNSSDltXoEXU78=');
    expect(texts).toContain('v1=4de2498251bbe03504a34fe05806237886caa7adc14a8dafdeb35ec1de07cc52');
  });

  it('shows what is signed, with the key, and points at what is easily changed', () => {
    const { forms } = explain();
    expect(forms.map(({ signed }) => signed)).toEqual([
      `${TIMESTAMP}.${BODY}`,
      `${ID}.${TIMESTAMP}.${BODY}`,
    ]);
    const [first] = forms[0]?.odd ?? [];
    const at = Buffer.from(spoken(BODY.slice(0, BODY.indexOf('Թ')))).length;
    expect(first).toEqual({ at, char: 'Թ', hex: 'd4b9' });
    expect(forms[1]?.key).toContain('decoded from base64');
  });

  it('says that a right value is right, wherever it stands', () => {
    const given = { 'service-signature': service({}), 'webhook-signature': standard({}) };
    expect(codes(explain({ given }))).toEqual(['fits', 'fits']);
    expect(explain({ given }).headers.filter(({ fits }) => fits === false)).toEqual([]);
    expect(codes(explain({ computed: [standard({})] }))).toEqual(['fits']);
    const rotated = `${service({ key: STRANGERS })},${service({})}`;
    const both = explain({ given: { 'service-signature': rotated } });
    expect(both.headers.find(({ name }) => name === 'service-signature')?.fits).toBe(true);
    expect(codes(both)).toEqual(['fits']);
  });

  it.each<[string, Partial<Explained>, string]>([
    ['milliseconds in the header', { timestamp: `${TIMESTAMP}000` }, 'timestamp_ms'],
    ['a timestamp that is none', { timestamp: 'now' }, 'timestamp_malformed'],
    ['an old request', { now: Number(TIMESTAMP) + 301 }, 'clock'],
    ['a clock that is slow', { now: Number(TIMESTAMP) - 301 }, 'clock'],
    ['a line break that an editor added', { body: `${BODY}\n` }, 'body_newline'],
    ['a byte order mark', { body: `\uFEFF${BODY}` }, 'body_bom'],
    ['bytes that are no text', { body: Buffer.from(BODY, 'utf16le') }, 'body_not_json'],
    ['half a body', { body: BODY.slice(0, 100) }, 'body_not_json'],
    ['a payment in place of the event', { body: '{"object":"event"}' }, 'body_not_event'],
    ['another event', { id: mintId('event') }, 'id_differs'],
    ['a secret without its prefix', { secrets: [SECRET.slice(6)] }, 'secret_prefix'],
    ['a secret that was cut', { secrets: ['whsec_AAECA!'] }, 'secret_cut'],
    ['a secret with a line break', { secrets: [`${SECRET}\n`] }, 'secret_untidy'],
    [
      'timestamps that differ',
      { given: { 'service-timestamp': TIMESTAMP, 'webhook-timestamp': '1' } },
      'timestamps_differ',
    ],
  ])('notes %s', (_, request, code) => {
    const found = explain(request).findings.find((finding) => finding.code === code);
    expect(found).toMatchObject({ code, kind: 'note' });
  });

  it('has nothing to note of a request as it is sent', () => {
    expect(explain({ now: Number(TIMESTAMP) + 299 }).findings).toEqual([]);
  });

  it('never shows a secret', () => {
    const computed = [service({ key: OLD }), standard({ key: SECRET }), 'x'];
    const said = JSON.stringify(explain({ computed, otherSecrets: [OLD], now: 0 }));
    for (const secret of [SECRET, OLD]) expect(said).not.toContain(secret.slice(6));
  });

  it('never throws, whatever it is given', () => {
    const anything = fc.record({
      id: fc.string(),
      timestamp: fc.string(),
      body: fc.oneof(fc.string({ unit: 'binary' }), fc.uint8Array(), fc.json()),
      secrets: fc.array(fc.string(), { maxLength: 2 }),
      computed: fc.array(fc.oneof(fc.string(), fc.base64String(), fc.constant(hex(DECODED))), {
        maxLength: 2,
      }),
      now: fc.integer(),
    });
    fc.assert(
      fc.property(anything, (request) => {
        expect(explainSignature(request, hmac).forms).toHaveLength(2);
      }),
      { numRuns: 60 },
    );
  });

  it('counts its trials, also with several secrets and for a large body', () => {
    const metadata = Object.fromEntries(
      Array.from({ length: 50 }, (_, index) => [`part_${index}`, 'x'.repeat(500)]),
    );
    const large = JSON.stringify({ id: ID, data: { object: { ...object, metadata } } });
    const otherSecrets = Array.from({ length: 20 }, () => makeWebhookSecret());
    const computed = [service({ key: STRANGERS, write: (digest) => digest.toString('hex') })];
    for (const [body, secrets, most] of [
      [BODY, [SECRET], 80_000],
      [BODY, [SECRET, OLD, makeWebhookSecret()], 250_000],
      [large, [SECRET], 40_000],
    ] as const) {
      let trials = 0;
      const request = { id: ID, timestamp: TIMESTAMP, body, secrets, otherSecrets, computed };
      const told = explainSignature(request, (...given) => {
        trials += 1;
        return hmac(...given);
      });
      expect(codes(told)).toEqual(['unexplained']);
      expect(trials).toBeLessThan(most);
    }
  });
});
