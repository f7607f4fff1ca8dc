/** The shop's pages, rendered to whole documents. They work without a script, by reloading. */

import { TollgateApiError } from '../sdk/index.ts';
import { GOODS, showPrice, type Good } from './goods.ts';
import type { Order, OrderStatus } from './orders.ts';
import { Badge, draw, OrderForm, Time } from './page.tsx';
import { Picture } from './pictures.tsx';

/** The list is for looking at; older orders keep their own pages. */
const ORDERS_SHOWN = 100;

const STATUS_WORDS: Readonly<Record<OrderStatus, { title: string; text: string }>> = {
  open: { title: 'Waiting for payment', text: 'Nothing has been charged so far.' },
  paid: { title: 'Paid. Thank you!', text: 'We are wrapping it up already (well, we would be).' },
  failed: { title: 'Payment failed', text: 'No money was taken. You can order again.' },
  canceled: { title: 'Payment canceled', text: 'No money was taken. You can order again.' },
  expired: { title: 'Payment expired', text: 'No money was taken. You can order again.' },
};
const RETURNED = { title: 'Checking your payment', text: 'This page changes when we know.' };
const PROBLEM = { title: 'We are looking into this', text: 'A person has to check this payment.' };

function GoodCard({ good, token }: { good: Good; token: string }) {
  return (
    <li class="card">
      <div class={`picture ${good.sku}`}>
        <Picture sku={good.sku} />
      </div>
      <div class="words">
        <h2>{good.name}</h2>
        <p class="blurb">{good.blurb}</p>
        <div class="buy">
          <p class="price">{showPrice(good)}</p>
          <OrderForm sku={good.sku} token={token} label="Buy" name={good.name} />
        </div>
      </div>
    </li>
  );
}

/** The shop window; every form gets a token of its own from `mintToken`. */
export function shopPage(mintToken: () => string): string {
  const children = (
    <>
      <div class="hero">
        <h1>Small things, well made.</h1>
        <p>Six favourites from the workshops and courtyards down our lane.</p>
      </div>
      <ul class="goods">
        {GOODS.map((good) => (
          <GoodCard key={good.sku} good={good} token={mintToken()} />
        ))}
      </ul>
    </>
  );
  return draw({ title: 'Small things, well made', children });
}

function NextStep({ order, returned }: { order: Order; returned: boolean }) {
  if (order.problem !== null || order.status === 'paid') return null;
  if (order.status !== 'open') {
    return (
      <a class="button" href="/">
        Back to the shop
      </a>
    );
  }
  // Somebody who just paid must not be invited to pay again.
  if (returned) return null;
  if (order.checkout_url === null) {
    const { sku, form_token: token, title } = order;
    return <OrderForm sku={sku} token={token} label="Pay for" name={title} />;
  }
  return (
    <a class="button" href={order.checkout_url}>
      Go to checkout
    </a>
  );
}

/** One order. `returned`: the customer just came back from the checkout, which proves nothing. */
export function orderPage(order: Order, returned: boolean): string {
  const waits = order.status === 'open' && order.problem === null;
  const known = order.problem === null ? STATUS_WORDS[order.status] : PROBLEM;
  const words = waits && returned ? RETURNED : known;
  const children = (
    <div
      id="live"
      class="order"
      data-revision={order.history.length}
      data-events={waits ? `/orders/${order.id}/events` : undefined}
    >
      <section class={`state ${order.problem === null ? order.status : 'problem'}`}>
        <Badge status={order.status} />
        <h1 data-announce>{words.title}</h1>
        <p>{words.text}</p>
        <NextStep order={order} returned={returned} />
      </section>
      <section class="bill" aria-label="Your order">
        <div class={`picture ${order.sku}`}>
          <Picture sku={order.sku} />
        </div>
        <h2>{order.title}</h2>
        <p class="price">{showPrice(order)}</p>
        <p class="small">
          Order <code>{order.id}</code>
        </p>
      </section>
      <section class="steps">
        <h2>What happened</h2>
        <ol>
          {order.history.map((step) => (
            <li key={step.at + step.text}>
              <Time at={step.at} /> {step.text}
            </li>
          ))}
        </ol>
      </section>
    </div>
  );
  return draw({ title: words.title, children, reloads: waits });
}

/** The back office: the newest orders, which in a real shop would be behind a login. */
export function ordersPage(orders: Order[], revision: string): string {
  const shown = orders.slice(0, ORDERS_SHOWN);
  const children = (
    <div id="live" data-revision={revision} data-events="/orders/events">
      <div class="hero">
        <h1>Orders</h1>
        <p data-announce>
          {orders.length > shown.length
            ? `The newest ${shown.length} of ${orders.length} orders.`
            : `${orders.length} in all, ${countPaid(orders)} paid.`}
        </p>
      </div>
      {shown.length === 0 ? (
        <p class="empty">
          None yet. <a href="/">Buy something</a>; it costs nothing.
        </p>
      ) : (
        <OrderTable orders={shown} />
      )}
    </div>
  );
  return draw({ title: 'Orders', children, reloads: true });
}

function countPaid(orders: Order[]): number {
  return orders.filter((order) => order.status === 'paid').length;
}

function OrderTable({ orders }: { orders: Order[] }) {
  return (
    <div class="sheet" role="region" aria-label="List of orders" tabindex={0}>
      <table>
        <thead>
          <tr>
            <th scope="col">Order</th>
            <th scope="col">Good</th>
            <th scope="col" class="number">
              Price
            </th>
            <th scope="col">Status</th>
            <th scope="col">Placed</th>
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
              <td class="number">{showPrice(order)}</td>
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

/** The order stands, but there is no payment for it; trying again sends the very same form. */
export function noPaymentPage(order: Order, error: Error): string {
  const refusal = error instanceof TollgateApiError && !error.retryable ? error : undefined;
  const children = (
    <section class="state failed">
      <h1>We could not start the payment</h1>
      <p>
        {refusal
          ? 'The payment service turned our request down. Nothing was charged.'
          : 'The payment service does not answer just now. Nothing was charged.'}
      </p>
      <p>
        We kept your order for {order.title} ({showPrice(order)}). Trying again cannot charge you
        twice.
      </p>
      <OrderForm sku={order.sku} token={order.form_token} label="Try again:" name={order.title} />
      <p class="small">
        Order <code>{order.id}</code>
        {refusal && ` · ${refusal.code} · ${refusal.requestId}`}
      </p>
    </section>
  );
  return draw({ title: 'No payment yet', children });
}

/** A page that only says something went wrong, and how. */
export function noticePage(status: number, reason: string): string {
  const children = (
    <section class="state failed">
      <h1>{status === 404 ? 'Nothing here' : 'That did not work'}</h1>
      <p>{reason}</p>
      <a class="button" href="/">
        Back to the shop
      </a>
    </section>
  );
  return draw({ title: `Error ${status}`, children });
}
