/** The body, secrets and signatures of a webhook request, shared by several tests. */
import { webhooks, WebhookVerificationError } from '../../sdk/index.ts';

export const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
export const OTHER = `whsec_${Buffer.from('another secret, which is as long').toString('base64')}`;
export const ID = 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
export const BODY = `{"id":"${ID}","type":"payment.completed"}`;
/** A tolerance that accepts the pinned vector. */
export const LONG = { toleranceSeconds: 10 ** 10 };

export const unixNow = () => Math.floor(Date.now() / 1_000);

/** Returns the headers of a signed request. */
export function sign(more: object = {}): Record<string, string> {
  return webhooks.signTest({ body: BODY, secret: SECRET, id: ID, ...more });
}

/** Returns the headers of one form. */
export function only(
  headers: Record<string, string>,
  prefix: 'service-' | 'webhook-',
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(prefix)));
}

/** Returns the reason of the refusal. Throws if the request is accepted. */
export function reasonOf(verify: () => unknown): string {
  try {
    verify();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
  throw new Error('The request was accepted.');
}
