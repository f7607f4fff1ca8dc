/** Programs of merchants who have the package. */
/** A merchant's program in JavaScript, which prints what its calls returned. */
const SCRIPT = `
  import { Tollgate, TollgateApiError, webhooks } from '@tollgate/sdk';

  const [, , baseUrl, apiKey] = process.argv;
  const tollgate = new Tollgate({ baseUrl, apiKey });
  const params = { amount: 12500, currency: 'AMD', return_url: 'https://shop.example/thanks' };
  const made = [];
  for (let n = 0; n < 5; n += 1) made.push((await tollgate.payments.create(params)).id);
  const listed = [];
  for await (const { id } of tollgate.payments.list({ limit: 2 })) listed.push(id);
  const refused = await tollgate.payments.create({ ...params, currency: 'ZZZ' }).catch((e) => e);
  const secret = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
  const body = JSON.stringify({ id: 'evt_1', type: 'payment.completed', data: { object: { id: made[0] } } });
  const headers = webhooks.signTest({ body, secret });
  const request = new Request('http://shop.example/', { method: 'POST', body, headers });
  const event = await webhooks.receive(request, secret);
  const isApiError = refused instanceof TollgateApiError;
  console.log(JSON.stringify({ made, listed, code: refused.code, isApiError, event }));
`;

/** A program in TypeScript that must compile: every `@ts-expect-error` needs its error. */
const TYPED = `
  import { Tollgate, TollgateApiError, webhooks } from '@tollgate/sdk';
  import type { Event, Payment, Refund } from '@tollgate/sdk';

  declare const apiKey: string | undefined;
  const tollgate = new Tollgate({ apiKey, baseUrl: 'https://api.pay.example', fetch });
  const params = { amount: 1, currency: 'AMD', return_url: 'https://shop.example/' } as const;
  const made: Promise<Payment> = tollgate.payments.create(params, { idempotencyKey: 'a' });
  // @ts-expect-error -- an amount is a number of minor units
  const wrong = tollgate.payments.create({ ...params, amount: '12500' });
  // @ts-expect-error -- there is no such outcome
  const odd = tollgate.test.outcome('pay_1', 'aprove');

  export async function walk(): Promise<Refund[]> {
    const { data, has_more } = await tollgate.refunds.list({ status: ['pending', 'failed'] });
    for await (const refund of tollgate.refunds.list()) if (has_more) data.push(refund);
    return data;
  }

  const received: Promise<Event> = webhooks.receive(new Request('http://a/'), apiKey);

  export function read(body: Uint8Array, headers: Headers | Record<string, string[]>): string {
    const event = webhooks.verify(body, headers, ['whsec_a', 'whsec_b'], { toleranceSeconds: 60 });
    switch (event.type) {
      case 'payment.completed':
        return event.data.object.checkout_url;
      case 'refund.failed':
        return event.data.object.payment_id;
      case 'webhook_endpoint.ping':
        return event.data.object.secret_hint;
      default:
        // @ts-expect-error -- a payment and a refund have little in common
        return event.data.object.checkout_url;
    }
  }

  export function explain(error: unknown): string {
    if (!(error instanceof TollgateApiError)) return 'unknown';
    // @ts-expect-error -- there is no such code
    if (error.code === 'card_is_blue') return 'blue';
    return error.code === 'payment_state_invalid' ? 'too late' : error.message;
  }
`;

/** Code that calls the handler of a guide, with the functions that a merchant must add. */
const CALL = `
  const isNew = async () => true;
  const handle = async () => undefined;
  const body = '{"id":"evt_1","type":"payment.failed"}';
  const headers = webhooks.signTest({ body, secret: process.env.TOLLGATE_WEBHOOK_SECRET });
  const post = (sent) =>
    POST(new Request('http://shop.example/', { method: 'POST', body: sent, headers }));
  for (const sent of [body, body + ' ']) console.log((await post(sent)).status);
`;

export { CALL, SCRIPT, TYPED };
