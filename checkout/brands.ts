/** The brands of cards: their names, and how their numbers and security codes look. */

export interface Brand {
  readonly name: string;
  /** A pattern of the first digits. The script of the form reads it too. */
  readonly prefix: string;
  /** The sizes of the groups in which the digits are written. Their sum is the most digits. */
  readonly groups: readonly number[];
  /** The number of digits of the security code. */
  readonly cvc: 3 | 4;
}

const FOURS = [4, 4, 4, 4] as const;
/** Up to 19 digits, the most that the standard of card numbers allows. */
const LONG = [...FOURS, 3] as const;

/** The brands by their names in stored payments. A number has at most one brand. */
export const BRANDS: Readonly<Record<string, Brand>> = {
  visa: { name: 'Visa', prefix: '^4', groups: LONG, cvc: 3 },
  mastercard: {
    name: 'Mastercard',
    prefix: '^(?:5[1-5]|222[1-9]|22[3-9]|2[3-6]|27[01]|2720)',
    groups: FOURS,
    cvc: 3,
  },
  amex: { name: 'American Express', prefix: '^3[47]', groups: [4, 6, 5], cvc: 4 },
  mir: { name: 'Мир', prefix: '^220[0-4]', groups: LONG, cvc: 3 },
  arca: { name: 'ArCa', prefix: '^9051', groups: FOURS, cvc: 3 },
};

/** Returns the brand of a number, which may be incomplete; undefined if it is not known. */
export function brandOf(digits: string): Brand | undefined {
  return Object.values(BRANDS).find(({ prefix }) => new RegExp(prefix).test(digits));
}

/** Returns the digits in the groups of their brand: `3782 822463 10005`. */
export function groupDigits(digits: string): string {
  const sizes = brandOf(digits)?.groups ?? LONG;
  const parts: string[] = [];
  let start = 0;
  for (const size of sizes) {
    parts.push(digits.slice(start, start + size));
    start += size;
  }
  return parts.filter(Boolean).join(' ');
}

/** Returns a card as customers know it: `Visa •••• 4242`. */
export function cardInWords({ brand, last4 }: { brand: string; last4: string }): string {
  return `${BRANDS[brand]?.name ?? brand} •••• ${last4}`;
}
