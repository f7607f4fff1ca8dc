/** Tollgate webhooks with Next.js: save this as `app/webhooks/route.js`. */
import { Tollgate, WebhookVerificationError, webhooks } from 'tollgate-sdk';

// Read when a request comes: a build looks at this file without having the keys.
const client = () =>
  new Tollgate({
    apiKey: process.env.TOLLGATE_API_KEY,
    baseUrl: process.env.TOLLGATE_API_URL,
    // Tollgate waits 15 seconds for this answer, and comes again.
    timeoutMs: 5_000,
    maxRetries: 1,
  });
// Several secrets with commas between them are all accepted: that is how you change one.
const secrets = () => process.env.TOLLGATE_WEBHOOK_SECRET.split(',');

// Use your database here, with a unique key on the event's id: another instance of this function
// has another Map.
const handled = new Map();

/** Node's own crypto checks the signature; the edge runtime has none. */
export const runtime = 'nodejs';

/** What your shop does with an event. When it throws, Tollgate sends the event again. */
async function handle(event) {
  if (event.type !== 'payment.completed') return;
  // The event is a reason to ask. This answer is the proof.
  const payment = await client().payments.retrieve(event.data.object.id);
  if (payment.status !== 'completed') throw new Error(`${payment.id} is ${payment.status}`);
  // Compare amount and currency with your order, then mark it paid, once. Slow work (letters,
  // parcels) belongs into a queue: Tollgate waits 15 seconds for the answer.
  console.log(`paid: ${payment.order_id}`);
}

export async function POST(request) {
  // text(), not json(): the signature covers the body as it came.
  const body = await request.text();
  let event;
  try {
    event = webhooks.verify(body, request.headers, secrets());
  } catch (error) {
    if (!(error instanceof WebhookVerificationError)) throw error;
    return new Response('bad signature', { status: 401 });
  }
  try {
    if (!handled.has(event.id)) await handle(event);
    // Only now: an event whose work failed has to come again.
    handled.set(event.id, new Date());
    return new Response('received');
  } catch (error) {
    console.error(event.id, error);
    return new Response('failed', { status: 500 });
  }
}
