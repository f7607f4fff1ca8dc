/** Currencies. Written by `npm run sdk:types`: do not edit. */

/** A currency that payments can be made in. */
export interface Currency {
  /** The code once more. */
  id: string;
  /** Always `currency`. */
  object: 'currency';
  /** As in a payment. */
  code: string;
  /** Digits after the point: an amount is divided by ten to the power of this. */
  decimals: number;
  /** The smallest amount of a payment, in minor units. */
  min_amount: number;
}
