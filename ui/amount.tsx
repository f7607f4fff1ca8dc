/** An amount of money as its reader writes it. */
import { localAmount } from '../domain/money.ts';

interface AmountProps {
  /** In the currency's minor unit. */
  readonly amount: number;
  readonly currency: string;
  readonly locale: string;
}

/** The amount in one piece: it never breaks across lines. */
export function Amount({ amount, currency, locale }: AmountProps) {
  return (
    <data class="amount" value={`${amount} ${currency}`}>
      {localAmount(amount, currency, locale)}
    </data>
  );
}
