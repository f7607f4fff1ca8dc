/** Explains why a text is not JSON: the place, the likely cause, and what to do. */
import { printParseErrorCode, visit } from 'jsonc-parser';
import type { JSONVisitor } from 'jsonc-parser';

const QUOTES = 'Use straight double quotes (").';
const CLOSE = 'Close every bracket and quote.';
const NUMBER = 'Write numbers in digits, without "+" or leading zeros.';
const SEPARATE = 'Separate members by commas, and write " in a text as \\".';

/** A cause and a remedy by the parser's code. Neither repeats any of the text: it may be secret. */
const CAUSES: Readonly<Record<string, readonly [cause: string, remedy: string]>> = {
  InvalidSymbol: ['a name, text or word is not JSON', 'Put names and texts in double quotes.'],
  InvalidNumberFormat: ['a number is not JSON', NUMBER],
  UnexpectedEndOfNumber: ['a number is not JSON', NUMBER],
  PropertyNameExpected: ['a name is expected', 'Put a name in double quotes there.'],
  ValueExpected: ['a value is missing', 'Add it, or remove the name.'],
  ColonExpected: ['a colon is missing', 'Put a colon between name and value.'],
  CommaExpected: ['a comma or a quote is missing', SEPARATE],
  CloseBraceExpected: ['it ends too early', CLOSE],
  CloseBracketExpected: ['it ends too early', CLOSE],
  EndOfFileExpected: ['something follows the end', 'Send one JSON object only.'],
  InvalidCommentToken: ['a comment begins', 'Remove it, because JSON has no comments.'],
  UnexpectedEndOfComment: ['a comment begins', 'Remove it, because JSON has no comments.'],
  UnexpectedEndOfString: ['a text has no closing quote', 'Add a double quote at its end.'],
  InvalidUnicode: ['an escape is not JSON', 'Write \\u and four hexadecimal digits.'],
  InvalidEscapeCharacter: ['a backslash escapes nothing', 'Write a backslash as \\\\.'],
  InvalidCharacter: ['a text has a control character', 'Write it as an escape like \\t.'],
};

const FORM_DATA = /^[\w.[\]]+=/;
const WRONG_QUOTE = /['`\u2018-\u201f\u00ab\u00bb]/;

/** Returns the message that refuses a text which is not JSON. Never repeats any of the text. */
export function explainJson(text: string): string {
  if (text.trim() === '') return 'The request body is empty. Send a JSON object.';
  const fault = findFault(text);
  if (!fault) return 'The request body is not valid JSON.';
  const { code, at, line, column } = fault;
  const [cause, remedy] = special(text, at) ?? CAUSES[code] ?? ['a character is not JSON', CLOSE];
  return `The request body is not valid JSON at line ${line}, column ${column}: ${cause}. ${remedy}`;
}

/** Returns the first fault, or undefined if the text is nested too deep for the parser. */
function findFault(text: string) {
  const faults: { code: string; at: number; line: number; column: number }[] = [];
  const onError: JSONVisitor['onError'] = (error, at, _length, line, column) => {
    const code = printParseErrorCode(error);
    if (faults.length === 0) faults.push({ code, at, line: line + 1, column: column + 1 });
  };
  try {
    visit(text, { onError }, { disallowComments: true });
  } catch (error) {
    // The parser recurses, and brackets may be nested thousands of levels deep.
    if (!(error instanceof RangeError)) throw error;
  }
  return faults[0];
}

/** Returns the cause and the remedy of three mistakes that the parser does not tell apart. */
function special(text: string, at: number): readonly [string, string] | undefined {
  const char = text[at] ?? '';
  if (WRONG_QUOTE.test(char)) return ['a quote is not a double quote', QUOTES];
  if (at === 0 && FORM_DATA.test(text)) return ['it is form data', 'Send a JSON object.'];
  const isExtra = /[}\]]/.test(char) && text.slice(0, at).trimEnd().endsWith(',');
  return isExtra ? ['a comma precedes a closing bracket', 'Remove the comma.'] : undefined;
}
