/** What a merchant's developer should know before the first call; Markdown. */

export const INTRODUCTION = `Tollgate takes payments for your shop by a hosted checkout page.

1. Your server creates a payment and sends the customer to its \`checkout_url\`.
2. The customer pays. In test mode a sandbox bank plays every outcome, and no money moves.
3. A signed webhook tells you. Retrieve the payment, and deliver when it is \`completed\`: a
   customer who arrives at your \`return_url\` is no proof.

**Keys.** Every call carries \`Authorization: Bearer sk_test_...\`. Whoever runs the
service makes them (\`tollgate merchant create\`); a key is shown once, and kept on your server.

**Format.** JSON in UTF-8 both ways, names in snake_case, times in RFC 3339 (UTC, with
milliseconds), money as integers in the currency's minor unit: 12500 is 12,500 AMD, 1999 is
19.99 USD. Amounts are written with digits only; \`19.00\` and \`19e2\` are refused. Parameters
that a call does not know are refused; \`null\` for an optional one means that it is left out.
A body has at most 64 KiB. In the schemas, the format \`http-url\` is what browsers take for a
URL of http or https, and \`x-card-numbers\` says whether any card number in the text is
\`refused\`, or only one that is \`refused in groups\` (4242-4242-...).

**Repeating.** Every POST takes an \`Idempotency-Key\`. The same request with the same key has
one effect and one answer; after a 5xx or no answer, try again with the same key. For payments
and refunds a key lives as long as what it made, so a new try for an order whose payment failed
or expired needs a new key.

**Lists** are newest first, 20 objects to a page unless \`limit\` says another number. Read on
with \`starting_after\` set to the last \`id\`, until \`has_more\` is false; the header \`Link\`
has the address.

**Errors** have one form: \`error.code\` is stable and is what programs go by; \`error.errors\`
names everything that is wrong at once; \`error.doc_url\` leads to what is known of the code.
With \`Accept: application/problem+json\` the same comes as RFC 9457 has it. Every answer has a
\`Request-Id\`.

**Limits.** Each merchant has a number of requests per second, for test and live mode apart; the
headers \`RateLimit\` and \`RateLimit-Policy\` say what is left, and a 429 says in
\`Retry-After\` how long to wait.`;
