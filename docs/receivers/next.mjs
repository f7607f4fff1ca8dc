/** Tollgate webhooks with Next.js: save this as `app/webhooks/route.js`. */
import { Tollgate, WebhookVerificationError, webhooks } from '@tollgate/sdk';

/** The edge runtime cannot verify signatures: it lacks Node's crypto. */
export const runtime = 'nodejs';

// Created for each event, because the environment of a build may lack the key.
const client = () =>
  new Tollgate({ apiKey: process.env.TOLLGATE_API_KEY, baseUrl: process.env.TOLLGATE_API_URL });

// Use your database instead, with a unique index on the event's id.
const handled = new Set();

/** Acts on an event. If it throws, Tollgate sends the event again. */
async function handle(event) {
  if (event.type !== 'payment.completed') return;
  const { id } = event.data.object;
  // Only the payment itself is proof. Compare its amount and currency with your order.
  const payment = await client().payments.retrieve(id, { timeoutMs: 5_000, maxRetries: 1 });
  if (payment.status !== 'completed') throw new Error(`${id} is ${payment.status}`);
  // Mark the order paid, once. Queue slow work: Tollgate waits 15 seconds for the response.
  console.log(`paid: ${payment.order_id}`);
}

export async function POST(request) {
  try {
    const event = await webhooks.receive(request, process.env.TOLLGATE_WEBHOOK_SECRET);
    if (!handled.has(event.id)) await handle(event);
    // Only now: if the work failed, Tollgate must send the event again.
    handled.add(event.id);
    return new Response(null, { status: 200 });
  } catch (error) {
    console.error(error);
    // Never the status of an API error: 410 would disable this endpoint.
    const status = error instanceof WebhookVerificationError ? error.status : 500;
    return new Response(null, { status });
  }
}
