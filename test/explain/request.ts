/** A request, and the signatures of a merchant's code, computed by node:crypto alone. */
import { createHmac } from 'node:crypto';
import { explainSignature } from '../../explain/signature.ts';
import type { Explained } from '../../explain/signature.ts';

export const SECRET = 'whsec_AAECAwQFBgcICQoLDA0ODxAREhMUFRYXGBkaGxwdHh8=';
export const DECODED = Buffer.from(SECRET.slice(6), 'base64');
export const ID = 'evt_01ARZ3NDEKTSV4RRFFQ69G5FAV';
export const TIMESTAMP = '1767225600';
export const BODY = `{"id":"${ID}","n":[1,2],"data":{"text":"Թեյ, \\"a\\": b","m":{}}}`;

export const explain = (more: Partial<Explained> = {}) =>
  explainSignature({ id: ID, timestamp: TIMESTAMP, body: BODY, secrets: [SECRET], ...more });

/** Returns the header `Service-Signature`. It is right by default. */
export function service(text = `${TIMESTAMP}.${BODY}`, key: string | Buffer = SECRET): string {
  return `v1=${createHmac('sha256', key).update(text).digest('hex')}`;
}

/** Returns the header `webhook-signature`. It is right by default. */
export function standard(
  text = `${ID}.${TIMESTAMP}.${BODY}`,
  key: string | Buffer = DECODED,
): string {
  return `v1,${createHmac('sha256', key).update(text).digest('base64')}`;
}

/** Returns the findings about computed values, each as its kind, header and code. */
export const found = (value: string, more: Partial<Explained> = {}): string[] =>
  explain({ ...more, computed: [value] }).findings.map(({ kind, about, code }) => {
    return `${kind} ${about}: ${code}`;
  });
