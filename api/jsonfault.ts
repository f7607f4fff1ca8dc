/** Explains why a text is not JSON: the place, the likely cause, and what to do. */

/** A cause, and what to do about it. Neither repeats any of the text, which may be secret. */
type Cause = readonly [cause: string, remedy: string];

const QUOTE: Cause = ['a quote is not a double quote', 'Use straight double quotes (").'];
const COMMENT: Cause = ['a comment begins', 'Remove it, because JSON has no comments.'];
const TRAILING_COMMA: Cause = ['a comma precedes a closing bracket', 'Remove the comma.'];
const UNQUOTED_NAME: Cause = ['a name has no quotes', 'Put names in double quotes.'];
const UNQUOTED_TEXT: Cause = ['a text has no quotes', 'Put texts in double quotes.'];
const NUMBER: Cause = ['a number is not JSON', 'Write it in digits, without "+" or leading zeros.'];
const WORD: Cause = ['a word is not JSON', 'Write true, false or null, in lower case.'];
const NO_VALUE: Cause = ['a value is missing', 'Add it, or remove the name.'];
const NO_NAME: Cause = ['a name is expected', 'Put a name in double quotes there.'];
const NO_COLON: Cause = ['a colon is missing', 'Put a colon between name and value.'];
const NO_COMMA: Cause = [
  'a comma or a quote is missing',
  'Separate members by commas, and write " in a text as \\".',
];
const EXTRA_COMMA: Cause = ['there is a comma too many', 'Remove it.'];
const BRACKET: Cause = ['a closing bracket does not fit', 'Close { with } and [ with ].'];
const OPEN_TEXT: Cause = ['a text has no closing quote', 'Add a double quote at its end.'];
const ESCAPE: Cause = ['a backslash escapes nothing', 'Write a backslash as \\\\.'];
const CONTROL: Cause = ['a text has a tab or control character', 'Write it as an escape like \\t.'];
const TOO_SHORT: Cause = ['it ends too early', 'Close every bracket and quote.'];
const TOO_LONG: Cause = ['something follows the end', 'Send one JSON object only.'];
const SPACE: Cause = ['there is a space that JSON does not allow', 'Replace it by a plain space.'];
const MARK: Cause = ['there is a byte order mark', 'Remove it.'];
const FORM: Cause = ['it is form data', 'Send a JSON object.'];
const NUL: Cause = ['there is a NUL character', 'Send the body in UTF-8, not in UTF-16.'];
const OTHER: Cause = ['a character is not JSON', 'Check the text before it.'];

/** What may come next. After a first bracket, its closing one may come too. */
type Expected = 'value' | 'first value' | 'name' | 'first name' | 'colon' | 'comma';

interface Token {
  /** A bracket, a comma, a colon, `text`, `scalar`, or empty for anything else. */
  readonly kind: string;
  /** The index after it. */
  readonly end: number;
}

/** A place in the text, and what was read before it. */
interface Place {
  readonly text: string;
  readonly at: number;
  readonly expected: Expected;
  /** The brackets that are not closed yet. */
  readonly open: readonly string[];
  /** The index of the token before. */
  readonly last: number;
}

interface Fault {
  readonly at: number;
  readonly cause: Cause;
}

