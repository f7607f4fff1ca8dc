/**
 * Searches merchants' texts for numbers that a card network may have issued. Card numbers must not
 * reach us: only the bank's page takes them.
 */

interface Network {
  readonly prefix: RegExp;
  readonly lengths: readonly number[];
}

const LONG = [16, 17, 18, 19];

/** The numbers that card networks issue, by first digits and length. */
const NETWORKS: readonly Network[] = [
  { prefix: /^4/, lengths: [13, 16, 19] },
  { prefix: /^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)/, lengths: [16] },
  { prefix: /^3[47]/, lengths: [15] },
  { prefix: /^(?:30[0-5]|3[689])/, lengths: [14, ...LONG] },
  { prefix: /^35(?:2[89]|[3-8])/, lengths: LONG },
  { prefix: /^(?:6011|64[4-9]|65)/, lengths: LONG },
  { prefix: /^62/, lengths: LONG },
  { prefix: /^220[0-4]/, lengths: LONG },
  { prefix: /^(?:50|5[6-8]|6[037])/, lengths: [13, 14, 15, ...LONG] },
  { prefix: /^9051/, lengths: [16] },
];

/** The shortest number of any network. */
const MIN_DIGITS = 13;
/** The number of digits that the longest `prefix` matches. */
const PREFIX_DIGITS = 4;

/** Digits in groups of any size, with at most two spaces, dots or hyphens between the groups. */
const CLOSE_RUNS = /\d+(?:[\s.-]{1,2}\d+)*/g;
/** Groups outside words, with one to three characters between them, neither letters nor digits. */
const LOOSE_RUNS = /(?<![\p{L}\p{N}])\d+(?:[^\p{L}\p{N}]{1,3}\d+)*(?![\p{L}\p{N}])/gu;
/** The sizes of the groups in which people write card numbers. */
const WRITTEN = /^(?:4(?:-4)*-[1-5]|4-6-[45]|4-3-3-3|6-13)$/;
/** The most groups of such a number: 4-4-4-4-3. */
const MAX_WRITTEN_GROUPS = 5;

/** Returns true if the text contains a possible card number, by network prefix, length and Luhn. */
export function containsCardNumber(text: string): boolean {
  return readingsOf(text).some((plain) => {
    const close = new Set(plain.match(CLOSE_RUNS));
    if (hasCard(close, () => true)) return true;
    const loose = plain.match(LOOSE_RUNS) ?? [];
    return hasCard(
      loose.filter((run) => !close.has(run)),
      isWritten,
    );
  });
}

/**
 * Returns true if the text contains a card number in groups, as people write it. Use this for
 * references that merchants choose: there plain digits prove nothing, because one in ten long
 * numbers passes Luhn.
 */
export function containsWrittenCardNumber(text: string): boolean {
  return readingsOf(text).some((plain) => hasCard(plain.match(LOOSE_RUNS) ?? [], isWritten));
}

const ESCAPES = /(?:%[\da-f]{2})+/gi;

/** Returns the text. If it has escapes as in URLs, returns the decoded text too. */
function readingsOf(text: string): string[] {
  const decoded = text.replaceAll(ESCAPES, decode);
  return (decoded === text ? [text] : [text, decoded]).map(normalize);
}

function decode(escapes: string): string {
  try {
    return decodeURIComponent(escapes);
  } catch {
    return escapes; // The bytes are not UTF-8.
  }
}

const ASCII = /^[\0-\x7f]*$/;
/** Joiners, marks and other characters that do not separate their neighbours. */
const UNSEEN = /[\p{Cf}\p{M}]/gu;
const OTHER_NUMBERS = /(?![0-9])\p{N}/gu;
/** UUIDs and hex digests: one in a few thousand contains a possible card number. */
const HEX_IDS = /\b(?:[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}|[\da-f]{24,})\b/gi;

