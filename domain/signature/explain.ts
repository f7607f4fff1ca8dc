/**
 * The signature explainer: what is signed of a webhook request and what its headers have to be,
 * and, where somebody computed something else, what he most likely did.
 */
import { HEADER_OF, bytesOf, headerText, keyOf, signedBytes, toHex } from './forms.ts';
import type { Form, Hmac } from './forms.ts';
import { inspect } from './inspect.ts';
import { judge, together } from './judge.ts';
import type { Accused } from './judge.ts';
import type { OtherSecret } from './keys.ts';
import type { OtherMoment } from './moments.ts';
import { rewritings } from './rewrite.ts';
import type { Rewritten } from './rewrite.ts';
import { readDigests } from './values.ts';
import type { GivenTime } from './ways.ts';

export interface Explained {
  /** The event's id, as the header `webhook-id` has it. */
  readonly id: string;
  /** The header's text: unix seconds. */
  readonly timestamp: string;
  /** The raw body. */
  readonly body: string | Uint8Array;
  /** Those that the request is signed with, one or, while one is being replaced, several. */
  readonly secrets: readonly string[];
  /** Others that the merchant may have used: old ones, and those of his other endpoints. */
  readonly otherSecrets?: readonly OtherSecret[] | undefined;
  /** Other attempts of the delivery, whose time may have been taken. */
  readonly otherMoments?: readonly OtherMoment[] | undefined;
  /** The headers that were sent, where that is on record, by their names in lower case. */
  readonly sent?: Readonly<Record<string, string>> | undefined;
  /** Headers that were received, or computed, by their names in lower case. */
  readonly given?: Readonly<Record<string, string | undefined>> | undefined;
  /** Signatures that were computed, without saying for which form. */
  readonly computed?: readonly string[] | undefined;
  /** Of the receiver's clock, unix seconds; left out, the age is not judged. */
  readonly now?: number | undefined;
}

export interface SignedForm {
  readonly form: Form;
  /** The signed bytes as text. */
  readonly signed: string;
  /** Characters that are easily lost or changed on the way, at most a few. */
  readonly odd: readonly { readonly at: number; readonly char: string; readonly hex: string }[];
  readonly key: string;
}

export interface ComparedHeader {
  readonly name: string;
  readonly expected: string;
  /** Undefined when nothing was given. */
  readonly given?: string;
  readonly fits?: boolean;
}

export interface Finding {
  readonly code: string;
  /** `mistake`: this makes the signature differ. `note`: true, and perhaps what is looked for. */
  readonly kind: 'mistake' | 'note';
  /** The header it is about; null for the request. */
  readonly about: string | null;
  readonly says: string;
}

export interface Explanation {
  readonly forms: readonly SignedForm[];
  readonly headers: readonly ComparedHeader[];
  readonly findings: readonly Finding[];
}

const FORMS: readonly Form[] = ['service', 'standard'];
const KEYS: Readonly<Record<Form, string>> = {
  service: "the secret's whole text, whsec_ included",
  standard: 'what follows whsec_ in the secret, decoded from base64',
};
/** Enough to see a pattern. */
const MAX_ODD = 20;

/** Explains the request with what was computed for it. Never throws; `hmac` is the only tool. */
export function explainSignature(request: Explained, hmac: Hmac): Explanation {
  const { id, timestamp, secrets, otherSecrets = [], otherMoments = [], given = {} } = request;
  const body = typeof request.body === 'string' ? bytesOf(request.body) : request.body;
  const parts = { id, timestamp, body };
  const expected: Record<string, string> = {
    'service-timestamp': timestamp,
    'service-signature': '',
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': '',
  };
  for (const form of FORMS) {
    const texts = secrets.flatMap((secret) => {
      const key = keyOf(form, secret);
      return key ? [headerText(form, hmac('sha256', key, signedBytes(form, parts)))] : [];
    });
    expected[HEADER_OF[form]] = texts.join(form === 'service' ? ',' : ' ');
  }
  // What was sent is what the merchant got, also when a secret of it cannot sign again.
  const due = { ...expected, ...request.sent };
  const headers = Object.keys(expected).map((name) => compare(name, due[name] ?? '', given));
  const sent = {
    service: readDigests(due[HEADER_OF.service] ?? '').map(({ digest }) => digest),
    standard: readDigests(due[HEADER_OF.standard] ?? '').map(({ digest }) => digest),
  };
  const givenTimes = timesOf(given, timestamp);
  const common = { parts, secrets, otherSecrets, otherMoments, givenTimes, sent, hmac };
  let rewritten: readonly Rewritten[] | undefined;
  const lazily = (): readonly Rewritten[] => (rewritten ??= rewritings(body));
  const suspectOf = (form: Form): Accused => ({ form, ...common, rewritings: lazily });
  const received = FORMS.flatMap((form) => judge(given[HEADER_OF[form]], [suspectOf(form)]));
  const computed = (request.computed ?? []).flatMap((value) => judge(value, FORMS.map(suspectOf)));
  const said = [
    ...together(received, computed, request.sent !== undefined),
    ...inspect({ ...request, body, given }),
  ];
  // A value that was both computed and received is explained once.
  const findings = said.filter(
    ({ code, about }, index) =>
      said.findIndex((each) => each.code === code && each.about === about) === index,
  );
  return {
    forms: FORMS.map((form) => signedForm(form, signedBytes(form, parts))),
    headers,
    findings,
  };
}

/** The times of headers that are not the one that is looked at, each one once. */
function timesOf(given: NonNullable<Explained['given']>, timestamp: string): GivenTime[] {
  const times = new Map<string, string>();
  for (const name of ['service-timestamp', 'webhook-timestamp']) {
    const value = given[name];
    if (value !== undefined && value !== timestamp && !times.has(value)) times.set(value, name);
  }
  return [...times].map(([value, name]) => ({ timestamp: value, name }));
}

function compare(
  name: string,
  expected: string,
  given: NonNullable<Explained['given']>,
): ComparedHeader {
  const value = given[name];
  if (value === undefined) return { name, expected };
  // While a secret is replaced a header has several signatures; one that fits is enough.
  const isSignature = name.endsWith('-signature');
  const separator = name === 'service-signature' ? ',' : ' ';
  const wanted = expected.split(separator).filter((text) => text !== '');
  const fits = isSignature
    ? value.split(separator).some((text) => wanted.includes(text.trim()))
    : value === expected;
  return { name, expected, given: value, fits };
}

function signedForm(form: Form, bytes: Uint8Array): SignedForm {
  const signed = new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes);
  const odd: { at: number; char: string; hex: string }[] = [];
  let at = 0;
  for (const char of signed) {
    const encoded = bytesOf(char);
    if (odd.length < MAX_ODD && !/[ -~]/.test(char)) odd.push({ at, char, hex: toHex(encoded) });
    at += encoded.length;
  }
  return { form, signed, odd, key: KEYS[form] };
}
