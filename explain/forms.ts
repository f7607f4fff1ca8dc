/**
 * The two forms of a webhook signature: what each one signs, with what key, and how it is written.
 * The genuine headers come from the signer; this table is for finding out how code got them wrong.
 */
import { createHmac } from 'node:crypto';

/** `service`: Tollgate's own form. `standard`: Standard Webhooks. */
export type Form = 'service' | 'standard';

/** What can be signed of a request. The timestamp is in unix seconds. */
export type Parts = Readonly<Record<'id' | 'timestamp' | 'body', string>>;

/** Receivers refuse a request that was signed longer than this before or after their own time. */
export const TOLERANCE_SECONDS = 300;

const rest = (secret: string): string => secret.replace(/^whsec_/, '');

/** The keys that code makes of a secret, the right ones of both forms among them. */
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
