/**
 * What is signed of a webhook request, with what key, and how the result is written: the two forms
 * side by side (API, Webhook requests). Nothing is computed here; whoever calls brings the HMAC.
 */

export const SECRET_PREFIX = 'whsec_';
/** Receivers accept what was signed so long before or after their own time. */
export const TOLERANCE_SECONDS = 300;

/** `service`: Tollgate's own form. `standard`: Standard Webhooks. */
export type Form = 'service' | 'standard';

export type Algorithm = 'sha1' | 'sha256' | 'sha384' | 'sha512';

/** Computes an HMAC; handed in, so that the rules need no library. */
export type Hmac = (algorithm: Algorithm, key: Uint8Array, message: Uint8Array) => Uint8Array;

export interface SignedParts {
  readonly id: string;
  /** As the header has it. */
  readonly timestamp: string;
  /** The raw bytes. */
  readonly body: Uint8Array;
}

const encoder = new TextEncoder();

export const bytesOf = (text: string): Uint8Array => encoder.encode(text);

/** The parts one after the other; text as UTF-8. */
export function joined(parts: readonly (string | Uint8Array)[]): Uint8Array {
  const pieces = parts.map((part) => (typeof part === 'string' ? bytesOf(part) : part));
  const whole = new Uint8Array(pieces.reduce((sum, { length }) => sum + length, 0));
  let at = 0;
  for (const piece of pieces) {
    whole.set(piece, at);
    at += piece.length;
  }
  return whole;
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

/** The exact bytes that the signature of that form is over. */
export function signedBytes(form: Form, { id, timestamp, body }: SignedParts): Uint8Array {
  return form === 'service'
    ? joined([timestamp, '.', body])
    : joined([id, '.', timestamp, '.', body]);
}

/** The key of that form; undefined when the secret is not `whsec_` and base64. */
export function keyOf(form: Form, secret: string): Uint8Array | undefined {
  if (form === 'service') return bytesOf(secret);
  return secret.startsWith(SECRET_PREFIX)
    ? fromBase64(secret.slice(SECRET_PREFIX.length))
    : undefined;
}

export function toHex(bytes: Uint8Array): string {
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('');
}

export function toBase64(bytes: Uint8Array): string {
  return btoa(Array.from(bytes, (byte) => String.fromCharCode(byte)).join(''));
}

/** The bytes that the text stands for, in either alphabet; undefined when it is no base64. */
export function fromBase64(text: string): Uint8Array | undefined {
  if (!/^[A-Za-z0-9+/_-]+={0,2}$/.test(text)) return undefined;
  const plain = text.replaceAll('-', '+').replaceAll('_', '/').replace(/=+$/, '');
  if (plain.length % 4 === 1) return undefined;
  return Uint8Array.from(atob(plain), (char) => char.charCodeAt(0));
}

/** The digest as the header of that form has it. */
export function headerText(form: Form, digest: Uint8Array): string {
  return form === 'service' ? `v1=${toHex(digest)}` : `v1,${toBase64(digest)}`;
}

/** What each form is called where somebody is told about it. */
export const FORM_NAMES = {
  service: 'Service-Signature',
  standard: 'webhook-signature',
} as const satisfies Record<Form, string>;

/** The name of the header that carries that form, in lower case. */
export const HEADER_OF = {
  service: 'service-signature',
  standard: 'webhook-signature',
} as const satisfies Record<Form, string>;
