/**
 * The two signatures of a webhook request: our own, and that of Standard Webhooks. Both sign the
 * same raw bytes and timestamp (docs/guides/webhooks.md).
 */
import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** Returns a new signing secret: `whsec_` and 32 random bytes in base64. */
export function makeWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface SignedMessage {
  /** The event's id. */
  readonly id: string;
  /** The time of this attempt, in Unix seconds. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * Returns the signature headers of one request, with a signature for each valid secret. Our own key
 * is the secret's whole text. The key of Standard Webhooks is its decoded base64 part.
 */
export function signatureHeaders(
  message: SignedMessage,
  secrets: readonly string[],
): Record<string, string> {
  const timestamp = String(message.timestamp);
  const own = secrets.map((secret) => {
    const hmac = createHmac('sha256', secret).update(`${timestamp}.${message.body}`);
    return `v1=${hmac.digest('hex')}`;
  });
  const standard = secrets.map((secret) => {
    const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
    const hmac = createHmac('sha256', key).update(`${message.id}.${timestamp}.${message.body}`);
    return `v1,${hmac.digest('base64')}`;
  });
  return {
    'Service-Timestamp': timestamp,
    'Service-Signature': own.join(','),
    'webhook-id': message.id,
    'webhook-timestamp': timestamp,
    'webhook-signature': standard.join(' '),
  };
}
