/**
 * Tollgate webhooks with Express.
 * Run: `npm install express $TOLLGATE_API_URL/docs/tollgate-sdk.tgz`, then this file.
 */
import express from 'express';
import { Tollgate, WebhookVerificationError, webhooks } from '@tollgate/sdk';

const { TOLLGATE_API_KEY, TOLLGATE_API_URL, TOLLGATE_WEBHOOK_SECRET, PORT } = process.env;
const tollgate = new Tollgate({ apiKey: TOLLGATE_API_KEY, baseUrl: TOLLGATE_API_URL });
const secrets = webhooks.readSecrets(TOLLGATE_WEBHOOK_SECRET);

// Use your database instead, with a unique index on the event's id.
const handled = new Set();

/** Acts on an event. If it throws, Tollgate sends the event again. */
async function handle(event) {
  if (event.type !== 'payment.completed') return;
  const { id } = event.data.object;
  // Only the payment itself is proof. Compare its amount and currency with your order.
  const payment = await tollgate.payments.retrieve(id, { timeoutMs: 5_000, maxRetries: 1 });
  if (payment.status !== 'completed') throw new Error(`${id} is ${payment.status}`);
  // Mark the order paid, once. Queue slow work: Tollgate waits 15 seconds for the response.
  console.log(`paid: ${payment.order_id}`);
}

/** Returns the status to respond with. */
async function receive(request) {
  try {
    const event = await webhooks.receive(request, secrets);
    if (!handled.has(event.id)) await handle(event);
    // Only now: if the work failed, Tollgate must send the event again.
    handled.add(event.id);
    return 200;
  } catch (error) {
    console.error(error);
    // Never the status of an API error: 410 would disable this endpoint.
    return error instanceof WebhookVerificationError ? error.status : 500;
  }
}

const app = express();
// Before express.json(), because the signature covers the bytes as they arrive.
app.post('/webhooks', async (request, response) => {
  response.sendStatus(await receive(request));
});
app.use(express.json());
app.listen(Number(PORT ?? 9000));