/** A text without its closing quote. */
const TEXT = /"[ !#-[\]-\uffff]*(?:\\(?:["\\/bfnrt]|u[\da-fA-F]{4})[ !#-[\]-\uffff]*)*/y;
const SCALAR = /(?:-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null)(?![\w.+-])/y;
const BLANK = /[ \t\r\n]*/y;
const WORDS = /^(?:true|false|null|none|nil|undefined|nan|infinity)\b/i;
const FORM_DATA = /^[\w.[\]]+=/;
const OPENING: Readonly<Record<string, string>> = { '}': '{', ']': '[' };

/** The tokens that are read at most. Larger texts than any valid body get no explanation. */
const MAX_TOKENS = 1_000;

/** Returns the message that refuses a text which is not JSON. Never repeats any of the text. */
export function explainJson(text: string): string {
  if (text.trim() === '') return 'The request body is empty. Send a JSON object.';
  const fault = findFault(text);
  if (!fault) return 'The request body is not valid JSON.';
  const lines = text.slice(0, fault.at).split(/\r\n|\r|\n/);
  const column = Array.from(lines.at(-1) ?? '').length + 1;
  const [cause, remedy] = fault.cause;
  const place = `line ${lines.length}, column ${column}`;
  return `The request body is not valid JSON at ${place}: ${cause}. ${remedy}`;
}

/** Returns the first fault, if any. A loop, not recursion, because deep nesting is an attack. */
function findFault(text: string): Fault | undefined {
  const open: string[] = [];
  let expected: Expected = 'value';
  let last = 0;
  let count = 0;
  for (let at = endOf(BLANK, text, 0); at < text.length; at = endOf(BLANK, text, at)) {
    count += 1;
    if (count > MAX_TOKENS) return undefined;
    const { kind, end } = tokenAt(text, at);
    const then = follow(open, expected, kind);
    if (then === undefined) return faultAt(kind, { text, at, expected, open, last });
    if (kind === 'text' && text[end - 1] !== '"') return faultOfText(text, at, end - 1);
    [last, at, expected] = [at, end, then];
  }
  const isWhole = expected === 'comma' && open.length === 0;
  return isWhole ? undefined : { at: text.length, cause: TOO_SHORT };
}

/** Returns the index after the match of a sticky pattern at that index; the index without one. */
function endOf(pattern: RegExp, text: string, at: number): number {
  pattern.lastIndex = at;
  return at + (pattern.exec(text)?.[0].length ?? 0);
}

/** Returns the token at that index. A text ends after its quote, or after what cannot be in it. */
function tokenAt(text: string, at: number): Token {
  const char = text[at] ?? '';
  if (char === '"') return { kind: 'text', end: endOf(TEXT, text, at) + 1 };
  if ('{}[],:'.includes(char)) return { kind: char, end: at + 1 };
  const end = endOf(SCALAR, text, at);
  return { kind: end > at ? 'scalar' : '', end };
}

/** Returns what may come after the token, or undefined if it may not come. Updates `open`. */
function follow(open: string[], expected: Expected, kind: string): Expected | undefined {
  const takesValue = expected.endsWith('value');
  switch (kind) {
    case '{':
    case '[':
      if (!takesValue) return undefined;
      open.push(kind);
      return kind === '{' ? 'first name' : 'first value';
    case '}':
    case ']':
      if (expected !== 'comma' && !expected.startsWith('first')) return undefined;
      return open.pop() === OPENING[kind] ? 'comma' : undefined;
    case ',':
      if (expected !== 'comma' || open.length === 0) return undefined;
      return open.at(-1) === '{' ? 'name' : 'value';
    case ':':
      return expected === 'colon' ? 'value' : undefined;
    case 'text':
      if (expected.endsWith('name')) return 'colon';
      return takesValue ? 'comma' : undefined;
    default:
      return kind === 'scalar' && takesValue ? 'comma' : undefined;
  }
}

/** Returns the fault of a text that stops at `end` without a quote. */
function faultOfText(text: string, at: number, end: number): Fault {
  const char = text[end];
  if (char === '\\') return { at: end, cause: ESCAPE };
  const isLine = char === undefined || char === '\n' || char === '\r';
  return isLine ? { at, cause: OPEN_TEXT } : { at: end, cause: CONTROL };
}

/** Returns the fault of a token that may not come there. */
function faultAt(kind: string, place: Place): Fault {
  const { text, at, expected, open, last } = place;
  const char = text[at] ?? '';
  const isClosing = kind === '}' || kind === ']';
  if (isClosing && text[last] === ',') return { at: last, cause: TRAILING_COMMA };
  if (at === 0 && FORM_DATA.test(text)) return { at, cause: FORM };
  const known = BY_CHARACTER.find(([pattern]) => pattern.test(char));
  if (known) return { at, cause: known[1] };
  if (expected === 'comma' && open.length === 0 && !isClosing) return { at, cause: TOO_LONG };
  if ((isClosing || kind === ',') && text[last] === ':') return { at, cause: NO_VALUE };
  if (expected === 'colon') return { at, cause: NO_COLON };
  if (isClosing) return { at, cause: BRACKET };
  if (kind === ',') return { at, cause: EXTRA_COMMA };
  if (expected === 'comma') return { at, cause: NO_COMMA };
  return { at, cause: expected.endsWith('name') ? causeOfName(char) : causeOfValue(text, at) };
}

/** The causes of characters that JSON has only within texts. */
const BY_CHARACTER: readonly (readonly [RegExp, Cause])[] = [
  [/['`\u2018-\u201f\u00ab\u00bb]/, QUOTE],
  [/[/#]/, COMMENT],
  [/\0/, NUL],
  [/\ufeff/, MARK],
  [/\s/, SPACE],
];

const causeOfName = (char: string): Cause => (/[\p{L}_$]/u.test(char) ? UNQUOTED_NAME : NO_NAME);

function causeOfValue(text: string, at: number): Cause {
  if (WORDS.test(text.slice(at, at + 10))) return WORD;
  if (/[-+.\d]/.test(text[at] ?? '')) return NUMBER;
  return /[\p{L}_$]/u.test(text[at] ?? '') ? UNQUOTED_TEXT : OTHER;
}
