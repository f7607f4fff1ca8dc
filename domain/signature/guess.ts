/**
 * Finding out how a wrong signature was made: every usual mistake with the key, the message, the
 * timestamp and the body is tried, alone and together, until one gives the very same digest.
 */
import { SECRET_PREFIX, bytesOf, fromBase64, joined, keyOf, signedBytes } from './forms.ts';
import type { Form, Hmac, SignedParts } from './forms.ts';
import { rewritings } from './rewrite.ts';
import type { GivenDigest } from './values.ts';

export interface Mistake {
  readonly code: string;
  readonly says: string;
}

/** One way of doing a part of it; without a mistake it is the right one. */
interface Way<T> {
  readonly value: T;
  readonly mistakes: readonly Mistake[];
  /** Of this way and what it is tried with. */
  readonly maxMistakes?: number;
}

/** A secret that does not sign the request; `whose` ends the sentence "It was made with". */
export type OtherSecret = string | { readonly secret: string; readonly whose: string };

export interface Suspect {
  readonly form: Form;
  readonly parts: SignedParts;
  /** Those that requests are signed with. */
  readonly secrets: readonly string[];
  /** Others that the merchant may have used instead. */
  readonly otherSecrets: readonly OtherSecret[];
  /** Signatures that were sent: they are right whether or not their secret is still at hand. */
  readonly sent: Readonly<Record<Form, readonly Uint8Array[]>>;
  readonly hmac: Hmac;
}

/** People rarely do more than this wrong at once, and each one more multiplies the trials. */
const MAX_MISTAKES = 3;
/** The same with a secret of another endpoint, of which there may be dozens. */
const MAX_MISTAKES_WITH_OTHERS = 2;

const FORM_NAMES = { service: 'Service-Signature', standard: 'webhook-signature' } as const;

/** The mistakes that lead to this digest: none when it is right, undefined when unexplained. */
export function guessMistakes(
  suspect: Suspect,
  { digest, algorithm }: GivenDigest,
): readonly Mistake[] | undefined {
  const { form, hmac, sent } = suspect;
  if (sent[form].some((each) => isSame(each, digest))) return [];
  const wrongHash = algorithm === 'sha256' ? [] : [hashMistake(algorithm)];
  const fits = (key: Uint8Array, message: Uint8Array): boolean =>
    isSame(hmac(algorithm, key, message), digest);
  if (isOtherForm(suspect, digest, fits)) return [otherForm(form), ...wrongHash];
  const keys = keyWays(suspect);
  const bodies = bodyWays(suspect.parts.body);
  const messages = messageWays(form).flatMap((message) =>
    timeWays(suspect.parts.timestamp)
      .filter(({ mistakes }) => mistakes.length === 0 || message.value.includes('timestamp'))
      .map((time) => ({ message, time })),
  );
  const trials = messages.flatMap(({ message, time }) =>
    bodies.flatMap((body) =>
      keys.flatMap((key) => {
        const mistakes = [key, message, time, body].flatMap((way) => way.mistakes);
        if (mistakes.length > (key.maxMistakes ?? MAX_MISTAKES)) return [];
        return [{ key: key.value, message: message.value, time, body, mistakes }];
      }),
    ),
  );
  const likely = trials.toSorted((a, b) => a.mistakes.length - b.mistakes.length);
  const found = likely.find(({ key, message, time, body }) => {
    const values = { id: suspect.parts.id, timestamp: time.value, body: body.value };
    return fits(key, joined(message.map((part) => (isName(part) ? values[part] : part))));
  });
  return found && [...found.mistakes, ...wrongHash];
}

function isOtherForm(
  { form, parts, secrets, sent }: Suspect,
  digest: Uint8Array,
  fits: (key: Uint8Array, message: Uint8Array) => boolean,
): boolean {
  const other = form === 'service' ? 'standard' : 'service';
  if (sent[other].some((each) => isSame(each, digest))) return true;
  return secrets.some((secret) => {
    const key = keyOf(other, secret);
    return key !== undefined && fits(key, signedBytes(other, parts));
  });
}

function otherForm(form: Form): Mistake {
  const other = form === 'service' ? 'standard' : 'service';
  const says =
    `This is what ${FORM_NAMES[other]} has: it is right, but not to be compared with ` +
    `${FORM_NAMES[form]}, which signs other bytes with another key.`;
  return { code: 'other_form', says };
}