/** Returns the text in ASCII digits, without invisible characters, UUIDs and hex digests. */
function normalize(text: string): string {
  const plain = ASCII.test(text)
    ? text
    : text.replaceAll(UNSEEN, '').replaceAll(OTHER_NUMBERS, asciiOf);
  return plain.replaceAll(HEX_IDS, (id) => (/[a-f]/i.test(id) ? 'id' : id));
}

/** Unicode has fewer than two thousand number characters, so the cache stays small. */
const asciiOf = cached((character) =>
  character.normalize('NFKC').replaceAll(/(?![0-9])\p{Nd}/gu, digitOf),
);

function cached<T>(compute: (text: string) => T): (text: string) => T {
  const known = new Map<string, T>();
  return (text) => {
    const value = known.get(text) ?? compute(text);
    known.set(text, value);
    return value;
  };
}

/** Returns the value of a digit. In Unicode, the ten digits of a script are consecutive. */
function digitOf(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  let value = 0;
  while (/\p{Nd}/u.test(String.fromCodePoint(code - value - 1))) value += 1;
  return String(value % 10);
}

/** Returns true if the groups from `first` to `last` have the sizes of a card number's groups. */
type Fits = (groups: readonly string[], first: number, last: number) => boolean;

const isWritten: Fits = (groups, first, last) => {
  const count = last - first + 1;
  if (count <= MAX_WRITTEN_GROUPS) {
    const sizes = groups.slice(first, last + 1).map(({ length }) => length);
    return WRITTEN.test(sizes.join('-'));
  }
  // Single digits may be a card number only if they are the whole run.
  return count === groups.length && groups.every(({ length }) => length === 1);
};

function hasCard(runs: Iterable<string>, fits: Fits): boolean {
  return Array.from(runs).some((run) => hasCardAmong(run.split(/\D+/), fits));
}

/** Returns true if a card number begins and ends where groups do, as in `1 4242 4242 ...`. */
function hasCardAmong(groups: readonly string[], fits: Fits): boolean {
  const digits = groups.join('');
  if (digits.length < MIN_DIGITS) return false;
  const passesLuhn = luhnOf(digits);
  /** The index of the group that begins at a digit. The end of the digits counts as a group. */
  const groupAt = new Map<number, number>();
  let start = 0;
  for (const [index, group] of [...groups, ''].entries()) {
    groupAt.set(start, index);
    start += group.length;
  }
  for (const [from, first] of groupAt) {
    for (const length of lengthsOf(digits.slice(from, from + PREFIX_DIGITS))) {
      const next = groupAt.get(from + length);
      if (next === undefined || !passesLuhn(from, from + length)) continue;
      if (fits(groups, first, next - 1)) return true;
    }
  }
  return false;
}

/** Returns the possible lengths of a card number with that prefix. */
const lengthsOf = cached((prefix) => {
  const issuers = NETWORKS.filter((network) => network.prefix.test(prefix));
  return [...new Set(issuers.flatMap((network) => network.lengths))];
});

const ZERO = 48;
const DOUBLED = [0, 2, 4, 6, 8, 1, 3, 5, 7, 9];

/**
 * Returns a function that checks Luhn for the digits from `from` up to `to` in constant time. The
 * checksum of a part is the difference of two sums. There is a list of sums for each of the two
 * ways to double every other digit.
 */
function luhnOf(digits: string): (from: number, to: number) => boolean {
  const evenDoubled = new Uint32Array(digits.length + 1);
  const oddDoubled = new Uint32Array(digits.length + 1);
  let even = 0;
  let odd = 0;
  for (let index = 0; index < digits.length; index += 1) {
    const digit = digits.charCodeAt(index) - ZERO;
    const doubled = DOUBLED[digit] ?? 0;
    even += index % 2 === 0 ? doubled : digit;
    odd += index % 2 === 0 ? digit : doubled;
    evenDoubled[index + 1] = even;
    oddDoubled[index + 1] = odd;
  }
  return (from, to) => {
    // The last digit is not doubled, so it decides which sums count.
    const sums = to % 2 === 0 ? evenDoubled : oddDoubled;
    return ((sums[to] ?? 0) - (sums[from] ?? 0)) % 10 === 0;
  };
}
