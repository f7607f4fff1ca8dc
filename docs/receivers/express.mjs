/** Tollgate webhooks with Express. Run: `npm install express ./tollgate-sdk-*.tgz`, then this file. */
import express from 'express';
import { Tollgate, WebhookVerificationError, webhooks } from 'tollgate-sdk';

const { TOLLGATE_API_KEY, TOLLGATE_API_URL, TOLLGATE_WEBHOOK_SECRET, PORT } = process.env;
const tollgate = new Tollgate({
  apiKey: TOLLGATE_API_KEY,
  baseUrl: TOLLGATE_API_URL,
  // Tollgate waits 15 seconds for your answer, and comes again.
  timeoutMs: 5_000,
  maxRetries: 1,
});
// Several secrets with commas between them are all accepted: that is how you change one. One that
// cannot be right ends this program here, and not each request.
const secrets = webhooks.readSecrets(TOLLGATE_WEBHOOK_SECRET);

// Use your database here, with a unique key on the event's id: a Map is empty after a restart.
const handled = new Map();

/** What your shop does with an event. When it throws, Tollgate sends the event again. */
async function handle(event) {
  if (event.type !== 'payment.completed') return;
  const { id, metadata } = event.data.object;
  // Somebody tries this receiver out, with a payment that does not exist. Only in test mode.
  if (!event.livemode && metadata.tollgate_example) return;
  // The event is a reason to ask. This answer is the proof.
  const payment = await tollgate.payments.retrieve(id);
  if (payment.status !== 'completed') throw new Error(`${payment.id} is ${payment.status}`);
  // Compare amount and currency with your order, then mark it paid, once. Slow work (letters,
  // parcels) belongs into a queue: Tollgate waits 15 seconds for the answer.
  console.log(`paid: ${payment.order_id}`);
}

/** The status to answer. It never throws: what a stranger sends must not end this program. */
async function receive(body, headers) {
  let event;
  try {
    event = webhooks.verify(body, headers, secrets);
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

const app = express();

// The signature covers the bytes as they came, so this stands before any express.json().
const raw = express.raw({ type: () => true, limit: '1mb' });
app.post('/webhooks', raw, async (request, response) => {
  response.sendStatus(await receive(request.body, request.headers));
});

// For the rest of the shop.
app.use(express.json());

app.listen(Number(PORT ?? 9000));
