/** What a merchant's code may have taken for the key: the right one, and what else is made of it. */
import { FORM_NAMES, SECRET_PREFIX, bytesOf, fromBase64 } from './forms.ts';
import type { Form } from './forms.ts';
import type { Way } from './ways.ts';

/** A secret that does not sign the request; `whose` ends the sentence "It was made with". */
export type OtherSecret = string | { readonly secret: string; readonly whose: string };

interface Secrets {
  readonly form: Form;
  /** Those that requests are signed with. */
  readonly secrets: readonly string[];
  /** Others that the merchant may have used instead. */
  readonly otherSecrets: readonly OtherSecret[];
}

/** With a secret of another endpoint, of which there may be dozens, little else is tried. */
const MAX_MISTAKES_WITH_OTHERS = 2;

const ANOTHER = 'another secret of yours: an old one, or that of another endpoint';

export function keyWays({ form, secrets, otherSecrets }: Secrets): Way<Uint8Array>[] {
  const empty = { code: 'key_empty', says: 'The key was empty: the secret was not there.' };
  return [
    ...secrets.flatMap((secret) => keysOf(form, secret)),
    ...otherSecrets.flatMap((other) => {
      const { secret, whose } =
        typeof other === 'string' ? { secret: other, whose: ANOTHER } : other;
      const replaced = { code: 'other_secret', says: `It was made with ${whose}.` };
      return keysOf(form, secret).map(({ value, mistakes }) => {
        const maxMistakes = MAX_MISTAKES_WITH_OTHERS;
        return { value, mistakes: [replaced, ...mistakes], maxMistakes };
      });
    }),
    { value: new Uint8Array(), mistakes: [empty] },
  ];
}

/** The right key first, then what else is made of a secret. */
function keysOf(form: Form, secret: string): Way<Uint8Array>[] {
  const rest = secret.startsWith(SECRET_PREFIX) ? secret.slice(SECRET_PREFIX.length) : secret;
  const whole = `The key of ${FORM_NAMES.service} is the secret's whole text, whsec_ included`;
  const decoded = `The key of ${FORM_NAMES.standard} is what follows whsec_, decoded from base64`;
  const wanted = form === 'service' ? whole : decoded;
  const rows: [code: string, key: Uint8Array | undefined, how: string][] = [
    ['key_whole', bytesOf(secret), 'the whole text was used'],
    ['key_decoded', fromBase64(rest), 'the decoded part was used'],
    ['key_prefix_cut', bytesOf(rest), 'whsec_ was cut and the rest not decoded'],
    // Decoders differ in whether `_` is a letter of base64 or is passed over.
    ['key_prefix_decoded', decodedAnyway(secret), 'whsec_ was decoded too'],
    ['key_prefix_decoded', decodedAnyway(secret.replaceAll('_', '')), 'whsec_ was decoded too'],
    ['key_newline', bytesOf(`${secret}\n`), 'a line break was left at its end'],
    ['key_quotes', bytesOf(`"${secret}"`), 'quotation marks were left around it'],
  ];
  const right = form === 'service' ? 'key_whole' : 'key_decoded';
  return rows.flatMap(([code, value, how]) => {
    if (!value) return [];
    const mistakes = code === right ? [] : [{ code, says: `${wanted}; ${how}.` }];
    return [{ value, mistakes }];
  });
}

/** As a decoder reads it that passes over what is too much at the end. */
function decodedAnyway(text: string): Uint8Array | undefined {
  const letters = text.replace(/=+$/, '');
  return fromBase64(letters.length % 4 === 1 ? letters.slice(0, -1) : letters);
}
