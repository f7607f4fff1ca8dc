/** Reads signatures that somebody computed or received, however they are written. */
import { FORMS } from './forms.ts';
import type { Form } from './forms.ts';

interface Signature {
  readonly digest: Buffer;
  /** As it was given, without its prefix. */
  readonly text: string;
  readonly encoding: 'hex' | 'base64';
  /** As `v1=`; may be empty. */
  readonly prefix: string;
}

const SHA256_BYTES = 32;

/** Returns the signatures in a value, which is a whole header or a bare digest. */
export function readSignatures(value: string): Signature[] {
  const found = value.matchAll(/((?:v1[=,])*)([\w+/-]+={0,2})/g);
  return [...found].flatMap(([, prefix = '', text = '']) => {
    const encoding = /^[0-9a-f]{64}$/i.test(text) ? 'hex' : 'base64';
    const digest = Buffer.from(text, encoding);
    return digest.length === SHA256_BYTES ? [{ digest, text, encoding, prefix }] : [];
  });
}

/** Returns what is wrong with how a signature is written, or undefined. */
export function writingOf(form: Form, { digest, text, encoding, prefix }: Signature) {
  const { name, prefix: start, encoding: wanted } = FORMS[form];
  if (text !== digest.toString(wanted)) {
    const right = wanted === 'hex' ? 'hex in small letters' : 'base64 with its padding';
    const how = encoding === wanted ? `another kind of ${encoding}` : encoding;
    const says = `It is written in ${how}. ${name} has ${start} and then ${right}.`;
    return { code: 'encoding', kind: 'mistake', says } as const;
  }
  if (prefix === start) return undefined;
  const says =
    prefix === ''
      ? `The prefix ${start} of ${name} is missing. Compare both with it, or both without it.`
      : `It begins with ${prefix}. Each signature in ${name} begins with ${start}, once.`;
  // Code that cuts the prefix from the header before it compares is right.
  return { code: 'prefix', kind: prefix === '' ? 'note' : 'mistake', says } as const;
}
