import { describe, expect, it } from 'vitest';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import {
  BODY,
  DECODED,
  ID,
  SECRET,
  TIMESTAMP,
  explain,
  found,
  service,
  standard,
} from './request.ts';

const OTHER = makeWebhookSecret();
const otherSecrets = [{ value: OTHER, whose: 'an old secret' }];

const only = (form: 'service' | 'webhook', code: string): string[] => [
  `mistake ${form}-signature: ${code}`,
];

describe('the key', () => {
  it.each<[code: string, key: string | Buffer]>([
    ['key_decoded', DECODED],
    ['key_prefix_cut', SECRET.slice(6)],
    ['other_secret', OTHER],
  ])('of Service-Signature is wrong: %s', (code, key) => {
    expect(found(service(undefined, key), { otherSecrets })).toEqual(only('service', code));
  });

  it.each<[code: string, key: string | Buffer]>([
    ['key_whole', SECRET],
    ['key_prefix_cut', SECRET.slice(6)],
    ['other_secret', Buffer.from(OTHER.slice(6), 'base64')],
  ])('of webhook-signature is wrong: %s', (code, key) => {
    expect(found(standard(undefined, key), { otherSecrets })).toEqual(only('webhook', code));
  });

  it('is described, together with the right one', () => {
    const [other] = explain({ otherSecrets, computed: [service(undefined, OTHER)] }).findings;
    expect(other?.says).toMatch(/^It was made with an old secret\. Use the secret that the rec/);
    const [whole] = explain({ computed: [standard(undefined, SECRET)] }).findings;
    expect(whole?.says).toMatch(/decoded from base64\. The key used is the secret's whole text/);
  });
});

describe('the signed text', () => {
  it.each<[claim: string, code: string, signed: { timestamp?: string; body?: string }]>([
    ['milliseconds', 'timestamp_ms', { timestamp: `${TIMESTAMP}000` }],
    ['an empty timestamp', 'timestamp_missing', { timestamp: '' }],
    ['a missing header in JavaScript', 'timestamp_missing', { timestamp: 'undefined' }],
    ['a missing header in Python', 'timestamp_missing', { timestamp: 'None' }],
    [
      'JSON with spaces',
      'body_differs',
      { body: `{"id": "${ID}", "n": [1, 2], "data": {"text": "Թեյ, \\"a\\": b", "m": {}}}` },
    ],
    ['JSON with an indent', 'body_differs', { body: JSON.stringify(JSON.parse(BODY), null, 2) }],
  ])('has %s', (_, code, { timestamp = TIMESTAMP, body = BODY }) => {
    const text = `${timestamp}.${body}`;
    expect(found(service(text))).toEqual(only('service', code));
    expect(found(standard(`${ID}.${text}`))).toEqual(only('webhook', code));
  });

  it('has the given body', () => {
    const signedBody = BODY.replace('Թ', '\\u0539');
    const text = `${TIMESTAMP}.${signedBody}`;
    expect(found(service(text), { signedBody })).toEqual(only('service', 'body_differs'));
    expect(found(standard(`${ID}.${text}`), { signedBody })).toEqual(
      only('webhook', 'body_differs'),
    );
    expect(found(service(BODY), { signedBody })).toEqual([
      ...only('service', 'timestamp_missing'),
      'mistake null: body_differs',
    ]);
  });

  it('is the body alone', () => {
    expect(found(service(BODY))).toEqual(only('service', 'timestamp_missing'));
    expect(found(standard(BODY))).toEqual(only('webhook', 'timestamp_missing'));
  });

  it('is found together with a mistake in the key', () => {
    expect(found(service(BODY, DECODED))).toEqual([
      ...only('service', 'key_decoded'),
      ...only('service', 'timestamp_missing'),
    ]);
    expect(found(standard(BODY, SECRET))).toEqual([
      ...only('webhook', 'key_whole'),
      ...only('webhook', 'timestamp_missing'),
    ]);
  });
});

describe('a body that was serialized again', () => {
  it('is reported with the first byte that differs', () => {
    const text = `${TIMESTAMP}.${JSON.stringify(JSON.parse(BODY), null, 2)}`;
    const [finding] = explain({ computed: [service(text)] }).findings;
    expect(finding?.says).toBe(
      'The body that was signed is not the one that was sent. Sign the raw bytes as they came, ' +
        String.raw`before any JSON parser. The first difference is at byte 1: "\"id\":\"evt_01" ` +
        String.raw`in the body, "\n  \"id\": \"ev" in what was signed.`,
    );
  });

  it('is recognised if it is given instead of the raw body', () => {
    const given = { 'service-signature': service(), 'webhook-signature': standard() };
    const body = `${JSON.stringify(JSON.parse(BODY), null, 4)}\n`;
    const codes = explain({ body, given }).findings.map(({ code }) => code);
    expect(codes).toEqual(['body_differs', 'body_differs']);
  });

  it.each([
    [`${BODY}\n`, `byte ${Buffer.byteLength(BODY)}: its end in the body, "\\n" in`],
    [BODY.slice(0, -1), `byte ${Buffer.byteLength(BODY) - 1}: "}" in the body, its end in`],
    [
      BODY.replace('é', 'e').replace('b"', 'c"'),
      `byte ${Buffer.byteLength(BODY.split('b"')[0]!)}:`,
    ],
  ])('is reported with that byte counted in UTF-8: %j', (signedBody, where) => {
    const { findings } = explain({ signedBody });
    expect(findings).toMatchObject([{ code: 'body_differs', about: null, kind: 'mistake' }]);
    expect(findings[0]?.says).toContain(`The first difference is at ${where}`);
  });
});
