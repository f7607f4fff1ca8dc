/** The shop's pages as HTML text. Without scripts they reload instead of updating themselves. */

import { TollgateApiError } from '../sdk/index.ts';
import { GOODS, showPrice } from './goods.ts';
import { Badge, OrderForm, Picture, renderPage, Time } from './layout.tsx';
import type { Order, OrderStatus } from './orders.ts';

/** The most orders in the list. Older ones still have their own pages. */
const ORDERS_SHOWN = 100;

const NOT_CHARGED = 'No money was taken. You can order again.';
const MESSAGES: Readonly<Record<OrderStatus, { title: string; text: string }>> = {
  open: { title: 'Waiting for payment', text: 'Nothing has been charged so far.' },
  paid: { title: 'Paid. Thank you!', text: 'We are wrapping it up already (well, we would be).' },
  failed: { title: 'Payment failed', text: NOT_CHARGED },
  canceled: { title: 'Payment canceled', text: NOT_CHARGED },
  expired: { title: 'Payment expired', text: NOT_CHARGED },
};
const RETURNED = { title: 'Checking your payment', text: 'This page updates when we know.' };
const PROBLEM = { title: 'We are looking into this', text: 'A person has to check this payment.' };

const BACK = (
  <a class="button" href="/">
    Back to the shop
  </a>
);

/** Returns the list of goods. Each form gets a token from `mintToken`. */
export function shopPage(mintToken: () => string): string {
  const title = 'Small things, well made';
  const children = (
    <>
      <div class="hero">
        <h1>{title}.</h1>
        <p>Six favourites from the workshops and courtyards down our lane.</p>
      </div>
      <ul class="goods">
        {GOODS.map((good) => (
          <li key={good.sku} class="card">
            <Picture sku={good.sku} />
            <h2>{good.name}</h2>
            <p class="small">{good.blurb}</p>
            <div class="buy">
              <strong>{showPrice(good)}</strong>
              <OrderForm sku={good.sku} token={mintToken()} label="Buy" name={`Buy ${good.name}`} />
            </div>
          </li>
        ))}
      </ul>
    </>
  );
  return renderPage({ title, children });
}

/** Shows one order. `returned` is true if the customer just came back from the checkout. */
export function orderPage(order: Order, returned: boolean): string {
  const isWaiting = order.status === 'open' && order.problem === null;
  const known = order.problem === null ? MESSAGES[order.status] : PROBLEM;
  const { title, text } = isWaiting && returned ? RETURNED : known;
  const children = (
    <div
      id="live"
      class="order"
      data-revision={order.history.length}
      data-events={isWaiting ? `/orders/${order.id}/events` : undefined}
    >
      <section class={`card state ${order.problem === null ? order.status : 'problem'}`}>
        <Badge status={order.status} />
        <h1 data-announce>{title}</h1>
        <p>{text}</p>
        <NextStep order={order} returned={returned} />
      </section>
      <section class="card bill" aria-label="Your order">
        <Picture sku={order.sku} />
        <h2>{order.title}</h2>
        <p>
          <strong>{showPrice(order)}</strong>
        </p>
        <p class="small">
          Order <code>{order.id}</code>
        </p>
      </section>
      <section class="card">
        <h2>What happened</h2>
        <ol class="steps">
          {order.history.map((step) => (
            <li key={step.at + step.text}>
              <Time at={step.at} /> {step.text}
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
  return renderPage({ title, children, reloads: isWaiting });
}

function NextStep({ order, returned }: { order: Order; returned: boolean }) {
  const { sku, form_token: token, title, status, problem, checkout_url: checkoutUrl } = order;
  if (problem !== null || status === 'paid') return null;
  if (status !== 'open') return BACK;
  // A customer who has just paid must not be asked to pay again.
  if (returned) return null;
  if (checkoutUrl === null) return <OrderForm sku={sku} token={token} label={`Pay for ${title}`} />;
  return (
    <a class="button" href={checkoutUrl}>
      Go to checkout
    </a>
  );
}

/** Lists the newest orders. A real shop would show them only after a login. */
export function ordersPage(orders: readonly Order[], revision: number): string {
  const shown = orders.slice(0, ORDERS_SHOWN);
  const paid = orders.filter(({ status }) => status === 'paid').length;
  const children = (
    <div id="live" data-revision={revision} data-events="/orders/events">
      <div class="hero">
        <h1>Orders</h1>
        <p data-announce>
          {orders.length > shown.length
            ? `The newest ${shown.length} of ${orders.length} orders.`
            : `${orders.length} in all, ${paid} paid.`}
        </p>
      </div>
      {shown.length === 0 ? (
        <p class="card">
          None yet. <a href="/">Buy something</a>; it costs nothing.
        </p>
      ) : (
        <OrderTable orders={shown} />
      )}
    </div>
  );
  return renderPage({ title: 'Orders', children, reloads: true });
}

function OrderTable({ orders }: { orders: readonly Order[] }) {
  return (
    <div class="card sheet" role="region" aria-label="List of orders" tabindex={0}>
      <table>
        <thead>
          <tr>
            {['Order', 'Good', 'Price', 'Status', 'Placed'].map((title) => (
              <th key={title} scope="col">
                {title}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {orders.map((order) => (
            <tr key={order.id}>
              <td>
                <a href={`/orders/${order.id}`}>
                  <code>{order.id}</code>
                </a>
              </td>
              <td>{order.title}</td>
              <td>{showPrice(order)}</td>
              <td>
                <Badge status={order.status} />
              </td>
              <td>
                <Time at={order.created_at} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** Explains that an order has no payment yet. Its form is the same, so it is safe to send again. */
export function noPaymentPage(order: Order, error: Error): string {
  const refusal = error instanceof TollgateApiError && !error.retryable ? error : undefined;
  const { sku, form_token: token, title, id } = order;
  const children = (
    <section class="card state failed">
      <h1>We could not start the payment</h1>
      <p>
        {refusal
          ? 'The payment service refused our request. Nothing was charged.'
          : 'The payment service is not available right now. Nothing was charged.'}
      </p>
      <p>
        We kept your order for {title} ({showPrice(order)}). Trying again cannot charge you twice.
      </p>
      <OrderForm sku={sku} token={token} label={`Try again: ${title}`} />
      <p class="small">
        Order <code>{id}</code>
        {refusal && ` · ${refusal.code} · ${refusal.requestId}`}
      </p>
    </section>
  );
  return renderPage({ title: 'No payment yet', children });
}

/** Explains why a request failed. */
export function errorPage(status: number, reason: string): string {
  const children = (
    <section class="card state failed">
      <h1>{status === 404 ? 'Nothing here' : 'That did not work'}</h1>
      <p>{reason}</p>
      {BACK}
    </section>
  );
  return renderPage({ title: `Error ${status}`, children });
}
