/** What is paid to whom, at the top of a page. */
import { isFinal } from '../../domain/payment.ts';
import { Amount } from '../../ui/amount.tsx';
import type { Scene } from '../scene.ts';

/** The amount and what the merchant said of it, as text. */
export function Summary({ scene }: { scene: Scene }) {
  const { payment, payee, say, locale } = scene;
  const { amount, currency, description, order_id: orderId } = payment;
  return (
    <header class="summary">
      <dl>
        <div class="due">
          <dt>{say(isFinal(payment.status) ? 'summary.total' : 'summary.amount')}</dt>
          <dd>
            <Amount amount={amount} currency={currency} locale={locale} />
          </dd>
        </div>
        {payee !== null && <Line term={say('summary.to')} text={payee} id="payee" />}
        {description !== null && (
          <Line term={say('summary.about')} text={description} id="description" />
        )}
        {orderId !== null && <Line term={say('summary.order')} text={orderId} id="order" />}
      </dl>
    </header>
  );
}

function Line({ term, text, id }: { term: string; text: string; id: string }) {
  return (
    <div>
      <dt>{term}</dt>
      <dd id={id} dir="auto">
        {text}
      </dd>
    </div>
  );
}
