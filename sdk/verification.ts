/** Reads the signatures of a webhook request, and checks them with the secrets. */
import { timingSafeEqual } from 'node:crypto';
import { WebhookVerificationError } from './errors.ts';
import { headerValues } from './headers.ts';
import type { WebhookHeaders } from './headers.ts';
import { ownDigest, standardDigest } from './signatures.ts';

/** Decimal digits only: no sign, fraction, exponent or hexadecimal. */
const TIMESTAMP = /^\d{1,12}$/;
const HEX_DIGEST = /^v1=([0-9a-f]{64})$/;
const BASE64_DIGEST = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=),?$/;

/** The signatures of one form, as the request has them. */
interface Signed {
  /** Undefined if the timestamp is missing, repeated or malformed. */
  readonly timestamp: string | undefined;
  /** One for each secret that was valid. Signatures of other versions are left out. */
  readonly digests: readonly Buffer[];
  readonly expected: (timestamp: string, secret: string) => Buffer;
}

interface Terms {
  readonly secrets: readonly string[];
  readonly toleranceSeconds: number;
}

/** Throws WebhookVerificationError unless the signatures of at least one form are genuine. */
export function requireGenuine(
  headers: WebhookHeaders,
  body: string | Uint8Array,
  terms: Terms,
): void {
  const forms = [readOwn(headers, body), readStandard(headers, body)];
  const faults = forms.filter((form) => form !== null).map((form) => faultOf(form, terms));
  if (faults.includes(undefined)) return;
  throw faults[0] ?? new WebhookVerificationError('headers', 'There are no signature headers.');
}

function readOwn(headers: WebhookHeaders, body: string | Uint8Array): Signed | null {
  const signatures = headerValues(headers, 'service-signature');
  if (signatures.length === 0) return null;
  const texts = signatures.flatMap((text) => text.split(',')).map((text) => text.trim());
  return {
    timestamp: readTimestamp(headers, 'service-timestamp'),
    digests: digestsOf(texts, HEX_DIGEST, 'hex'),
    expected: (timestamp, secret) => ownDigest({ timestamp, body }, secret),
  };
}

function readStandard(headers: WebhookHeaders, body: string | Uint8Array): Signed | null {
  const signatures = headerValues(headers, 'webhook-signature');
  if (signatures.length === 0) return null;
  const [id, ...more] = headerValues(headers, 'webhook-id');
  const isIdClear = id !== undefined && more.length === 0;
  const texts = signatures.flatMap((text) => text.split(/\s+/));
  return {
    timestamp: isIdClear ? readTimestamp(headers, 'webhook-timestamp') : undefined,
    digests: digestsOf(texts, BASE64_DIGEST, 'base64'),
    expected: (timestamp, secret) => standardDigest({ id: id ?? '', timestamp, body }, secret),
  };
}

function readTimestamp(headers: WebhookHeaders, name: string): string | undefined {
  const [text = '', ...more] = headerValues(headers, name);
  return more.length === 0 && TIMESTAMP.test(text) ? text : undefined;
}

function digestsOf(texts: readonly string[], form: RegExp, encoding: 'hex' | 'base64'): Buffer[] {
  return texts
    .map((text) => form.exec(text)?.[1])
    .filter((digest) => digest !== undefined)
    .map((digest) => Buffer.from(digest, encoding));
}

/** Returns what is wrong with the signatures of one form; undefined if one is genuine. */
function faultOf(
  { timestamp, digests, expected }: Signed,
  { secrets, toleranceSeconds }: Terms,
): WebhookVerificationError | undefined {
  if (timestamp === undefined) {
    const message = 'The id or timestamp of the signature is missing or malformed.';
    return new WebhookVerificationError('headers', message);
  }
  if (Math.abs(Math.floor(Date.now() / 1_000) - Number(timestamp)) > toleranceSeconds) {
    const message = `It was signed more than ${toleranceSeconds} s from now; check the clock.`;
    return new WebhookVerificationError('timestamp', message);
  }
  const wanted = secrets.map((secret) => expected(timestamp, secret));
  // Digests have equal lengths, and each comparison takes constant time.
  if (digests.some((digest) => wanted.some((each) => timingSafeEqual(digest, each)))) return;
  const message = 'No signature fits. Check the secret, and pass the body exactly as it arrived.';
  return new WebhookVerificationError('signature', message);
}
