/** The signatures that a request claims to have, read from its headers and held to the secrets. */
import { timingSafeEqual } from 'node:crypto';
import { WebhookVerificationError } from './errors.ts';
import { headerValues } from './headers.ts';
import type { WebhookHeaders } from './headers.ts';
import { ownDigest, standardDigest } from './signatures.ts';

/** Decimal digits alone: no sign, fraction, exponent or hexadecimal. */
const TIMESTAMP = /^\d{1,12}$/;
const HEX_DIGEST = /^v1=([0-9a-f]{64})$/;
const BASE64_DIGEST = /^v1,([A-Za-z0-9+/]{42}[AEIMQUYcgkosw048]=),?$/;

/** One form of signature as it came. */
export interface Claim {
  /** As sent; undefined when it is missing, repeated or not whole seconds. */
  readonly timestamp: string | undefined;
  /** One for each secret that was live; those of a version we do not know are left out. */
  readonly digests: readonly Buffer[];
  /** What a digest has to be with that secret. */
  readonly expected: (timestamp: string, secret: string) => Buffer;
}

/** Each form of which there is a signature header: none, one or both. */
export function readClaims(headers: WebhookHeaders, body: string | Uint8Array): Claim[] {
  return [ownClaim(headers, body), standardClaim(headers, body)].filter((claim) => claim !== null);
}

function ownClaim(headers: WebhookHeaders, body: string | Uint8Array): Claim | null {
  const signatures = headerValues(headers, 'service-signature');
  if (signatures.length === 0) return null;
  const texts = signatures.flatMap((text) => text.split(',')).map((text) => text.trim());
  return {
    timestamp: readTimestamp(headers, 'service-timestamp'),
    digests: digestsOf(texts, HEX_DIGEST, 'hex'),
    expected: (timestamp, secret) => ownDigest({ timestamp, body }, secret),
  };
}

function standardClaim(headers: WebhookHeaders, body: string | Uint8Array): Claim | null {
  const signatures = headerValues(headers, 'webhook-signature');
  if (signatures.length === 0) return null;
  const ids = headerValues(headers, 'webhook-id');
  const id = ids[0] ?? '';
  const texts = signatures.flatMap((text) => text.split(/\s+/));
  return {
    // Without one id there is nothing that could have been signed.
    timestamp: ids.length === 1 ? readTimestamp(headers, 'webhook-timestamp') : undefined,
    digests: digestsOf(texts, BASE64_DIGEST, 'base64'),
    expected: (timestamp, secret) => standardDigest({ id, timestamp, body }, secret),
  };
}

function readTimestamp(headers: WebhookHeaders, name: string): string | undefined {
  const values = headerValues(headers, name);
  const text = values[0] ?? '';
  return values.length === 1 && TIMESTAMP.test(text) ? text : undefined;
}

function digestsOf(texts: readonly string[], form: RegExp, encoding: 'hex' | 'base64'): Buffer[] {
  return texts
    .map((text) => form.exec(text)?.[1])
    .filter((digest) => digest !== undefined)
    .map((digest) => Buffer.from(digest, encoding));
}

export interface Measure {
  readonly secrets: readonly string[];
  readonly toleranceSeconds: number;
  /** Unix seconds. */
  readonly now: number;
}

/** Why the claim does not hold; undefined when it does. */
export function faultOf(
  { timestamp, digests, expected }: Claim,
  { secrets, toleranceSeconds, now }: Measure,
): WebhookVerificationError | undefined {
  if (timestamp === undefined) {
    const message = 'The id or timestamp of the signature is missing or malformed.';
    return new WebhookVerificationError('headers', message);
  }
  if (Math.abs(now - Number(timestamp)) > toleranceSeconds) {
    const message = `It was signed more than ${toleranceSeconds} s from now; check the clock.`;
    return new WebhookVerificationError('timestamp', message);
  }
  const wanted = secrets.map((secret) => expected(timestamp, secret));
  // Both are SHA-256 digests, so their lengths are equal; the time taken tells nothing of them.
  if (digests.some((digest) => wanted.some((each) => timingSafeEqual(digest, each)))) return;
  const message = 'No signature fits: is it the right secret, and the body as it came?';
  return new WebhookVerificationError('signature', message);
}
