/**
 * The two forms of a webhook signature: what each one signs, with which key, and how it is written.
 * The genuine headers come from the signer; these tables serve to find mistakes.
 */
import { createHmac } from 'node:crypto';

/** `service`: Tollgate's own form. `standard`: Standard Webhooks. */
export type Form = 'service' | 'standard';

/** The parts of a request that can be signed. The timestamp is in unix seconds. */
export type Parts = Readonly<Record<'id' | 'timestamp' | 'body', string>>;

/** Receivers refuse a request that was signed longer than this before or after their own time. */
export const TOLERANCE_SECONDS = 300;

const rest = (secret: string): string => secret.replace(/^whsec_/, '');

/** The keys that code derives from a secret, with the right keys of both forms among them. */
export const KEYS = {
  key_whole: { how: 'the whole text', of: (secret: string) => Buffer.from(secret) },
  key_decoded: {
    how: 'what follows whsec_, decoded from base64',
    of: (secret: string) => Buffer.from(rest(secret), 'base64'),
  },
  key_prefix_cut: {
    how: 'what follows whsec_, without decoding it',
    of: (secret: string) => Buffer.from(rest(secret)),
  },
  key_prefix_decoded: {
    how: 'the whole text, decoded from base64 with whsec_',
    of: (secret: string) => Buffer.from(secret, 'base64'),
  },
} as const;

export const FORMS = {
  service: {
    name: 'Service-Signature',
    header: 'service-signature',
    key: 'key_whole',
    keyText: "the secret's whole text, whsec_ included",
    signs: ['timestamp', 'body'],
    prefix: 'v1=',
    encoding: 'hex',
  },
  standard: {
    name: 'webhook-signature',
    header: 'webhook-signature',
    key: 'key_decoded',
    keyText: 'what follows whsec_ in the secret, decoded from base64',
    signs: ['id', 'timestamp', 'body'],
    prefix: 'v1,',
    encoding: 'base64',
  },
} as const satisfies Record<Form, object>;

export const join = (parts: Parts, names: readonly (keyof Parts)[]): string =>
  names.map((name) => parts[name]).join('.');

export const hmac = (key: Buffer, text: string): Buffer =>
  createHmac('sha256', key).update(text).digest();

const SHA256_BYTES = 32;

/** Returns the signatures in a value, which is a whole header or a bare digest. */
export function readSignatures(value: string) {
  const found = value.matchAll(/((?:v1[=,])*)([\w+/-]+={0,2})/g);
  return [...found].flatMap(([, prefix = '', text = '']) => {
    const digest = Buffer.from(text, /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64');
    return digest.length === SHA256_BYTES ? [{ digest, text, prefix }] : [];
  });
}

type Signature = ReturnType<typeof readSignatures>[number];

/** Returns what is wrong with how a signature is written, or undefined. */
export function writingOf(form: Form, { digest, text, prefix }: Signature) {
  const { name, prefix: start, encoding: wanted } = FORMS[form];
  if (text !== digest.toString(wanted)) {
    const right = wanted === 'hex' ? 'hex in lower case' : 'base64 with its padding';
    const says = `It is encoded differently. ${name} has ${start} and then ${right}.`;
    return { code: 'encoding', kind: 'mistake', says } as const;
  }
  if (prefix === start) return undefined;
  const says =
    `It begins with ${prefix || 'no prefix'}, but each signature in ${name} with ${start}, once. ` +
    'Compare both with the prefix, or both without it.';
  // It is right to remove the prefix from the header before the comparison.
  return { code: 'prefix', kind: prefix === '' ? 'note' : 'mistake', says } as const;
}
