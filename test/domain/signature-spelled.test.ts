import { describe, expect, it } from 'vitest';
import { TIMESTAMP, codes, explain, service } from './computed.ts';

/** As the service sends it: letters that writers differ about, and an object that is empty. */
const BODY = `{"id":"evt_1","data":{"n":[],"m":{},"url":"https://x/y","text":"Ժ <b>'s \\"a=b\\" & é+"}}`;
const event = JSON.parse(BODY) as unknown;
const ID = 'evt_1';

const found = (body: string, key?: Buffer) => {
  const made = { message: `${TIMESTAMP}.${body}`, ...(key && { key }) };
  return explain({ id: ID, body: BODY, computed: [service(made)] });
};

/** Written out by hand, each as that language has it. */
const TEXTS: readonly (readonly [who: string, code: string, body: string])[] = [
  [
    'PHP: json_encode(json_decode($body, true), JSON_UNESCAPED_SLASHES | JSON_UNESCAPED_UNICODE)',
    'json_arrays',
    BODY.replace('{}', '[]'),
  ],
  [
    'PHP: json_encode(json_decode($body, true))',
    'json_arrays_slashes',
    String.raw`{"id":"evt_1","data":{"n":[],"m":[],"url":"https:\/\/x\/y","text":"\u053a <b>'s \"a=b\" & \u00e9+"}}`,
  ],
  [
    'PHP: the same with JSON_UNESCAPED_SLASHES',
    'json_arrays_ascii',
    String.raw`{"id":"evt_1","data":{"n":[],"m":[],"url":"https://x/y","text":"\u053a <b>'s \"a=b\" & \u00e9+"}}`,
  ],
  [
    'PHP: the same with JSON_UNESCAPED_UNICODE',
    'json_arrays_slashes_only',
    BODY.replace('{}', '[]').replaceAll('/', String.raw`\/`),
  ],
  [
    'PHP: JSON_PRETTY_PRINT of an object',
    'json_indent_4_slashes_only',
    JSON.stringify(event, null, 4).replaceAll('/', String.raw`\/`),
  ],
  [
    'PHP: JSON_PRETTY_PRINT of an array, with both escapes',
    'json_arrays_indent_4_slashes',
    JSON.stringify(event, null, 4)
      .replace('{}', '[]')
      .replaceAll('/', String.raw`\/`)
      .replace('Ժ', String.raw`\u053a`)
      .replace('é', String.raw`\u00e9`),
  ],
  ...[2, 4].map(
    (indent) =>
      [
        `Python: json.dumps(event, indent=${indent})`,
        `json_indent_${indent}_ascii`,
        JSON.stringify(event, null, indent)
          .replace('Ժ', String.raw`\u053a`)
          .replace('é', String.raw`\u00e9`),
      ] as const,
  ),
  [
    'Python: sort_keys and no spaces',
    'json_sorted_ascii',
    String.raw`{"data":{"m":{},"n":[],"text":"\u053a <b>'s \"a=b\" & \u00e9+","url":"https://x/y"},"id":"evt_1"}`,
  ],
  [
    'Python: sort_keys',
    'json_sorted_spaced_ascii',
    String.raw`{"data": {"m": {}, "n": [], "text": "\u053a <b>'s \"a=b\" & \u00e9+", "url": "https://x/y"}, "id": "evt_1"}`,
  ],
  ['an indent of tabs', 'json_tabs', JSON.stringify(event, null, '\t')],
  [
    'Gson',
    'json_gson',
    String.raw`{"id":"evt_1","data":{"n":[],"m":{},"url":"https://x/y","text":"Ժ \u003cb\u003e\u0027s \"a\u003db\" \u0026 é+"}}`,
  ],
  [
    'Go: json.Marshal of a map',
    'json_sorted_html',
    String.raw`{"data":{"m":{},"n":[],"text":"Ժ \u003cb\u003e's \"a=b\" \u0026 é+","url":"https://x/y"},"id":"evt_1"}`,
  ],
  [
    'Jackson: ESCAPE_NON_ASCII',
    'json_ascii_capitals',
    String.raw`{"id":"evt_1","data":{"n":[],"m":{},"url":"https://x/y","text":"\u053A <b>'s \"a=b\" & \u00E9+"}}`,
  ],
  [
    '.NET: JsonSerializer',
    'json_dotnet',
    String.raw`{"id":"evt_1","data":{"n":[],"m":{},"url":"https://x/y","text":"\u053A \u003Cb\u003E\u0027s \u0022a=b\u0022 \u0026 \u00E9\u002B"}}`,
  ],
];

const said = (body: string) => found(body).findings[0]?.says;

describe('explainSignature of JSON that was written again', () => {
  it.each(TEXTS)('knows %s', (_, code, body) => {
    expect(body).not.toBe(BODY);
    expect(codes(found(body))).toEqual([code]);
  });

  it('says what is peculiar about it, and who writes so', () => {
    expect(said(BODY.replace('{}', '[]').replaceAll('/', String.raw`\/`))).toBe(
      'The JSON was parsed and written again with [] in place of {} and \\/ for each slash, as PHP ' +
        'does after json_decode($body, true): sign the raw body, before any JSON parser.',
    );
    expect(said(JSON.stringify(event, null, 2))).toContain('again with an indent of 2: sign');
  });

  it('finds another mistake beside it', () => {
    const [, , body] = TEXTS[1]!;
    expect(codes(found(body, Buffer.alloc(0)))).toEqual(['json_arrays_slashes', 'key_empty']);
  });
});
