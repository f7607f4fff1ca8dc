import * as fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { Webhook } from 'svix';
import { makeWebhookSecret, signatureHeaders } from '../../outbound/sign.ts';
import { clockNotes, explainSignature } from '../../explain/signature.ts';
import { BODY, ID, SECRET, TIMESTAMP, explain, found, service, standard } from './request.ts';

const OTHER = makeWebhookSecret();

describe('explainSignature', () => {
  it.each([[[SECRET]], [[SECRET, OTHER]]])(
    'expects the headers that the service sends',
    (secrets) => {
      const signed = signatureHeaders(
        { id: ID, timestamp: Number(TIMESTAMP), body: BODY },
        secrets,
      );
      const expected = explain({ secrets }).headers.map((each) => [each.name, each.expected]);
      const lower = Object.entries(signed).map(([name, value]) => [name.toLowerCase(), value]);
      expect(expected).toEqual(lower);
    },
  );

  it('shows what is signed with which key', () => {
    expect(explain().forms).toEqual([
      {
        form: 'service',
        signed: `${TIMESTAMP}.${BODY}`,
        key: "the secret's whole text, whsec_ included",
      },
      {
        form: 'standard',
        signed: `${ID}.${TIMESTAMP}.${BODY}`,
        key: 'what follows whsec_ in the secret, decoded from base64',
      },
    ]);
    expect(explain().findings).toEqual([]);
  });

  it.each([
    ['service-signature', service()],
    ['webhook-signature', new Webhook(SECRET).sign(ID, new Date(Number(TIMESTAMP) * 1_000), BODY)],
  ])('confirms a right %s', (header, value) => {
    expect(found(value)).toEqual([`note ${header}: fits`]);
    const { headers, findings } = explain({ given: { [header]: value } });
    expect(findings).toMatchObject([{ code: 'fits', about: header }]);
    expect(headers.find(({ name }) => name === header)).toMatchObject({ fits: true });
  });

  it.each([
    ['service-signature', `${service(undefined, OTHER)},${service()}`],
    ['webhook-signature', `${standard(undefined, 'x')} ${standard()}`],
  ])('accepts %s if one of several signatures is right', (header, value) => {
    const { headers, findings } = explain({ given: { [header]: value } });
    expect(findings).toMatchObject([{ code: 'fits', kind: 'note' }]);
    expect(headers.find(({ name }) => name === header)).toMatchObject({ fits: true });
  });

  it('finds the signature of the other form in a header', () => {
    const given = { 'service-signature': standard(), 'webhook-signature': service() };
    const { headers, findings } = explain({ given });
    expect(findings).toMatchObject([
      { code: 'other_form', about: 'service-signature', kind: 'mistake' },
      { code: 'other_form', about: 'webhook-signature', kind: 'mistake' },
    ]);
    expect(headers.filter(({ fits }) => fits === false)).toHaveLength(2);
  });

  it.each([
    ['an unrelated text', 'hello', ['value_malformed']],
    ['a hash of another length', `v1=${'0'.repeat(40)}`, ['value_malformed']],
    ['an unknown digest', `v1=${'0'.repeat(64)}`, ['unexplained']],
    ['an unknown secret', service(undefined, OTHER), ['unexplained']],
    ['another body', service(`${TIMESTAMP}.{}`), ['unexplained']],
    ['an unknown time', service(`1767225601.${BODY}`), ['unexplained']],
  ])('reports no cause for %s', (_, value, codes) => {
    expect(found(value)).toEqual(codes.map((code) => `mistake null: ${code}`));
  });

  it('confirms a right computation for a header that another secret signed', () => {
    const given = { 'service-signature': service(undefined, OTHER) };
    expect(explain({ given, computed: [service()] }).findings).toMatchObject([
      { code: 'unexplained', kind: 'mistake', about: 'service-signature' },
      { code: 'fits', kind: 'note', about: 'service-signature' },
    ]);
  });

  it('treats the recorded headers as right, whatever the secrets are', () => {
    const sent = { 'service-signature': service(undefined, OTHER) };
    const { headers, findings } = explain({ sent, computed: [sent['service-signature']] });
    expect(findings).toMatchObject([{ code: 'fits' }]);
    expect(headers.find(({ name }) => name === 'service-signature')?.expected).toBe(
      sent['service-signature'],
    );
  });

  it('never shows a secret', () => {
    const otherSecrets = [{ value: OTHER, whose: 'another' }];
    const computed = [service(undefined, OTHER), standard(undefined, SECRET), 'x'];
    const text = JSON.stringify(explain({ computed, otherSecrets }));
    for (const secret of [SECRET, OTHER]) expect(text).not.toContain(secret.slice(6));
  });

  it('never throws, and finds nothing in unrelated values', () => {
    const values = fc.array(fc.oneof(fc.string(), fc.base64String({ minLength: 40 })));
    const anything = fc.record({
      id: fc.string(),
      body: fc.oneof(fc.string({ unit: 'binary' }), fc.json()),
      computed: values,
    });
    const property = fc.property(anything, (request) => {
      const { findings } = explainSignature({ timestamp: '1', secrets: [SECRET], ...request });
      const unexplained = ['unexplained', 'value_malformed'];
      expect(findings.filter(({ code }) => !unexplained.includes(code))).toEqual([]);
    });
    fc.assert(property, { numRuns: 30 });
  });
});

describe('the form of a signature', () => {
  const hex = service().slice(3);
  const base64 = standard().slice(3);

  it.each([
    ['hex where base64 is expected', Buffer.from(base64, 'base64').toString('hex')],
    ['base64url', `v1,${Buffer.from(base64, 'base64').toString('base64url')}`],
  ])('is reported: %s', (_, value) => {
    expect(found(value)).toEqual(['mistake webhook-signature: encoding']);
  });

  it.each([
    ['base64 where hex is expected', `v1=${Buffer.from(hex, 'hex').toString('base64')}`],
    ['in capital letters', `v1=${hex.toUpperCase()}`],
  ])('is reported: %s', (_, value) => {
    expect(found(value)).toEqual(['mistake service-signature: encoding']);
  });

  it.each([
    ['service-signature', hex, `v1=v1=${hex}`, `v1,${hex}`],
    ['webhook-signature', base64, `v1,v1,${base64}`, `v1=${base64}`],
  ])(
    'is reported if the prefix is missing, repeated, or of the other form: %s',
    (header, bare, doubled, other) => {
      expect(found(bare)).toEqual([`note ${header}: fits`, `note ${header}: prefix`]);
      expect(found(doubled)).toEqual([`mistake ${header}: prefix`]);
      expect(found(other)).toEqual([`mistake ${header}: prefix`]);
    },
  );

  it('is reported together with another mistake', () => {
    expect(found(service(BODY).slice(3))).toEqual([
      'mistake service-signature: timestamp_missing',
      'note service-signature: prefix',
    ]);
  });
});

describe('clockNotes', () => {
  it.each([
    [300, []],
    [-300, []],
    [301, ['301 s ahead of']],
    [-301, ['301 s behind']],
    [Number.NaN, []],
  ])('reports only a clock that is too far away: %d s', (seconds, expected) => {
    const notes = clockNotes(Number(TIMESTAMP), Number(TIMESTAMP) + seconds, 'The receiver');
    expect(notes.map(({ code }) => code)).toEqual(expected.map(() => 'clock'));
    for (const each of expected) expect(notes[0]?.says).toContain(each);
  });
});
