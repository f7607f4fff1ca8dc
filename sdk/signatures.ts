/** The two signatures of a webhook request, Tollgate's own and Standard Webhooks, and secrets. */
import { createHmac } from 'node:crypto';
import { TollgateUsageError } from './errors.ts';

const SECRET_PREFIX = 'whsec_';
/** At least two characters: a single one would be decoded to an empty key. */
const BASE64 = /^[A-Za-z0-9+/]{2,}={0,2}$/;

export interface Message {
  /** The event's id, from the header `webhook-id`. */
  readonly id: string;
  /** Unix seconds, exactly as in the header. */
  readonly timestamp: string;
  readonly body: string | Uint8Array;
}

/** Returns the HMAC-SHA256 of `<timestamp>.<body>`. The key is the secret's whole text. */
export function ownDigest({ timestamp, body }: Omit<Message, 'id'>, secret: string): Buffer {
  return createHmac('sha256', secret).update(`${timestamp}.`).update(body).digest();
}

/** Returns the HMAC-SHA256 of `<id>.<timestamp>.<body>`. The key is the decoded secret. */
export function standardDigest({ id, timestamp, body }: Message, secret: string): Buffer {
  const key = Buffer.from(secret.slice(SECRET_PREFIX.length), 'base64');
  return createHmac('sha256', key).update(`${id}.${timestamp}.`).update(body).digest();
}

/** Returns the headers of a request with this message, signed with each secret. */
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

/** Returns the secrets as a list. Throws TollgateUsageError if one is malformed. */
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

/** Returns the secrets of a setting: one, or several separated by commas, with or without spaces. */
export function splitSecrets(setting: string | undefined): readonly string[] {
  const texts = (setting ?? '').split(',').map((text) => text.trim());
  return checkSecrets(texts.filter((text) => text !== ''));
}

/** Returns what is wrong with the secret, without showing it; undefined if nothing is. */
function secretFault(secret: unknown): string | undefined {
  if (typeof secret !== 'string') return 'is not text';
  if (secret === '') return 'is empty';
  if (secret.includes(',')) return 'has a comma in it: webhooks.readSecrets splits a list';
  if (/\s/.test(secret)) return 'has white space in it';
  if (!secret.startsWith(SECRET_PREFIX)) return 'does not begin with whsec_';
  return BASE64.test(secret.slice(SECRET_PREFIX.length)) ? undefined : 'is not base64';
}

/** Returns the body if it is bytes or text. Throws TollgateUsageError for a parsed body. */
export function readBody(body: string | Uint8Array): string | Uint8Array {
  // Not instanceof: test runners may create the bytes in another realm.
  if (typeof body === 'string' || ArrayBuffer.isView(body)) return body;
  throw new TollgateUsageError(
    'Pass the raw body as a string, Buffer or Uint8Array, not the parsed body: the signature covers ' +
      'the exact bytes. In Express, use express.raw({ type: "application/json" }).',
  );
}
