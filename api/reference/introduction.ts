/** The introduction of the reference: what a developer should know before the first call. Markdown. */

export const INTRODUCTION = `Tollgate takes payments for your shop with a hosted checkout page.

1. Your server creates a payment and sends the customer to its \`checkout_url\`.
2. The customer pays. In test mode a sandbox bank simulates every outcome, and no money moves.
3. A signed webhook notifies you. Retrieve the payment, and deliver when it is \`completed\`. A
   customer who arrives at your \`return_url\` does not prove a payment.

**Keys.** Every call needs \`Authorization: Bearer sk_test_...\`. Create a
key in the dashboard, under **API keys**. It is shown once. Keep it on your server.

**Format.** JSON in UTF-8 both ways, names in snake_case, times in RFC 3339 (UTC, with
milliseconds), money as integers in the currency's minor unit: 12500 is 12,500 AMD, 1999 is
19.99 USD. Amounts are written with digits only; \`19.00\` and \`19e2\` are refused. Unknown
parameters are refused. \`null\` for an optional parameter is the same as leaving it out. A body
has at most 64 KiB. In the schemas, the format \`http-url\` is what browsers accept as an http or
https URL. \`x-card-numbers\` is \`refused\` if any card number in the text is refused, and
\`refused in groups\` if only one in groups is (4242-4242-...).

**Retries.** Every POST takes an \`Idempotency-Key\`. The same request with the same key has one
effect and one response. After a 5xx or no response, retry with the same key. For payments and
refunds a key lives as long as the object it created, so a new try for an order whose payment
failed or expired needs a new key.

**Lists** are newest first, with 20 objects on a page unless you set \`limit\`. For the next page,
set \`starting_after\` to the last \`id\`, until \`has_more\` is false. The header \`Link\` has
the address of the next page.

**Errors** have one form. \`error.code\` is stable, and programs should rely on it.
\`error.errors\` lists everything that is wrong with the request. \`error.doc_url\` links to the
documentation of the code. With \`Accept: application/problem+json\` you get the same error in
the form of RFC 9457. Every response has a \`Request-Id\`.

**Limits.** Each merchant has a limit of requests per second, one for test mode and one for live
mode. The headers \`RateLimit\` and \`RateLimit-Policy\` show what is left. A 429 has the seconds
to wait in \`Retry-After\`.`;
