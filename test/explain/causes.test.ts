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
const decoded = (secret: string): Buffer => Buffer.from(secret.slice(6), 'base64');

const only = (form: 'service' | 'webhook', code: string): string[] => [
  `mistake ${form}-signature: ${code}`,
];

describe('the key', () => {
  it.each<[code: string, key: string | Buffer]>([
    ['key_decoded', DECODED],
    ['key_prefix_cut', SECRET.slice(6)],
    ['key_prefix_decoded', Buffer.from(SECRET, 'base64')],
    ['other_secret', OTHER],
  ])('of Service-Signature is wrong: %s', (code, key) => {
    expect(found(service(undefined, key), { otherSecrets })).toEqual(only('service', code));
  });

  it.each<[code: string, key: string | Buffer]>([
    ['key_whole', SECRET],
    ['key_prefix_cut', SECRET.slice(6)],
    ['key_prefix_decoded', Buffer.from(SECRET, 'base64')],
    ['other_secret', decoded(OTHER)],
  ])('of webhook-signature is wrong: %s', (code, key) => {
    expect(found(standard(undefined, key), { otherSecrets })).toEqual(only('webhook', code));
  });

  it('is described, together with the right one', () => {
    const [other] = explain({ otherSecrets, computed: [service(undefined, OTHER)] }).findings;
    expect(other?.says).toMatch(/^It was made with an old secret\. Use the secret of the endpoint/);
    const [whole] = explain({ computed: [standard(undefined, SECRET)] }).findings;
    expect(whole?.says).toContain('decoded from base64. The key used is the whole text.');
  });
});

/** The signed text, without the id in Tollgate's own form. */
const both: readonly (readonly [
  claim: string,
  code: string,
  signed: { timestamp?: string; body?: string },
])[] = [
  ['milliseconds', 'timestamp_ms', { timestamp: `${TIMESTAMP}000` }],
  ['an empty timestamp', 'timestamp_missing', { timestamp: '' }],
  ['a timestamp header in the wrong case', 'timestamp_missing', { timestamp: 'undefined' }],
  [
    'JSON with spaces',
    'json_spaced',
    { body: `{"id": "${ID}", "n": [1, 2], "data": {"text": "Թեյ, \\"a\\": b", "m": {}}}` },
  ],
  ['JSON with an indent', 'json_indent_2', { body: JSON.stringify(JSON.parse(BODY), null, 2) }],
  ['the given body', 'body_differs', { body: BODY.replace('Թ', '\\u0539') }],
];

describe('the signed text', () => {
  const more = {
    signedBody: BODY.replace('Թ', '\\u0539'),
  };

  it.each(both)('has %s', (_, code, { timestamp = TIMESTAMP, body = BODY }) => {
    const others = code === 'body_differs' ? [] : ['mistake null: body_differs'];
    const text = `${timestamp}.${body}`;
    expect(found(service(text), more)).toEqual([...only('service', code), ...others]);
    expect(found(standard(`${ID}.${text}`), more)).toEqual([...only('webhook', code), ...others]);
  });

  it.each([
    ['timestamp_missing', BODY],
    ['timestamp_missing', `${ID}.${BODY}`],
    ['parts', `${ID}.${TIMESTAMP}.${BODY}`],
    ['parts', `${TIMESTAMP}.${ID}.${BODY}`],
  ])('of Service-Signature is composed wrongly: %s', (code, text) => {
    expect(found(service(text))).toEqual(only('service', code));
  });

  it.each([
    ['timestamp_missing', BODY],
    ['timestamp_missing', `${ID}.${BODY}`],
    ['parts', `${TIMESTAMP}.${BODY}`],
    ['parts', `${TIMESTAMP}.${ID}.${BODY}`],
    ['timestamp_missing', `None.None.${BODY}`],
  ])('of webhook-signature is composed wrongly: %s', (code, text) => {
    expect(found(standard(text))).toEqual(only('webhook', code));
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
      'The body that was signed is not the one that was sent, but the same JSON written again ' +
        'with an indent of 2. Sign the raw bytes as they came, before any JSON parser. The first ' +
        String.raw`difference is at byte 1: "\"id\":\"evt_01" in the body, ` +
        String.raw`"\n  \"id\": \"ev" in what was signed.`,
    );
  });

  it('is recognised if it is given instead of the raw body', () => {
    const given = { 'service-signature': service(), 'webhook-signature': standard() };
    const body = `${JSON.stringify(JSON.parse(BODY), null, 4)}\n`;
    const codes = explain({ body, given }).findings.map(({ code }) => code);
    expect(codes).toEqual(['json_compact', 'json_compact']);
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
