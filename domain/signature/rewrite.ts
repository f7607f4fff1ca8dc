/** What frameworks and habits make of a body before it is signed: other bytes than were sent. */
import { bytesOf, joined, toBase64 } from './forms.ts';
import { printedBytes, printedValue } from './python.ts';
import { asciiAndSlashes, asciiOnly, spellings } from './spell.ts';

/** A body that is not the one that was sent, and how it comes about. */
export interface Rewritten {
  readonly code: string;
  readonly body: Uint8Array;
  readonly says: string;
  /** Of this one and what it is tried with. */
  readonly maxMistakes?: number | undefined;
}

type Row = readonly [code: string, body: string | Uint8Array, says: string];

/** The most arguments that a call can be given everywhere; larger bodies are pasted by nobody. */
const LATIN1_MAX_BYTES = 65_536;
/** A larger body is spelled with one peculiarity at a time: each spelling is held in memory. */
const SPELLED_MAX_BYTES = 65_536;
/** There are some hundred spellings with several peculiarities: little else is tried with them. */
const MAX_MISTAKES_WITH_PECULIARITIES = 2;

const BOM = Uint8Array.of(0xef, 0xbb, 0xbf);

/** Every other text that the body may have become on its way to the HMAC, each one once. */
export function rewritings(body: Uint8Array): Rewritten[] {
  const text = new TextDecoder('utf-8', { ignoreBOM: true }).decode(body);
  const rows = [...byBytes(body, text), ...missing(), ...handedOver(body, text)].map(toRewritten);
  const found = [...rows, ...byJson(text)];
  const known = new Set([nameOf(body)]);
  return found.filter(({ body: each }) => {
    const name = nameOf(each);
    return !known.has(name) && known.add(name);
  });
}

/** Each of the 256 bytes is another character there, so that the text stands for the bytes. */
const nameOf = (bytes: Uint8Array): string => new TextDecoder('latin1').decode(bytes);

function toRewritten([code, body, says]: Row): Rewritten {
  return { code, body: typeof body === 'string' ? bytesOf(body) : body, says };
}

function byBytes(body: Uint8Array, text: string): Row[] {
  return [
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
    ['body_base64', toBase64(body), 'The body was encoded in base64 before it was signed.'],
  ];
}

/** The body was not there, or was not there any more. */
function missing(): Row[] {
  const read = 'a parser had read the stream before you did';
  return [
    ['body_empty', '', `The body was empty when it was signed: ${read}.`],
    ['body_empty', '{}', `An empty object was signed in place of the body: ${read}, or none did.`],
    ...['undefined', 'null', 'None', 'nil'].map((word): Row => [
      'body_missing',
      word,
      `The body was missing when it was signed: ${word} stood in its place. Have the framework ` +
        'keep the raw body.',
    ]),
  ];
}

/** What a thing becomes in a text that is not a text itself. */
const OBJECTS: readonly (readonly [text: string, what: string])[] = [
  ['[object Object]', 'A parsed object'],
  ['Array', 'A parsed array'],
  ['[object Promise]', 'A promise that was not awaited'],
  ['[object ArrayBuffer]', 'An ArrayBuffer'],
  ['[object ReadableStream]', 'A stream that was not read'],
];

function handedOver(body: Uint8Array, text: string): Row[] {
  const raw = 'in place of the raw text';
  const string = 'The raw text was written as a string of JSON: sign it as it is, unquoted.';
  const buffer = 'The bytes of the body were listed as numbers: sign the bytes as they are.';
  const quoted = JSON.stringify(text);
  const binary = Array.from(body, (byte) => String.fromCharCode(byte)).join('');
  return [
    ...OBJECTS.map(([each, what]): Row => ['body_object', each, `${what} was signed ${raw}.`]),
    ['body_string', quoted, string],
    ['body_string', asciiOnly(quoted), string],
    ['body_string', asciiAndSlashes(quoted), string],
    ['body_buffer', JSON.stringify({ type: 'Buffer', data: Array.from(body) }), buffer],
    ['body_buffer', body.join(','), buffer],
    [
      'body_bytes',
      printedBytes(binary),
      "The bytes were signed as Python prints them, b'...': decode them, or join bytes.",
    ],
  ];
}

function byJson(text: string): Rewritten[] {
  let value: unknown;
  try {
    value = JSON.parse(text.replace(/^\uFEFF/, ''));
  } catch {
    // What is no JSON cannot have been parsed and written again.
    return [];
  }
  const peculiarities = text.length > SPELLED_MAX_BYTES ? 1 : undefined;
  const whole = spellings(value, peculiarities).map(({ code, text: each, says, features }) => {
    const maxMistakes = features > 1 ? MAX_MISTAKES_WITH_PECULIARITIES : undefined;
    return { code, body: bytesOf(each), says, maxMistakes };
  });
  const data = (value as { data?: { object?: unknown } } | null)?.data;
  const parts = [data, data?.object].filter((part) => part !== undefined);
  const says = 'Only a part of the event was signed: the signature is over the whole raw body.';
  const printed = 'A parsed object was signed as Python prints it, in place of the raw text.';
  return [
    ...whole,
    ...parts.map((part) => toRewritten(['body_part', JSON.stringify(part), says])),
    toRewritten(['body_object', printedValue(value), printed]),
  ];
}
