/** Currencies. Written by `npm run sdk:types`: do not edit. */

/** A currency that payments can be made in. */
export interface Currency {
  /** The same as `code`. */
  id: string;
  /** Always `currency`. */
  object: 'currency';
  /** The ISO 4217 code, as in a payment. */
  code: string;
  /** Digits after the point: divide an amount by ten to the power of this. */
  decimals: number;
  /** The smallest amount of a payment, in minor units. */
  min_amount: number;
}
