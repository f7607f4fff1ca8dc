/** Tollgate webhooks with Fastify. Run: `npm install fastify ./tollgate-sdk-*.tgz`, then this file. */
import { fastify } from 'fastify';
import { Tollgate, WebhookVerificationError, webhooks } from 'tollgate-sdk';

const { TOLLGATE_API_KEY, TOLLGATE_API_URL, TOLLGATE_WEBHOOK_SECRET, PORT } = process.env;
const tollgate = new Tollgate({
  apiKey: TOLLGATE_API_KEY,
  baseUrl: TOLLGATE_API_URL,
  // Tollgate waits 15 seconds for your answer, and comes again.
  timeoutMs: 5_000,
  maxRetries: 1,
});
// Several secrets with commas between them are all accepted: that is how you change one.
const secrets = TOLLGATE_WEBHOOK_SECRET.split(',');

// Use your database here, with a unique key on the event's id: a Map is empty after a restart.
const handled = new Map();

/** What your shop does with an event. When it throws, Tollgate sends the event again. */
async function handle(event) {
  if (event.type !== 'payment.completed') return;
  // The event is a reason to ask. This answer is the proof.
  const payment = await tollgate.payments.retrieve(event.data.object.id);
  if (payment.status !== 'completed') throw new Error(`${payment.id} is ${payment.status}`);
  // Compare amount and currency with your order, then mark it paid, once. Slow work (letters,
  // parcels) belongs into a queue: Tollgate waits 15 seconds for the answer.
  console.log(`paid: ${payment.order_id}`);
}

const app = fastify({ logger: { level: 'warn' } });

// A plugin is a scope: the rest of the shop keeps Fastify's own JSON parser.
app.register(async (scope) => {
  // The signature covers the bytes as they came, so here the body stays a Buffer.
  scope.removeAllContentTypeParsers();
  scope.addContentTypeParser('*', { parseAs: 'buffer' }, async (_request, body) => body);

  scope.post('/webhooks', async (request, reply) => {
    let event;
    try {
      event = webhooks.verify(request.body ?? '', request.headers, secrets);
    } catch (error) {
      if (!(error instanceof WebhookVerificationError)) throw error;
      return reply.code(401).send({ error: 'bad signature' });
    }
    try {
      if (!handled.has(event.id)) await handle(event);
      // Only now: an event whose work failed has to come again.
      handled.set(event.id, new Date());
      return { received: true };
    } catch (error) {
      // Fastify would answer the status that the API's refusal has; to Tollgate it is our failure.
      request.log.error(error, event.id);
      return reply.code(500).send({ error: 'failed' });
    }
  });
});

await app.listen({ port: Number(PORT ?? 9000), host: '0.0.0.0' });
