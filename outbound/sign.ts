/**
 * The signatures of a webhook request, both over the same raw bytes and timestamp: our own
 * and Standard Webhooks (docs/guides/webhooks.md).
 */
import { createHmac, randomBytes } from 'node:crypto';

const SECRET_PREFIX = 'whsec_';
const SECRET_BYTES = 32;

/** A new signing secret: `whsec_` and 32 random bytes in base64. */
export function makeWebhookSecret(): string {
  return SECRET_PREFIX + randomBytes(SECRET_BYTES).toString('base64');
}

export interface SignedMessage {
  /** The event's id. */
  readonly id: string;
  /** Unix seconds of this attempt. */
  readonly timestamp: number;
  readonly body: string;
}

/**
 * The signature headers of one request, with one signature for each live secret. Our form's key
 * is the secret's whole text; Standard Webhooks' key is its base64 part, decoded.
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
