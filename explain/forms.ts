/**
 * The two forms of a webhook signature: what each one signs, with which key, and how it is written.
 * The genuine headers come from the signer; these tables serve to find mistakes.
 */

/** The parts of a request that can be signed. The timestamp is in unix seconds. */
export type Parts = Readonly<Record<'id' | 'timestamp' | 'body', string>>;

const rest = (secret: string): string => secret.replace(/^whsec_/, '');

/** The keys that code derives from a secret, with the right keys of both forms among them. */
export const KEYS = {
  key_whole: {
    text: "the secret's whole text, whsec_ included",
    of: (secret: string) => Buffer.from(secret),
  },
  key_decoded: {
    text: 'what follows whsec_ in the secret, decoded from base64',
    of: (secret: string) => Buffer.from(rest(secret), 'base64'),
  },
  key_prefix_cut: {
    text: 'what follows whsec_ in the secret, without decoding it',
    of: (secret: string) => Buffer.from(rest(secret)),
  },
} as const;

/** `service`: Tollgate's own form. `standard`: Standard Webhooks. */
export const FORMS = {
  service: {
    header: 'service-signature',
    key: 'key_whole',
    text: ({ timestamp, body }: Parts) => `${timestamp}.${body}`,
    prefix: 'v1=',
    encoding: 'hex',
  },
  standard: {
    header: 'webhook-signature',
    key: 'key_decoded',
    text: ({ id, timestamp, body }: Parts) => `${id}.${timestamp}.${body}`,
    prefix: 'v1,',
    encoding: 'base64',
  },
} as const;

export type Form = keyof typeof FORMS;

const SHA256_BYTES = 32;

/** Returns the signatures in a value, which is a whole header or a bare digest. */
export function readSignatures(value: string) {
  const found = value.matchAll(/((?:v1[=,])*)([\w+/-]+={0,2})/g);
  return [...found].flatMap(([, prefix = '', text = '']) => {
    const encoding = /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64';
    const digest = Buffer.from(text, encoding);
    return digest.length === SHA256_BYTES ? [{ digest, text, encoding, prefix }] : [];
  });
}

export type Signature = ReturnType<typeof readSignatures>[number];
