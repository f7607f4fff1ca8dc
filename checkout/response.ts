/** Responses to a request about a payment: a page, or a redirect to one. */
import { findMerchant } from '../store/merchants.ts';
import { recordOpening } from '../store/payments.ts';
import type { AddressName } from './address.ts';
import { chosenBy, inWordsOf } from './choice.ts';
import { colourSheet } from './colour.ts';
import { chooseLocale, keepLanguage, makeContext } from './context.ts';
import type { FieldErrors } from './form.ts';
import { readErrors } from './kept.ts';
import { showLogo } from './logo.ts';
import { renderPage } from './pages/render.tsx';
import { isPreview } from './preview.ts';
import type { CheckoutRequest } from './request.ts';
import { homeOf, viewAt } from './state.ts';
import type { PageAddress, View } from './state.ts';

/** The pages with an address of their own. The others are at that of the checkout. */
const OWN_ADDRESSES = ['cancel', 'receipt', 'bank', 'code'] as const;

/** Creates the handler of a page's address. It shows the page, or redirects to the current one. */
export function showPage(address: PageAddress) {
  return async (request: CheckoutRequest): Promise<void> => {
    const view = viewAt(request.state, address);
    if (view) await showView(request, { view });
    else redirectHome(request);
  };
}

/** Responds with that page of the payment. A link from another language may carry its errors. */
export async function showView(
  request: CheckoutRequest,
  { view, status = 200, ...rest }: { view: View; status?: number; errors?: FieldErrors },
): Promise<void> {
  const { services, ctx, payment, now } = request;
  const errors = rest.errors ?? readErrors(ctx.query['errors']);
  const { assets, mongo } = services;
  const self = OWN_ADDRESSES.find((address) => address === view) ?? 'checkout';
  const locale = chooseLocale(ctx, payment);
  const { path, ...chosen } = chosenBy(request, view === 'form');
  const base = makeContext({ locale, assets, self: path(self), errors });
  const t = inWordsOf(payment, base.t);
  const link = (name: AddressName) => keepLanguage(ctx, path(name));
  const [merchant] = await Promise.all([
    findMerchant(mongo, payment.merchant_id),
    view === 'form' && ctx.method === 'GET' && !isPreview(ctx) && noteOpening(request),
  ]);
  const payee = merchant?.name ?? null;
  const logo = merchant?.logo ? showLogo(services, merchant.logo) : null;
  const colour = merchant?.colour ? colourSheet(services, merchant.colour) : null;
  ctx.status = status;
  ctx.type = 'html';
  const shown = { ...base, ...chosen, t, payment, payee, logo, colour, now, link, errors };
  ctx.body = renderPage(view, shown);
}

/**
 * Records the first opening of the payment's page, for the merchant's staff. A failure is logged
 * only, because the customer can pay all the same.
 */
async function noteOpening({ services, payment, now }: CheckoutRequest): Promise<void> {
  if (payment.checkout_opened_at) return;
  try {
    await recordOpening(services.mongo, payment, now);
  } catch (error) {
    const about = { err: error, payment_id: payment._id };
    services.log.warn(about, 'the opening of a page was not recorded');
  }
}

/** Redirects to a GET of that address, in the language that the customer chose. */
export function redirect({ services, ctx, payment }: CheckoutRequest, name: AddressName): void {
  ctx.status = 303;
  ctx.redirect(keepLanguage(ctx, services.addresses.of(payment, name)));
}

/** Redirects to the page of the payment's state. */
export function redirectHome(request: CheckoutRequest): void {
  redirect(request, homeOf(request.state));
}