function hashMistake(algorithm: string): Mistake {
  const name = algorithm.replace('sha', 'SHA-');
  return { code: 'hash', says: `It was made with ${name}: it has to be HMAC-SHA256.` };
}

export function isSame(a: Uint8Array, b: Uint8Array): boolean {
  return a.length === b.length && a.every((byte, index) => byte === b[index]);
}

const ANOTHER = 'another secret of yours: an old one, or that of another endpoint';

function keyWays({ form, secrets, otherSecrets }: Suspect): Way<Uint8Array>[] {
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

type PartName = 'id' | 'timestamp' | 'body';
/** The parts by name, with what stands between them. */
type Layout = readonly (PartName | '.' | ':' | '_' | '-' | '|' | ',' | ' ' | '\n')[];

const isName = (part: Layout[number]): part is PartName => part.length > 1;

const SEPARATORS = [':', '_', '-', '|', ',', ' ', '\n'] as const;
const LAYOUT_OF = {
  service: ['timestamp', '.', 'body'],
  standard: ['id', '.', 'timestamp', '.', 'body'],
} as const satisfies Record<Form, Layout>;

function messageWays(form: Form): Way<Layout>[] {
  const right = LAYOUT_OF[form];
  const mistake = (code: string, how: string): Mistake => {
    const wanted = right.map((part) => (part === '.' ? '"."' : part)).join(' + ');
    return { code, says: `The message of ${FORM_NAMES[form]} is ${wanted}; ${how}.` };
  };
  const separator = (how: string): Mistake => mistake('separator', how);
  const missing = mistake('timestamp_missing', 'the timestamp was left out');
  const noId = mistake('id_missing', 'the id was left out');
  const tooMuch = mistake('id_extra', 'the id was put before it');
  const order = mistake('order', 'the parts were in another order');
  const isStandard = form === 'standard';
  const swapped: Layout = isStandard
    ? ['timestamp', '.', 'id', '.', 'body']
    : ['body', '.', 'timestamp'];
  return [
    { value: right, mistakes: [] },
    { value: ['body'], mistakes: isStandard ? [missing, noId] : [missing] },
    { value: ['id', '.', 'body'], mistakes: isStandard ? [missing] : [missing, tooMuch] },
    isStandard
      ? { value: LAYOUT_OF.service, mistakes: [noId] }
      : { value: LAYOUT_OF.standard, mistakes: [tooMuch] },
    { value: swapped, mistakes: [order] },
    {
      value: right.filter((part) => part !== '.'),
      mistakes: [separator('nothing stood between its parts')],
    },
    ...SEPARATORS.map((other) => ({
      value: right.map((part) => (part === '.' ? other : part)),
      mistakes: [separator(`${JSON.stringify(other)} stood in place of "."`)],
    })),
  ];
}

/** 13 digits are milliseconds until the year 2286. */
const MILLISECONDS = /^\d{13}$/;
const SECONDS = /^\d{9,11}$/;

function timeWays(timestamp: string): Way<string>[] {
  const says = 'The timestamp was in milliseconds: take the header as it is, in whole seconds.';
  const inMs = { code: 'timestamp_ms', says };
  const iso = {
    code: 'timestamp_text',
    says: 'The timestamp was written as a date: take the header as it is, in whole seconds.',
  };
  const right = { value: timestamp, mistakes: [] };
  if (MILLISECONDS.test(timestamp)) {
    return [right, { value: timestamp.slice(0, -3), mistakes: [inMs] }];
  }
  if (!SECONDS.test(timestamp)) return [right];
  const date = new Date(Number(timestamp) * 1_000).toISOString();
  return [
    right,
    { value: `${timestamp}000`, mistakes: [inMs] },
    { value: date, mistakes: [iso] },
    { value: date.replace('.000Z', 'Z'), mistakes: [iso] },
  ];
}

function bodyWays(body: Uint8Array): Way<Uint8Array>[] {
  const others = rewritings(body).map(({ code, body: value, says }) => {
    return { value, mistakes: [{ code, says }] };
  });
  return [{ value: body, mistakes: [] }, ...others];
}
