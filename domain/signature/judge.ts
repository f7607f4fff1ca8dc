/** What is to be said of a value that somebody computed or received as a signature. */
import type { Finding } from './explain.ts';
import { HEADER_OF } from './forms.ts';
import type { Form } from './forms.ts';
import { MAX_MISTAKES, guessMistakes } from './guess.ts';
import type { Suspect } from './guess.ts';
import { guessMoment } from './moments.ts';
import type { OtherMoment } from './moments.ts';
import { readDigests, writingOf } from './values.ts';
import type { GivenDigest, Writing } from './values.ts';
import type { Mistake } from './ways.ts';

export interface Accused extends Suspect {
  readonly otherMoments: readonly OtherMoment[];
}

interface Verdict {
  readonly form: Form;
  readonly mistakes: readonly Mistake[];
  readonly writing: Writing | undefined;
}

type Guess = (suspect: Accused, digest: GivenDigest) => readonly Mistake[] | undefined;

/** Each is tried for all forms before the next one, which takes longer. */
const GUESSES: readonly Guess[] = [
  ...Array.from(
    { length: MAX_MISTAKES + 1 },
    (_, count): Guess =>
      (suspect, digest) =>
        guessMistakes(suspect, digest, count),
  ),
  (suspect, digest) => guessMoment(suspect, suspect.otherMoments, digest),
];

/** What is to be said of a value, as a signature of one of these forms. */
export function judge(value: string | undefined, suspects: readonly Accused[]): Finding[] {
  if (value === undefined) return [];
  const about = suspects.length === 1 && suspects[0] ? HEADER_OF[suspects[0].form] : null;
  const digests = readDigests(value);
  if (digests.length === 0) {
    const says = 'The value is no signature: neither 64 characters of hex nor base64 of 32 bytes.';
    return [{ code: 'value_malformed', kind: 'mistake', about, says }];
  }
  const best = bestVerdict(digests, suspects);
  if (!best) return [unexplained(about)];
  const name = about ?? HEADER_OF[best.form];
  const mistakes = best.mistakes.map((each) => mistake(name, each));
  const { writing } = best;
  if (writing?.code === 'encoding') return [...mistakes, mistake(name, writing)];
  const known = writing ? [{ ...mistake(name, writing), kind: 'note' as const }] : [];
  return mistakes.length > 0 ? [...mistakes, ...known] : [fitting(name), ...known];
}

function bestVerdict(
  digests: readonly GivenDigest[],
  suspects: readonly Accused[],
): Verdict | undefined {
  for (const guess of GUESSES) {
    const verdicts = digests.flatMap((digest) =>
      suspects.flatMap((suspect) => verdictOf(guess, suspect, digest)),
    );
    const [best] = verdicts.toSorted((a, b) => weight(a) - weight(b));
    if (best) return best;
  }
  return undefined;
}

const weight = ({ mistakes, writing }: Verdict): number =>
  mistakes.length + (writing === undefined ? 0 : 1);

function verdictOf(guess: Guess, suspect: Accused, digest: GivenDigest): Verdict[] {
  const { form } = suspect;
  const mistakes = guess(suspect, digest);
  if (!mistakes) return [];
  // A signature of the other form has to be written as that form has it.
  const isOther = mistakes.some(({ code }) => code === 'other_form');
  const written = isOther ? (form === 'service' ? 'standard' : 'service') : form;
  return [{ form, mistakes, writing: writingOf(written, digest) }];
}

const isFit = ({ code }: Finding): boolean => code === 'fits';

/**
 * What is to be said of values that were received and of those that were computed, taken together:
 * where the merchant's code is right and what came does not fit, it is the secret or the request.
 */
export function together(
  received: readonly Finding[],
  computed: readonly Finding[],
  isOnRecord: boolean,
): Finding[] {
  const isAtOdds = received.length > 0 && !received.some(isFit) && computed.some(isFit);
  if (!isAtOdds) return [...received, ...computed];
  return [
    ...received.map((each) =>
      each.code === 'unexplained' ? signedOtherwise(each.about, isOnRecord) : each,
    ),
    ...computed.map((each) => (isFit(each) ? computedRightly(each.about) : each)),
  ];
}

const mistake = (about: string, { code, says }: Mistake): Finding => {
  return { code, kind: 'mistake', about, says };
};

function fitting(about: string): Finding {
  const says =
    'The signature is right. If the receiver refuses it all the same, look at its clock, at the ' +
    'secret it runs with, and at how it compares.';
  return { code: 'fits', kind: 'note', about, says };
}

function computedRightly(about: string | null): Finding {
  const says =
    'What was computed is right for this secret, time and body: the code that computes it is not ' +
    'what is wrong.';
  return { code: 'computed_rightly', kind: 'note', about, says };
}

function signedOtherwise(about: string | null, isOnRecord: boolean): Finding {
  const cause = isOnRecord
    ? 'is not what was sent: it is that of another request, or was changed on the way.'
    : 'was made with another secret, or over another body or time than are given here: take the ' +
      'secret of the endpoint that the request is for, and the raw body as it came.';
  return { code: 'signed_otherwise', kind: 'mistake', about, says: `What was received ${cause}` };
}

function unexplained(about: string | null): Finding {
  const says =
    'None of the usual mistakes gives this value. Most likely it was made with another secret, ' +
    'another timestamp, or another body: print the exact bytes that your code signs.';
  return { code: 'unexplained', kind: 'mistake', about, says };
}
