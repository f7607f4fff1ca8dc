/** Changes to a body, as a proxy, a framework or an attacker makes them. */

type Change = readonly [name: string, body: (raw: Buffer) => Buffer];

const text =
  (how: (body: string) => string): Change[1] =>
  (raw) =>
    Buffer.from(how(raw.toString()));

export const BODIES: readonly Change[] = [
  ['without its last byte', (raw) => raw.subarray(0, -1)],
  ['without its first byte', (raw) => raw.subarray(1)],
  ['empty', () => Buffer.alloc(0)],
  ['with a zero byte added', (raw) => Buffer.concat([raw, Buffer.from([0])])],
  ['with a line feed added', text((body) => `${body}\n`)],
  ['with CRLF added', text((body) => `${body}\r\n`)],
  ['after a space', text((body) => ` ${body}`)],
  ['after a byte order mark', text((body) => `\uFEFF${body}`)],
  ['serialized with spaces', text((body) => JSON.stringify(JSON.parse(body), null, 1))],
  ['serialized in another order', text((body) => reversed(body))],
  ['serialized as ASCII', text((body) => inAscii(body))],
  ['with another id', text((body) => body.replace('"evt_', '"evt_0'))],
  ['in Unicode form NFD', text((body) => body.normalize('NFD'))],
  ['twice', (raw) => Buffer.concat([raw, raw])],
];

/** Replaces every U+FFFD by an invalid byte, which a decoder reads as U+FFFD. */
export const withInvalidUtf8 = (raw: Buffer) =>
  Buffer.from(raw.toString('latin1').replaceAll('\xEF\xBF\xBD', '\xFF'), 'latin1');

function reversed(body: string): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(body) as object).toReversed()),
  );
}

function inAscii(body: string): string {
  return body.replaceAll(
    /[^\0-~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
