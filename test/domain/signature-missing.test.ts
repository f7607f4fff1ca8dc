import { describe, expect, it } from 'vitest';
import { BODY, ID, TIMESTAMP, codes, explain, hex, service, standard } from './computed.ts';

describe('explainSignature of a message without its time', () => {
  it.each<[string, string]>([
    ["PHP's $_SERVER[...] ?? ''", `.${BODY}`],
    ['a header in the wrong case in Node', `${({} as Record<string, string>)['X']}.${BODY}`],
    ['null', `null.${BODY}`],
    ["Python's None", `None.${BODY}`],
    ["Ruby's nil", `nil.${BODY}`],
    ['a number of nothing', `${Number(undefined)}.${BODY}`],
    ['zero', `0.${BODY}`],
  ])('finds %s', (_, message) => {
    const own = explain({ computed: [service({ message })] });
    expect(own.findings[0]).toMatchObject({
      code: 'timestamp_missing',
      kind: 'mistake',
      about: 'service-signature',
    });
    expect(own.findings).toHaveLength(1);
    const { findings } = explain({ computed: [standard({ message: `${ID}.${message}` })] });
    expect(findings).toMatchObject([
      { code: 'timestamp_missing', kind: 'mistake', about: 'webhook-signature' },
    ]);
  });

  it('says what stood in its place', () => {
    const { findings } = explain({ computed: [service({ message: `undefined.${BODY}` })] });
    expect(findings[0]?.says).toMatch(/^The timestamp was missing: undefined stood in its place/);
  });
});

describe('explainSignature of a message without its id', () => {
  it.each(['', 'undefined', 'null', 'None', 'nil'])('finds "%s" in its place', (word) => {
    const message = `${word}.${TIMESTAMP}.${BODY}`;
    const { findings } = explain({ computed: [standard({ message })] });
    expect(findings).toMatchObject([{ code: 'id_missing', about: 'webhook-signature' }]);
  });

  it('finds that the time is missing too', () => {
    const computed = [standard({ message: `undefined.undefined.${BODY}` })];
    expect(codes(explain({ computed }))).toEqual(['id_missing', 'timestamp_missing']);
  });
});

/** As `str(bytes)` of Python has them: BODY has letters of two and four bytes, and no apostrophe. */
const printed = (body: string): string => {
  const chars = Array.from(Buffer.from(body), (byte) =>
    byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`,
  );
  return `b'${chars.join('')}'`;
};

describe('explainSignature of something else than the body', () => {
  const bytes = new Uint8Array(Buffer.from(BODY));

  it.each<[string, string, string]>([
    ['nothing', '', 'body_empty'],
    ['what a parser has of nothing', JSON.stringify({}), 'body_empty'],
    ['a raw body that is not kept', `${({} as Record<string, string>)['rawBody']}`, 'body_missing'],
    ['null', 'null', 'body_missing'],
    ["Python's None", 'None', 'body_missing'],
    ["Python's bytes", printed(BODY), 'body_bytes'],
    ['a string that was written as JSON', JSON.stringify(BODY), 'body_string'],
    ['a Buffer that was written as JSON', JSON.stringify(Buffer.from(BODY)), 'body_buffer'],
    ['bytes in a template', bytes.toString(), 'body_buffer'],
    ['an object in a template', '[object Object]', 'body_object'],
    ['a promise in a template', '[object Promise]', 'body_object'],
    ["PHP's array in a text", 'Array', 'body_object'],
  ])('finds %s', (_, body, code) => {
    const own = explain({ computed: [service({ message: `${TIMESTAMP}.${body}` })] });
    expect(own.findings).toMatchObject([{ code, kind: 'mistake', about: 'service-signature' }]);
    const inHex = standard({ message: `${ID}.${TIMESTAMP}.${body}`, write: hex });
    expect(codes(explain({ computed: [inHex] }))).toEqual([code, 'encoding'].toSorted());
  });

  it("finds Python's way of printing bytes and dictionaries, with its quotation marks", () => {
    const body = String.raw`{"id":"evt_1","a":[true,null,1],"b":{},"c":"it's","d":"\\ \"q\"\n"}`;
    for (const [message, code] of [
      [
        String.raw`b'{"id":"evt_1","a":[true,null,1],"b":{},"c":"it\'s","d":"\\\\ \\"q\\"\\n"}'`,
        'body_bytes',
      ],
      [
        String.raw`{'id': 'evt_1', 'a': [True, None, 1], 'b': {}, 'c': "it's", 'd': '\\ "q"\n'}`,
        'body_object',
      ],
    ] as const) {
      const computed = [service({ message: `${TIMESTAMP}.${message}` })];
      expect(codes(explain({ id: 'evt_1', body, computed }))).toEqual([code]);
    }
  });
});
