/** Card numbers must not reach us (interface: the bank page takes the card): texts are searched. */

interface Network {
  readonly prefix: RegExp;
  readonly lengths: readonly number[];
}

const LONG = [16, 17, 18, 19];

/** Which numbers the card networks give out: first digits and number of digits. */
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

/** The shortest and the longest number of any network. */
const MIN_DIGITS = 13;
const MAX_DIGITS = 19;
/** Digits with at most two spaces, dots or hyphens between them, as people write card numbers. */
const DIGIT_RUNS = /\d+(?:[\s.-]{1,2}\d+)*/g;

/** Whether the text contains what can be a card number: network prefix, length and Luhn. */
export function containsCardNumber(text: string): boolean {
  return (text.match(DIGIT_RUNS) ?? []).some(hasCardAmong);
}

/** A card number begins and ends where a group of digits does: `1 4242 4242 ...` has one. */
function hasCardAmong(run: string): boolean {
  const groups = run.split(/[\s.-]+/);
  return groups.some((_, first) => {
    let digits = '';
    for (const group of groups.slice(first, first + MAX_DIGITS)) {
      digits += group;
      if (digits.length > MAX_DIGITS) return false;
      if (digits.length >= MIN_DIGITS && isCardNumber(digits)) return true;
    }
    return false;
  });
}

/** Luhn goes first: it is quick, and leaves one in ten for the rest. */
function isCardNumber(digits: string): boolean {
  return passesLuhn(digits) && NETWORKS.some((network) => isOf(network, digits));
}

function isOf({ prefix, lengths }: Network, digits: string): boolean {
  return lengths.includes(digits.length) && prefix.test(digits);
}

const ZERO = 48;

function passesLuhn(digits: string): boolean {
  let sum = 0;
  for (let place = 0; place < digits.length; place += 1) {
    const digit = digits.charCodeAt(digits.length - 1 - place) - ZERO;
    const value = place % 2 === 0 ? digit : digit * 2;
    sum += value > 9 ? value - 9 : value;
  }
  return sum % 10 === 0;
}
