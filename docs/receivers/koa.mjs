/**
 * Tollgate webhooks with Koa.
 * Run: `npm install koa @koa/router ./tollgate-sdk-*.tgz`, then this file.
 */
import { Router } from '@koa/router';
import Koa from 'koa';
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
const MAX_BODY_BYTES = 1024 * 1024;

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

/** The body's bytes as they came. */
async function readRaw(ctx) {
  const chunks = [];
  let length = 0;
  for await (const chunk of ctx.req) {
    length += chunk.length;
    if (length > MAX_BODY_BYTES) ctx.throw(413);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}

const router = new Router();
router.post('/webhooks', async (ctx) => {
  ctx.status = await receive(await readRaw(ctx), ctx.headers);
});

const app = new Koa();
// A body parser reads the stream and leaves nothing to verify: it comes after this line.
app.use(router.routes());

app.listen(Number(PORT ?? 9000));
