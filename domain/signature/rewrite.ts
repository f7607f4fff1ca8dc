/** What frameworks and habits make of a body before it is signed: the same JSON in other bytes. */
import { bytesOf, joined } from './forms.ts';

/** A body that is not the one that was sent, and how it comes about. */
export interface Rewritten {
  readonly code: string;
  readonly body: Uint8Array;
  readonly says: string;
}

interface Spelling {
  /** After a comma and after a colon. */
  readonly item: string;
  readonly key: string;
  /** Spaces for each level; undefined writes everything on one line. */
  readonly indent?: number;
  readonly isSorted?: boolean;
  readonly escapes?: (text: string) => string;
}

const escapeTo = (pattern: RegExp) => (text: string) =>
  text.replaceAll(
    pattern,
    (char) => `\\u${(char.codePointAt(0) ?? 0).toString(16).padStart(4, '0')}`,
  );

/** Without the `u` flag, a character outside the basic plane is two units, as Python has it. */
const asciiOnly = escapeTo(/[\u0080-\uffff]/g);
const safeForHtml = escapeTo(/[<>&\u2028\u2029]/g);
const withSlashes = (text: string): string => text.replaceAll('/', String.raw`\/`);

const COMPACT = { item: ',', key: ':' };
const SPACED = { item: ', ', key: ': ' };

const again = 'The JSON was parsed and written again';
const instead = 'sign the raw body, before any JSON parser';

const SPELLINGS: readonly (readonly [code: string, spelling: Spelling, says: string])[] = [
  ['json_compact', COMPACT, `${again}: ${instead}.`],
  ['json_spaced', SPACED, `${again} with spaces after commas and colons: ${instead}.`],
  [
    'json_spaced_ascii',
    { ...SPACED, escapes: asciiOnly },
    `${again} with spaces and \\u escapes, as Python's json.dumps does: ${instead}.`,
  ],
  [
    'json_ascii',
    { ...COMPACT, escapes: asciiOnly },
    `${again} with \\u escapes in place of other letters: ${instead}.`,
  ],
  [
    'json_slashes',
    { ...COMPACT, escapes: (text) => withSlashes(asciiOnly(text)) },
    `${again} with \\/ and \\u escapes, as PHP's json_encode does: ${instead}.`,
  ],
  [
    'json_slashes_only',
    { ...COMPACT, escapes: withSlashes },
    `${again} with \\/ for each slash: ${instead}.`,
  ],
  [
    'json_html',
    { ...COMPACT, escapes: safeForHtml },
    `${again} with <, > and & escaped, as Go's json.Marshal does: ${instead}.`,
  ],
  ['json_sorted', { ...COMPACT, isSorted: true }, `${again} with its keys sorted: ${instead}.`],
  [
    'json_sorted_html',
    { ...COMPACT, isSorted: true, escapes: safeForHtml },
    `${again} from a map, with sorted keys and escapes for HTML, as Go does: ${instead}.`,
  ],
  [
    'json_sorted_spaced',
    { ...SPACED, isSorted: true, escapes: asciiOnly },
    `${again} with sorted keys, spaces and \\u escapes: ${instead}.`,
  ],
  ['json_indent_2', { ...SPACED, indent: 2 }, `${again} with an indent of 2: ${instead}.`],
  ['json_indent_4', { ...SPACED, indent: 4 }, `${again} with an indent of 4: ${instead}.`],
];

const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Every other text that the body may have become on its way to the HMAC, each one once. */
export function rewritings(body: Uint8Array): Rewritten[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const found = [...byBytes(body, text), ...byJson(text)];
  const known = new Set([binary(body)]);
  return found.filter(({ body: each }) => {
    const name = binary(each);
    return !known.has(name) && known.add(name);
  });
}

function byBytes(body: Uint8Array, text: string): Rewritten[] {
  const rows: [code: string, body: string | Uint8Array, says: string][] = [
    ['newline_added', joined([body, '\n']), 'A line break was added to the end of the body.'],
    ['newline_added', joined([body, '\r\n']), 'A line break was added to the end of the body.'],
    ['newline_removed', text.trimEnd(), 'White space was cut from the end of the body.'],
    ['trimmed', text.trim(), 'White space was cut from both ends of the body.'],
    ['bom_added', joined([BOM, body]), 'A byte order mark was put before the body.'],
    ['bom_removed', text.replace(/^\uFEFF/, ''), 'The byte order mark of the body was cut.'],
    ['line_ends', text.replaceAll('\r\n', '\n'), 'The line ends of the body were changed.'],
    ['line_ends', text.replaceAll(/\r?\n/g, '\r\n'), 'The line ends of the body were changed.'],
    [
      'latin1',
      String.fromCodePoint(...body.subarray(0, LATIN1_MAX_BYTES)),
      'The body was read as Latin-1 and written as UTF-8: keep its bytes as they are.',
    ],
    ['body_object', '[object Object]', 'A parsed object was signed in place of the raw text.'],
    ['body_base64', btoaOf(body), 'The body was encoded in base64 before it was signed.'],
    [
      'body_empty',
      '',
      'The body was empty when it was signed: a parser had read the stream before you did.',
    ],
  ];
  return rows.map(([code, each, says]) => {
    return { code, body: typeof each === 'string' ? bytesOf(each) : each, says };
  });
}

/** The most arguments that a call can be given everywhere; larger bodies are pasted by nobody. */
const LATIN1_MAX_BYTES = 65_536;

const btoaOf = (body: Uint8Array): string => btoa(binary(body));

function binary(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => String.fromCharCode(byte)).join('');
}

function byJson(text: string): Rewritten[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // What is no JSON cannot have been parsed and written again.
    return [];
  }
  const whole = SPELLINGS.map(([code, spelling, says]) => {
    return { code, body: bytesOf(write(value, spelling)), says };
  });
  const data = (value as { data?: { object?: unknown } } | null)?.data;
  const parts = [data, data?.object].filter((part) => part !== undefined);
  const says = 'Only a part of the event was signed: the signature is over the whole raw body.';
  return [
    ...whole,
    ...parts.map((part) => ({ code: 'body_part', body: bytesOf(JSON.stringify(part)), says })),
  ];
}

/** The value as JSON in that spelling. */
function write(value: unknown, spelling: Spelling, level = 1): string {
  const { item, key, isSorted = false, escapes = (text: string) => text } = spelling;
  if (typeof value !== 'object' || value === null) return escapes(JSON.stringify(value));
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (isSorted && !isList) entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = entries.map(([name, each]) => {
    const text = write(each, spelling, level + 1);
    return isList ? text : escapes(JSON.stringify(name)) + key + text;
  });
  const [open, close] = isList ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0 || spelling.indent === undefined) return open + parts.join(item) + close;
  const inner = `\n${' '.repeat(spelling.indent * level)}`;
  const outer = `\n${' '.repeat(spelling.indent * (level - 1))}`;
  return open + inner + parts.join(`,${inner}`) + outer + close;
}
