/** The two signatures of a webhook request: Tollgate's own form and Standard Webhooks. */
import { createHmac } from 'node:crypto';
import { TollgateUsageError } from './errors.ts';

const SECRET_PREFIX = 'whsec_';
/** One character alone is less than a byte: it would be decoded to an empty key. */
const BASE64 = /^[A-Za-z0-9+/]{2,}={0,2}$/;

export interface Message {
  /** The event's id, as the header `webhook-id` has it. */
  readonly id: string;
  /** Unix seconds, exactly as sent. */
  readonly timestamp: string;
  /** The raw body. */
  readonly body: string | Uint8Array;
}

/** HMAC-SHA256 keyed with the secret's whole text, over `<timestamp>.<body>`. */
export function ownDigest({ timestamp, body }: Omit<Message, 'id'>, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/** HMAC-SHA256 keyed with the secret's decoded part, over `<id>.<timestamp>.<body>`. */
export function standardDigest({ id, timestamp, body }: Message, secret: string): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** The headers of a request that carries this message, signed with each of the secrets. */
export function signatureHeaders(
  message: Message,
  secrets: readonly string[],
): Record<string, string> {
  const own = secrets.map((secret) => `v1=${ownDigest(message, secret).toString('hex')}`);
  const standard = secrets.map((secret) => {
    return `v1,${standardDigest(message, secret).toString('base64')}`;
  });
  return {
    'content-type': 'application/json',
    'service-timestamp': message.timestamp,
    'service-signature': own.join(','),
    'webhook-id': message.id,
    'webhook-timestamp': message.timestamp,
    'webhook-signature': standard.join(' '),
  };
}

/** The secrets as a list. Throws TollgateUsageError, without showing them, if one cannot be one. */
export function checkSecrets(secret: string | readonly string[]): readonly string[] {
  const secrets: unknown = typeof secret === 'string' ? [secret] : secret;
  if (!Array.isArray(secrets) || secrets.length === 0) {
    throw new TollgateUsageError('The webhook secret is missing.');
  }
  for (const [index, each] of (secrets as readonly unknown[]).entries()) {
    const fault = secretFault(each);
    if (fault === undefined) continue;
    const which = secrets.length === 1 ? 'this one' : `number ${index + 1} of ${secrets.length}`;
    throw new TollgateUsageError(
      `A webhook secret must be whsec_ and base64, as the service shows it; ${which} ${fault}.`,
    );
  }
  return secrets as readonly string[];
}

/**
 * The secrets in the text of a setting: one, or several with commas between them. Spaces and ends
 * of lines around them are left out, as they come along when a secret is copied.
 */
export function splitSecrets(setting: string | undefined): readonly string[] {
  const texts = (setting ?? '').split(',').map((text) => text.trim());
  return checkSecrets(texts.filter((text) => text !== ''));
}

/** What is wrong with it, in words that do not show it; undefined when it can be a secret. */
function secretFault(secret: unknown): string | undefined {
  if (typeof secret !== 'string') return 'is no text';
  if (secret === '') return 'is empty';
  if (secret.includes(',')) return 'has a comma in it: webhooks.readSecrets takes several apart';
  if (/\s/.test(secret)) return 'has white space in it';
  if (!secret.startsWith(SECRET_PREFIX)) return 'begins otherwise';
  return BASE64.test(secret.slice(SECRET_PREFIX.length)) ? undefined : 'is not base64';
}

/** The body if it is one that can be signed: the bytes or the text as they came. */
export function readBody(body: string | Uint8Array): string | Uint8Array {
  // Bytes that were made in another realm, as under test runners, are no instance of ours.
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return body;
  throw new TollgateUsageError(
    'Pass the raw body, as a string, Buffer or Uint8Array, and not what was parsed from it: the ' +
      'signature is over the exact bytes. In Express, that is ' +
      'express.raw({ type: "application/json" }).',
  );
}
