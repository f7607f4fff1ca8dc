/** The same JSON in the spellings of other languages and libraries. */

/** The value once more, and how it came to be written so. */
export interface Spelled {
  readonly code: string;
  readonly text: string;
  readonly says: string;
  /** In how many ways it differs from the plainest spelling. */
  readonly features: number;
}

/** A habit of writers; an empty code is none. */
interface Habit {
  readonly code: string;
  /** Goes on from "with". */
  readonly says: string;
  /** Who has it. */
  readonly like?: string;
}

interface Layout extends Habit {
  /** After a comma and after a colon. */
  readonly item: string;
  readonly key: string;
  /** For each level; left out, everything stands on one line. */
  readonly indent?: string;
}

interface Escapes extends Habit {
  readonly of: (text: string) => string;
}

const LAYOUTS: readonly Layout[] = [
  { code: '', says: '', item: ',', key: ':' },
  {
    code: 'spaced',
    says: 'spaces after commas and colons',
    like: "as Python's json.dumps does",
    item: ', ',
    key: ': ',
  },
  { code: 'indent_2', says: 'an indent of 2', item: ',', key: ': ', indent: '  ' },
  { code: 'indent_4', says: 'an indent of 4', item: ',', key: ': ', indent: '    ' },
  { code: 'tabs', says: 'an indent of tabs', item: ',', key: ': ', indent: '\t' },
];

const hexOf = (char: string): string => char.charCodeAt(0).toString(16).padStart(4, '0');
/** Without the `u` flag, a character outside the basic plane is two units, as Python has it. */
const escapeTo = (pattern: RegExp) => (text: string) =>
  text.replaceAll(pattern, (char) => `\\u${hexOf(char)}`);
const escapeToCapitals = (pattern: RegExp) => (text: string) =>
  text.replaceAll(pattern, (char) => `\\u${hexOf(char).toUpperCase()}`);

export const asciiOnly = escapeTo(/[\u0080-\uffff]/g);
const slashesOnly = (text: string): string => text.replaceAll('/', String.raw`\/`);
export const asciiAndSlashes = (text: string): string => slashesOnly(asciiOnly(text));
const quotes = (text: string): string =>
  text.replaceAll(/\\./g, (pair) => (pair === String.raw`\"` ? String.raw`\u0022` : pair));
const dotnet = escapeToCapitals(/[<>&'+`\u007f-\uffff]/g);

/** Those letters stand in strings alone, but for the plus of a power of ten, which no event has. */
const ESCAPES: readonly Escapes[] = [
  { code: '', says: '', of: (text) => text },
  { code: 'ascii', says: String.raw`\u escapes in place of other letters`, of: asciiOnly },
  {
    code: 'slashes_only',
    says: String.raw`\/ for each slash`,
    like: "as PHP's json_encode does",
    of: slashesOnly,
  },
  {
    code: 'slashes',
    says: String.raw`\/ and \u escapes`,
    like: "as PHP's json_encode does",
    of: asciiAndSlashes,
  },
  {
    code: 'html',
    says: '<, > and & escaped',
    like: "as Go's json.Marshal does",
    of: escapeTo(/[<>&\u2028\u2029]/g),
  },
  {
    code: 'gson',
    says: "<, >, &, = and ' escaped",
    like: 'as Gson does',
    of: escapeTo(/[<>&='\u2028\u2029]/g),
  },
  {
    code: 'ascii_capitals',
    says: String.raw`\u escapes in capital letters`,
    of: escapeToCapitals(/[\u0080-\uffff]/g),
  },
  {
    code: 'dotnet',
    says: 'escapes in capital letters, also of quotation marks, <, > and &',
    like: 'as System.Text.Json of .NET does',
    of: (text) => dotnet(quotes(text)),
  },
];

const NONE: Habit = { code: '', says: '' };
const SORTED: Habit = { code: 'sorted', says: 'its keys sorted' };
const ARRAYS: Habit = {
  code: 'arrays',
  says: '[] in place of {}',
  like: 'as PHP does after json_decode($body, true)',
};

/** Every spelling once, the plainer ones first; of large values only those of at most `max`. */
export function spellings(value: unknown, max = Number.POSITIVE_INFINITY): Spelled[] {
  const kinds = [NONE, ARRAYS].flatMap((empty) =>
    [NONE, SORTED].flatMap((order) => LAYOUTS.map((layout) => ({ empty, order, layout }))),
  );
  const found = kinds.flatMap(({ empty, order, layout }) => {
    const written = { ...layout, isSorted: order === SORTED, hasArrays: empty === ARRAYS };
    const plain = featuresOf([empty, order, layout]) > max ? '' : write(value, written);
    return ESCAPES.flatMap((escapes) => {
      const habits = [empty, order, layout, escapes];
      if (featuresOf(habits) > max) return [];
      return [spelled(escapes.of(plain), habits)];
    });
  });
  const seen = new Set<string>();
  return found
    .toSorted((a, b) => a.features - b.features)
    .filter(({ text }) => !seen.has(text) && seen.add(text));
}

const featuresOf = (habits: readonly Habit[]): number =>
  habits.filter(({ code }) => code !== '').length;

function spelled(text: string, habits: readonly Habit[]): Spelled {
  const own = habits.filter(({ code }) => code !== '');
  const code = ['json', ...own.map((habit) => habit.code)].join('_');
  const [last, ...others] = own.map(({ says }) => says).toReversed();
  const all = others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`;
  const like = own.find((habit) => habit.like !== undefined)?.like;
  const how = (all === undefined ? '' : ` with ${all}`) + (like === undefined ? '' : `, ${like}`);
  const says = `The JSON was parsed and written again${how}: sign the raw body, before any JSON parser.`;
  return { code: own.length === 0 ? 'json_compact' : code, text, says, features: own.length };
}

interface Writing extends Layout {
  readonly isSorted: boolean;
  /** Whether an empty object becomes an empty list. */
  readonly hasArrays: boolean;
}

/** The value as JSON in that layout. */
function write(value: unknown, writing: Writing, level = 1): string {
  if (typeof value !== 'object' || value === null) return JSON.stringify(value);
  const { item, key, indent, isSorted, hasArrays } = writing;
  const isList = Array.isArray(value);
  const entries = Object.entries(value);
  if (isSorted && !isList) entries.sort(([a], [b]) => (a < b ? -1 : 1));
  const parts = entries.map(([name, each]) => {
    const text = write(each, writing, level + 1);
    return isList ? text : JSON.stringify(name) + key + text;
  });
  const [open, close] = isList || (hasArrays && parts.length === 0) ? ['[', ']'] : ['{', '}'];
  if (parts.length === 0 || indent === undefined) return open + parts.join(item) + close;
  const inner = `\n${indent.repeat(level)}`;
  return open + inner + parts.join(`,${inner}`) + `\n${indent.repeat(level - 1)}${close}`;
}
