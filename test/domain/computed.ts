/** A request as it is sent, and what a merchant's code may compute for it. */
import { createHmac } from 'node:crypto';
import { makeWebhookSecret } from '../../outbound/sign.ts';
import { eventBody } from '../../domain/event.ts';
import { explainSignature } from '../../domain/signature/explain.ts';
import type { Explained, Explanation } from '../../domain/signature/explain.ts';
import type { Algorithm, Hmac } from '../../domain/signature/forms.ts';
import { publicPayment } from '../../domain/wire.ts';
import { mintId } from '../../store/mint.ts';
import { makePayment } from '../support/payment.ts';

export const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
export const OLD = makeWebhookSecret();
export const STRANGERS = makeWebhookSecret();
export const TIMESTAMP = '1767225600';
export const ID = mintId('event');
export const object = publicPayment(
  makePayment({ description: 'Թեյ & <café> 🍵', metadata: { b: 'x/y', a: '1' } }),
  { checkoutUrl: 'https://pay.example' },
);
export const BODY = eventBody({
  id: ID,
  type: 'payment.completed',
  createdAt: new Date(Number(TIMESTAMP) * 1_000),
  livemode: false,
  object,
  request: null,
});

export const hmac: Hmac = (algorithm, key, message) =>
  createHmac(algorithm, key).update(message).digest();

export function explain(more: Partial<Explained> = {}): Explanation {
  const request = { id: ID, timestamp: TIMESTAMP, body: BODY, secrets: [SECRET] };
  return explainSignature({ ...request, ...more }, hmac);
}

export const codes = (explanation: Explanation): string[] =>
  explanation.findings.map(({ code }) => code).toSorted();

type Key = string | Buffer;

interface Made {
  key?: Key;
  message?: string | Buffer;
  algorithm?: Algorithm;
  write?: (digest: Buffer) => string;
}

export const hex = (digest: Buffer): string => `v1=${digest.toString('hex')}`;
export const base64 = (digest: Buffer): string => `v1,${digest.toString('base64')}`;
export const DECODED = Buffer.from(SECRET.slice(6), 'base64');

/** What a merchant's code computes for Service-Signature, right where nothing is said. */
export function service({
  key = SECRET,
  message,
  algorithm = 'sha256',
  write = hex,
}: Made): string {
  const text = message ?? `${TIMESTAMP}.${BODY}`;
  return write(createHmac(algorithm, key).update(text).digest());
}

export function standard({
  key = DECODED,
  message,
  algorithm = 'sha256',
  write = base64,
}: Made): string {
  const text = message ?? `${ID}.${TIMESTAMP}.${BODY}`;
  return write(createHmac(algorithm, key).update(text).digest());
}

export const ascii = (char: string): string =>
  `\\u${char.charCodeAt(0).toString(16).padStart(4, '0')}`;

/** As Python's json.dumps writes it. */
export function python(text: string): string {
  const spaced = (value: unknown): string => {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value);
    if (Array.isArray(value)) return `[${value.map(spaced).join(', ')}]`;
    const pairs = Object.entries(value).map(([key, each]) => `"${key}": ${spaced(each)}`);
    return `{${pairs.join(', ')}}`;
  };
  return spaced(JSON.parse(text)).replaceAll(/[\u0080-\uffff]/g, ascii);
}

export const spoken = (body: string): string => `${TIMESTAMP}.${body}`;
