import { createHmac } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  BODY,
  DECODED,
  ID,
  OLD,
  SECRET,
  STRANGERS,
  TIMESTAMP,
  base64,
  codes,
  explain,
  hex,
  object,
  python,
  service,
  spoken,
  standard,
} from './computed.ts';

describe('explainSignature', () => {
  it.each<[string, string, string[]]>([
    [
      'spaces and escapes of Python',
      service({ message: spoken(python(BODY)) }),
      ['json_spaced_ascii'],
    ],
    [
      'slashes escaped by PHP',
      service({
        message: spoken(
          BODY.replaceAll('/', String.raw`\/`).replaceAll(
            /[\u0080-\uffff]/g,
            (char) => `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`,
          ),
        ),
      }),
      ['json_slashes'],
    ],
    [
      'HTML escaped by Go',
      service({
        message: spoken(
          BODY.replaceAll('&', String.raw`\u0026`)
            .replaceAll('<', String.raw`\u003c`)
            .replaceAll('>', String.raw`\u003e`),
        ),
      }),
      ['json_html'],
    ],
    [
      'an indent',
      service({ message: spoken(JSON.stringify(JSON.parse(BODY), undefined, 2)) }),
      ['json_indent_2'],
    ],
    ['a line break after it', service({ message: spoken(`${BODY}\n`) }), ['newline_added']],
    ['a byte order mark', service({ message: spoken(`\uFEFF${BODY}`) }), ['bom_added']],
    ['an empty body', service({ message: `${TIMESTAMP}.` }), ['body_empty']],
    ['a parsed object', service({ message: spoken('[object Object]') }), ['body_object']],
    [
      'the wrong characters',
      service({ message: spoken(Buffer.from(BODY).toString('latin1')) }),
      ['latin1'],
    ],
    ['the object alone', service({ message: spoken(JSON.stringify(object)) }), ['body_part']],
    ['the timestamp left out', service({ message: BODY }), ['timestamp_missing']],
    ['milliseconds', service({ message: `${TIMESTAMP}000.${BODY}` }), ['timestamp_ms']],
    ['nothing between the parts', service({ message: TIMESTAMP + BODY }), ['separator']],
    ['a colon between the parts', service({ message: `${TIMESTAMP}:${BODY}` }), ['separator']],
    ['the id before it', service({ message: `${ID}.${spoken(BODY)}` }), ['id_extra']],
    ['the decoded key', service({ key: DECODED }), ['key_decoded']],
    ['the prefix cut', service({ key: SECRET.slice(6) }), ['key_prefix_cut']],
    ['a line break in the key', service({ key: `${SECRET}\n` }), ['key_newline']],
    ['no key', service({ key: '' }), ['key_empty']],
    ['an old secret', service({ key: OLD }), ['other_secret']],
    ['base64', service({ write: base64 }), ['encoding']],
    ['capital letters', service({ write: (digest) => hex(digest).toUpperCase() }), ['encoding']],
    [
      'hex in base64',
      service({ write: (d) => Buffer.from(d.toString('hex')).toString('base64') }),
      ['encoding'],
    ],
    ['SHA-1', service({ algorithm: 'sha1' }), ['hash']],
    ['SHA-512', service({ algorithm: 'sha512' }), ['hash']],
    ['the other form', standard({}), ['other_form']],
    ['the other form, in hex', standard({ write: hex }), ['encoding', 'other_form']],
    [
      "key and message in each other's place",
      hex(createHmac('sha256', `${TIMESTAMP}.${BODY}`).update(SECRET).digest()),
      ['key_message_swapped'],
    ],
    [
      'the same, without the timestamp',
      hex(createHmac('sha256', BODY).update(SECRET).digest()),
      ['key_message_swapped', 'timestamp_missing'],
    ],
    ['another body altogether', service({ message: spoken('{"a":1}') }), ['unexplained']],
    ['a stranger secret', service({ key: STRANGERS }), ['unexplained']],
    ['no signature at all', 'none', ['value_malformed']],
    ['nothing', '', ['value_malformed']],
    [
      'two mistakes at once',
      service({ key: DECODED, message: spoken(python(BODY)) }),
      ['json_spaced_ascii', 'key_decoded'],
    ],
    [
      'three mistakes at once, written wrongly too',
      service({ key: SECRET.slice(6), message: `${TIMESTAMP}000:${BODY}`, write: base64 }),
      ['encoding', 'key_prefix_cut', 'separator', 'timestamp_ms'],
    ],
  ])('finds in Service-Signature: %s', (_, value, expected) => {
    const explanation = explain({ given: { 'service-signature': value }, otherSecrets: [OLD] });
    expect(codes(explanation)).toEqual(expected);
    expect(explanation.findings[0]?.about).toBe('service-signature');
    expect(explanation.findings[0]?.kind).toBe('mistake');
  });

  it.each<[string, string, string[]]>([
    ['the key not decoded', standard({ key: SECRET }), ['key_whole']],
    ['the prefix cut but not decoded', standard({ key: SECRET.slice(6) }), ['key_prefix_cut']],
    [
      'the prefix decoded too',
      standard({ key: Buffer.from(SECRET, 'base64') }),
      ['key_prefix_decoded'],
    ],
    ['the id left out', standard({ message: spoken(BODY) }), ['id_missing']],
    [
      'the id and the time left out',
      standard({ message: BODY }),
      ['id_missing', 'timestamp_missing'],
    ],
    ['the order of the parts', standard({ message: `${TIMESTAMP}.${ID}.${BODY}` }), ['order']],
    ['hex', standard({ write: hex }), ['encoding']],
    ['base64url', standard({ write: (d) => `v1,${d.toString('base64url')}` }), ['encoding']],
    ['the other form', service({}), ['other_form']],
  ])('finds in webhook-signature: %s', (_, value, expected) => {
    expect(codes(explain({ given: { 'webhook-signature': value } }))).toEqual(expected);
  });

  it('finds out by itself for which form a value was computed', () => {
    const own = explain({
      computed: [service({ key: OLD, write: (d) => d.toString('hex') })],
      otherSecrets: [OLD],
    });
    expect(own.findings.map(({ about }) => about)).toContain('service-signature');
    const other = explain({ computed: [standard({ message: `${ID}.${TIMESTAMP}000.${BODY}` })] });
    expect(other.findings).toMatchObject([{ code: 'timestamp_ms', about: 'webhook-signature' }]);
  });

  it.each([
    ['with its version', hex],
    ['without', (digest: Buffer) => digest.toString('hex')],
  ])('knows the form of Standard Webhooks when it is written in hex, %s', (_, write) => {
    const { findings } = explain({ computed: [standard({ write })] });
    expect(findings).toEqual([
      {
        code: 'encoding',
        kind: 'mistake',
        about: 'webhook-signature',
        says: 'The HMAC is written as hex: webhook-signature has base64.',
      },
    ]);
  });

  it('takes a value without its version for what it is', () => {
    const bare = service({ write: (digest) => digest.toString('hex') });
    const explanation = explain({ computed: [bare] });
    expect(explanation.findings).toMatchObject([
      { code: 'fits', kind: 'note', about: 'service-signature' },
      { code: 'prefix', kind: 'note', about: 'service-signature' },
    ]);
  });

  it('says it once of a value that was both computed and received', () => {
    const value = service({ key: '' });
    const given = { 'service-signature': value };
    expect(codes(explain({ computed: [value], given }))).toEqual(['key_empty']);
  });
});
