/** The goods of the shop. All are made up. Prices are never taken from a form. */

export interface Good {
  readonly sku: string;
  readonly name: string;
  readonly blurb: string;
  /** In the currency's minor unit: whole drams for AMD, cents for USD. */
  readonly amount: number;
  readonly currency: 'AMD' | 'USD';
}

export const SHOP_NAME = 'Pomegranate Lane';

/** The goods. The picture of each is `assets/<sku>.svg`. */
export const GOODS: readonly Good[] = [
  {
    sku: 'coffee-pot',
    name: 'Copper coffee pot',
    blurb: 'Hand-hammered, tinned inside. Two small cups, or one long morning.',
    amount: 12_500,
    currency: 'AMD',
  },
  {
    sku: 'apricot-jam',
    name: 'Apricot preserve',
    blurb: 'Whole summer fruit, slowly cooked. The jar is half gone by Sunday.',
    amount: 2_900,
    currency: 'AMD',
  },
  {
    sku: 'wool-runner',
    name: 'Wool runner',
    blurb: 'Flat-woven on a narrow loom, dyed with madder root and walnut.',
    amount: 68_000,
    currency: 'AMD',
  },
  {
    sku: 'stone-mugs',
    name: 'Pair of stone mugs',
    blurb: 'Thrown in dark clay, glazed where your lips and thumbs go.',
    amount: 9_600,
    currency: 'AMD',
  },
  {
    sku: 'linen-notebook',
    name: 'Linen notebook',
    blurb: 'Lies flat, takes ink well, and forgives what you write in it.',
    amount: 1_850,
    currency: 'USD',
  },
  {
    sku: 'nardi-board',
    name: 'Walnut nardi board',
    blurb: 'Backgammon, as played in every courtyard. Loud dice included.',
    amount: 14_900,
    currency: 'USD',
  },
];

/** Returns the good with that stock number, or undefined if the shop does not sell it. */
export function findGood(sku: string): Good | undefined {
  return GOODS.find((good) => good.sku === sku);
}

/** Formats an amount in minor units for people: `12,500 AMD`, `$18.50`. */
export function showPrice(price: { amount: number; currency: string }): string {
  if (price.currency === 'USD') {
    return (price.amount / 100).toLocaleString('en-US', { style: 'currency', currency: 'USD' });
  }
  return `${price.amount.toLocaleString('en-US')} ${price.currency}`;
}
