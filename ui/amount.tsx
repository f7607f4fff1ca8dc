/** An amount of money in the reader's language, on one line. */
import { localAmount } from '../domain/money.ts';

interface AmountProps {
  /** In the currency's minor unit. */
  readonly amount: number;
  readonly currency: string;
  readonly locale: string;
}

export function Amount({ amount, currency, locale }: AmountProps) {
  return (
    <data class="amount" value={`${amount} ${currency}`}>
      {localAmount(amount, currency, locale)}
    </data>
  );
}
