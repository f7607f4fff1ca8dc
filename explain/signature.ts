/**
 * Explains the signature of a webhook request: the signed bytes, the right headers, and the mistake
 * that leads to a value that somebody computed or received.
 */
import { signatureHeaders } from '../outbound/sign.ts';
import { bodyDiffers, candidatesOf, writingCauses } from './causes.ts';
import type { Candidate, Cause, Finding, Request } from './causes.ts';
import { FORMS, KEYS, readSignatures } from './forms.ts';
import type { Form } from './forms.ts';

type Headers = Readonly<Record<string, string>>;

/** Returns headers by their names in lower case. */
export const headersOf = (pairs: readonly (readonly [string, string])[] = []): Headers =>
  Object.fromEntries(pairs.map(([name, value]) => [name.toLowerCase(), value]));

/** A request, and what the merchant has of it. */
export interface Explained extends Request {
  /** The headers that were sent, if they are on record. */
  readonly sent?: Headers;
  /** The headers that the merchant received. */
  readonly given?: Headers | undefined;
  /** The signatures that the merchant's code computed, of either form. */
  readonly computed?: readonly string[] | undefined;
}

export type Explanation = ReturnType<typeof explainSignature>;

const BOTH = ['service', 'standard'] as const;

/** Explains what was received and computed for a request. Shows nothing of a secret. */
export function explainSignature({ sent = {}, given = {}, computed = [], ...from }: Explained) {
  const { id, timestamp, body, secrets, signedBody = body } = from;
  const signed = signatureHeaders({ id, timestamp: Number(timestamp), body }, secrets);
  // A replaced secret may no longer be stored, but the headers that it signed are right.
  const expected = headersOf(
    Object.entries(signed).map(([name, value]) => [name, sent[name.toLowerCase()] ?? value]),
  );
  const candidates = BOTH.flatMap((form) => [
    ...readSignatures(expected[FORMS[form].header] ?? '').map(({ digest }) => {
      return { form, mistakes: [], digest: () => digest };
    }),
    ...candidatesOf(form, from),
  ]);
  const received = BOTH.flatMap((form) => {
    const value = given[FORMS[form].header];
    return value === undefined ? [] : judge(value, candidates, form);
  });
  const findings = [...received, ...computed.flatMap((value) => judge(value, candidates))];
  if (signedBody !== body && !findings.some(({ code }) => code === 'body_differs')) {
    findings.push(...findingsOf([bodyDiffers(body, signedBody)]));
  }
  return {
    forms: BOTH.map((form) => {
      const { text, key } = FORMS[form];
      return { form, signed: text(from), key: KEYS[key].text };
    }),
    headers: Object.entries(expected).map(([name, value]) => compare(name, value, given[name])),
    findings,
  };
}

function compare(name: string, expected: string, given: string | undefined) {
  if (given === undefined) return { name, expected };
  // A header has several signatures while a secret is replaced, and one that fits is enough.
  const split = (value: string): string[] => value.split(name === 'service-signature' ? ',' : ' ');
  const fits = split(given).some((each) => split(expected).includes(each.trim()));
  return { name, expected, given, fits };
}

/** Explains a value, computed or from a form's header, by the first candidate that fits. */
function judge(value: string, candidates: readonly Candidate[], header?: Form): Finding[] {
  const about = header === undefined ? null : FORMS[header].header;
  const signatures = readSignatures(value);
  const [first] = signatures;
  if (!first) return findingsOf([MALFORMED], about);
  // A computed value is probably of the form whose encoding it has.
  const likely = header ?? (first.encoding === 'hex' ? 'service' : 'standard');
  const isOther = ({ form }: Candidate): number => (form === likely ? 0 : 1);
  for (const candidate of candidates.toSorted((a, b) => isOther(a) - isOther(b))) {
    const { form, mistakes, digest } = candidate;
    const signature = signatures.find((each) => each.digest.equals(digest()));
    if (!signature) continue;
    const place = header === undefined || header === form ? [] : [OTHER_FORM];
    const causes = [...place, ...mistakes, ...writingCauses(form, signature)];
    const isRight = causes.every(({ kind }) => kind === 'note');
    return findingsOf(isRight ? [FITS, ...causes] : causes, about ?? FORMS[form].header);
  }
  return findingsOf([UNEXPLAINED], about);
}

/** Returns causes as findings about a header, or about the whole request. */
export const findingsOf = (causes: readonly Cause[], about: string | null = null): Finding[] =>
  causes.map((cause) => ({ kind: 'mistake', ...cause, about }));

/** Receivers refuse a request that was signed longer than this before or after their own time. */
const TOLERANCE_SECONDS = 300;

/** Returns a note if a receiver with that clock refuses the timestamp. Both are unix seconds. */
export function clockNotes(timestamp: number, clock: number, whose: string): Finding[] {
  const ahead = Math.round(clock - timestamp);
  if (!(Math.abs(ahead) > TOLERANCE_SECONDS)) return [];
  const says =
    `${whose} has a clock ${Math.abs(ahead)} s ${ahead > 0 ? 'ahead of' : 'behind'} the timestamp. ` +
    `Receivers refuse more than ${TOLERANCE_SECONDS} s: set the clock if the request is new.`;
  return findingsOf([{ code: 'clock', kind: 'note', says }]);
}

const MALFORMED: Cause = {
  code: 'value_malformed',
  says: 'The value is not a signature: it has neither hex nor base64 of 32 bytes.',
};
const OTHER_FORM: Cause = {
  code: 'other_form',
  says: 'This is the signature of the other header, which has another text and another key.',
};
const FITS: Cause = {
  code: 'fits',
  kind: 'note',
  says: "The signature is right for this secret, timestamp and body. Check the receiver's clock.",
};
const UNEXPLAINED: Cause = {
  code: 'unexplained',
  says: 'None of the usual mistakes gives this value. Compare the secret and the signed bytes.',
};
