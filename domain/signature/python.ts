/** How Python prints what was put into a text without having been read or written as text. */

const SHORT: Readonly<Record<string, string>> = { '\t': '\\t', '\n': '\\n', '\r': '\\r' };

const byte = (char: string): string => `\\x${char.charCodeAt(0).toString(16).padStart(2, '0')}`;

/** The other quotation marks are taken only where that saves a backslash. */
function quoted(text: string, strange: RegExp): string {
  const quote = text.includes("'") && !text.includes('"') ? '"' : "'";
  const inner = text
    .replaceAll('\\', String.raw`\\`)
    .replaceAll(quote, `\\${quote}`)
    .replaceAll(strange, (char) => SHORT[char] ?? byte(char));
  return quote + inner + quote;
}

/** `b'...'`, for bytes that are handed over as one character each. */
export function printedBytes(binary: string): string {
  // oxlint-disable-next-line no-control-regex -- Python does not print them as they are.
  return `b${quoted(binary, /[\u0000-\u001f\u007f-\u00ff]/g)}`;
}

/** A value that was read from JSON: `{'id': 'evt_1', 'livemode': False}`. */
export function printedValue(value: unknown): string {
  // oxlint-disable-next-line no-control-regex -- Python does not print them as they are.
  if (typeof value === 'string') return quoted(value, /[\u0000-\u001f\u007f-\u00a0\u00ad]/g);
  if (value === null) return 'None';
  if (typeof value === 'boolean') return value ? 'True' : 'False';
  if (Array.isArray(value)) return `[${value.map(printedValue).join(', ')}]`;
  if (typeof value !== 'object') return JSON.stringify(value);
  const pairs = Object.entries(value).map(
    ([key, each]) => `${printedValue(key)}: ${printedValue(each)}`,
  );
  return `{${pairs.join(', ')}}`;
}
