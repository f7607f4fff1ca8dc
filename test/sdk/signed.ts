/** A webhook's text, secrets and signatures, as several tests need them. */
import { webhooks, WebhookVerificationError } from '../../sdk/index.ts';

export const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
export const OTHER = `whsec_${Buffer.from('another secret, which is as long').toString('base64')}`;
export const ID = 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
export const BODY = `{"id":"${ID}","type":"payment.completed"}`;
/** Covers for a lifetime what was signed in the past. */
export const LONG = { toleranceSeconds: 10 ** 10 };

export const unixNow = () => Math.floor(Date.now() / 1_000);

/** The headers of a request with that text, unless `more` says otherwise. */
export function sign(more: object = {}): Record<string, string> {
  return webhooks.signTest({ body: BODY, secret: SECRET, id: ID, ...more });
}

/** Only the headers of one form. */
export function only(
  headers: Record<string, string>,
  prefix: 'service-' | 'webhook-',
): Record<string, string> {
  return Object.fromEntries(Object.entries(headers).filter(([name]) => name.startsWith(prefix)));
}

/** Why this is refused; throws when it is not. */
export function reasonOf(verify: () => unknown): string {
  try {
    verify();
  } catch (error) {
    if (error instanceof WebhookVerificationError) return error.reason;
    throw error;
  }
  throw new Error('it was taken for genuine');
}
