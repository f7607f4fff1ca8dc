/** The list of errors, with what a merchant's developer does about each. */
import { Prose } from './components.tsx';
import type { Reference } from './reference.ts';

/** By the error's code. */
export const REMEDIES: Readonly<Record<string, string>> = {
  json_invalid:
    'Go to the line and column in `message`. Send one JSON object in UTF-8, nested at most 8 deep, with at most 1,000 parts and no repeated names.',
  parameter_missing: 'Add the parameter that `param` names.',
  parameter_invalid: 'Correct the parameter that `param` names; `message` has the allowed values.',
  parameter_unknown: 'Look for a misspelt name, and leave out what the call does not list.',
  amount_too_small: 'Use a larger amount, or check the unit: amounts are in the minor unit.',
  amount_too_large:
    'Check the unit first: for AMD it is the whole dram. Otherwise split the order.',
  currency_unsupported: 'Use a `code` from `GET /v1/currencies`, in upper case.',
  url_invalid:
    'Send a whole `http` or `https` URL without a user name. The placeholders are `{PAYMENT_ID}`, `{ORDER_ID}` and `{STATUS}`.',
  locale_unsupported: 'Send `hy`, `en` or `ru`, or leave `locale` out.',
  card_number_refused:
    'Remove card numbers from every text, URL and reference; only the checkout page asks for them.',
  limit_out_of_range: 'Send a `limit` from 1 to 100, and page through the rest.',
  cursor_invalid: 'Use the `id` of an object of the same list and the same merchant.',
  idempotency_key_invalid: 'Send 1 to 255 visible ASCII characters, without spaces.',
  refund_too_large: 'Retrieve the payment and refund at most its `amount_refundable`.',
  api_key_missing: 'Add the header `Authorization: Bearer sk_test_...` on your server.',
  api_key_invalid: 'Check that the whole key was copied, and that it belongs to this service.',
  api_key_revoked:
    'Put the key that replaced it into your settings, or ask the operator for a new one.',
  live_mode_unavailable: 'Use a test key; there is no live mode yet.',
  resource_missing:
    'Check the id, and that the key belongs to the merchant and mode that created it.',
  route_missing:
    'Use the path that `message` suggests: it begins with `/v1` and has no slash at its end.',
  method_not_allowed: 'Use a method that the header `Allow` names.',
  request_timeout: 'Send it again with the same `Idempotency-Key`, over a better connection.',
  body_too_large: 'Send less; `metadata` is for references, not for documents.',
  uri_too_long: 'Shorten the query; filter by one value at a time.',
  content_type_unsupported: 'Send `Content-Type: application/json`, in UTF-8, not compressed.',
  headers_too_large: 'Send fewer headers; cookies are not needed.',
  payment_state_invalid: 'Retrieve the payment and go by its `status`.',
  payment_not_refundable:
    'Retrieve the payment: it is not `completed`, or already has 100 refunds.',
  payment_already_refunded:
    'Do nothing: all of it is refunded, or about to be. Look at its refunds.',
  refundable_changed:
    'Show the current `amount_refundable` to the person who decides, and ask again.',
  idempotency_key_reused: 'Use a new key for a new request, or retry the first request unchanged.',
  too_many_requests: 'Wait for the seconds in `Retry-After`, then send it again.',
  internal_error:
    'Send it again with the same `Idempotency-Key`; if it fails again, report `request_id`.',
  unavailable:
    'Wait for the seconds in `Retry-After`, then send it again with the same `Idempotency-Key`.',
};

/** The errors, each with its status, its message and its remedy. */
export function ErrorList({ api }: { api: Reference }) {
  return (
    <ul class="fields">
      {Object.entries(api.catalogue).map(([code, { status, message }]) => (
        <li key={code} id={code}>
          <a href={`#${code}`}>
            <code class="field-name">{code}</code>
          </a>{' '}
          <span class="field-type">{status}</span>
          <Prose api={api} text={message} />
          <Prose api={api} text={REMEDIES[code]} />
        </li>
      ))}
    </ul>
  );
}
