/** Compares bodies: other spellings of the same JSON, and where two bodies differ. */

/**
 * Returns plain spellings of the same JSON. A language may have another one. That is found with
 * the exact body that was signed, and `firstDifference`.
 */
export function rewritings(body: string): { code: string; how: string; body: string }[] {
  let value: unknown;
  try {
    value = JSON.parse(body);
  } catch {
    return [];
  }
  // A text in JSON has no line break, so all of these are between its parts.
  const lines = JSON.stringify(value, undefined, 1);
  const spaced = lines.replaceAll(/,\n\s*/g, ', ').replaceAll(/\n\s*/g, '');
  const again = ', but the same JSON written again';
  const all = [
    { code: 'json_compact', how: `${again} without spaces`, body: JSON.stringify(value) },
    { code: 'json_spaced', how: `${again} with spaces after commas and colons`, body: spaced },
    {
      code: 'json_indent_2',
      how: `${again} with an indent of 2`,
      body: JSON.stringify(value, undefined, 2),
    },
  ];
  return all.filter((each) => each.body !== body);
}

/** Enough bytes to find the place. */
const SHOWN_BYTES = 12;

/** Returns a sentence about the first byte that differs. Bytes are counted from 0. */
export function firstDifference(sent: string, signed: string): string {
  const [a, b] = [Buffer.from(sent), Buffer.from(signed)];
  let at = 0;
  while (at < a.length && a[at] === b[at]) at += 1;
  const show = (bytes: Buffer): string =>
    at < bytes.length ? JSON.stringify(bytes.toString('utf8', at, at + SHOWN_BYTES)) : 'its end';
  return `The first difference is at byte ${at}: ${show(a)} in the body, ${show(b)} in what was signed.`;
}
