/** Tollgate webhooks with Next.js: save this as `app/webhooks/route.js`. */
import { Tollgate, WebhookVerificationError, webhooks } from 'tollgate-sdk';

// Read when a request comes: a build looks at this file without having the keys. What is wrong with
// them is then in the log, and Tollgate, which gets the answer 500, comes again.
const client = () =>
  new Tollgate({
    apiKey: process.env.TOLLGATE_API_KEY,
    baseUrl: process.env.TOLLGATE_API_URL,
    // Tollgate waits 15 seconds for this answer, and comes again.
    timeoutMs: 5_000,
    maxRetries: 1,
  });
// Several secrets with commas between them are all accepted: that is how you change one.
const secrets = () => webhooks.readSecrets(process.env.TOLLGATE_WEBHOOK_SECRET);
const MAX_BODY_BYTES = 1024 * 1024;

// Use your database here, with a unique key on the event's id: another instance of this function
// has another Map.
const handled = new Map();

/** Node's own crypto checks the signature; the edge runtime has none. */
export const runtime = 'nodejs';

/** What your shop does with an event. When it throws, Tollgate sends the event again. */
async function handle(event) {
  if (event.type !== 'payment.completed') return;
  const { id, metadata } = event.data.object;
  // Somebody tries this receiver out, with a payment that does not exist. Only in test mode.
  if (!event.livemode && metadata.tollgate_example) return;
  // The event is a reason to ask. This answer is the proof.
  const payment = await client().payments.retrieve(id);
  if (payment.status !== 'completed') throw new Error(`${payment.id} is ${payment.status}`);
  // Compare amount and currency with your order, then mark it paid, once. Slow work (letters,
  // parcels) belongs into a queue: Tollgate waits 15 seconds for the answer.
  console.log(`paid: ${payment.order_id}`);
}

/** The status to answer. It never throws: what a stranger sends must not matter. */
async function receive(body, headers) {
  let event;
  try {
    event = webhooks.verify(body, headers, secrets());
    if (!handled.has(event.id)) await handle(event);
    // Only now: an event whose work failed has to come again.
    handled.set(event.id, new Date());
    return 200;
  } catch (error) {
    if (error instanceof WebhookVerificationError) {
      // A stranger's request, or a body that something before this has taken.
      if (error.reason === 'body') console.warn(error.message);
      return 401;
    }
    // Also when the API refused: its own status would tell Tollgate something else.
    console.error(event?.id, error);
    return 500;
  }
}

/** The body's bytes as they came; undefined when they are too many. */
async function readRaw(request) {
  const chunks = [];
  let length = 0;
  for await (const chunk of request.body ?? []) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

export async function POST(request) {
  const body = await readRaw(request);
  const status = body === undefined ? 413 : await receive(body, request.headers);
  return new Response(null, { status });
}
