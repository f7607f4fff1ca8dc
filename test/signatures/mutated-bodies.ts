/** What becomes of a body that somebody else reads, writes or cuts. */

type Change = readonly [what: string, body: (raw: Buffer) => Buffer];

const text =
  (how: (body: string) => string): Change[1] =>
  (raw) =>
    Buffer.from(how(raw.toString()));

export const BODIES: readonly Change[] = [
  ['cut by a byte', (raw) => raw.subarray(0, -1)],
  ['cut at its beginning', (raw) => raw.subarray(1)],
  ['empty', () => Buffer.alloc(0)],
  ['a byte more', (raw) => Buffer.concat([raw, Buffer.from([0])])],
  ['a line feed more', text((body) => `${body}\n`)],
  ['a line end more', text((body) => `${body}\r\n`)],
  ['a space before it', text((body) => ` ${body}`)],
  ['a mark of the byte order before it', text((body) => `\uFEFF${body}`)],
  ['written anew with spaces', text((body) => JSON.stringify(JSON.parse(body), null, 1))],
  ['written anew in another order', text((body) => reversed(body))],
  ['written anew in ASCII', text((body) => asciiOf(body))],
  ['with another id', text((body) => body.replace('"evt_', '"evt_0'))],
  ['in another normal form', text((body) => body.normalize('NFD'))],
  ['twice', (raw) => Buffer.concat([raw, raw])],
];

/** Every U+FFFD as a byte that is no text, which is read as U+FFFD. */
export const untexted = (raw: Buffer) =>
  Buffer.from(raw.toString('latin1').replaceAll('\xEF\xBF\xBD', '\xFF'), 'latin1');

function reversed(body: string): string {
  return JSON.stringify(
    Object.fromEntries(Object.entries(JSON.parse(body) as object).toReversed()),
  );
}

function asciiOf(body: string): string {
  return body.replaceAll(
    /[^\0-~]/g,
    (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, '0')}`,
  );
}
