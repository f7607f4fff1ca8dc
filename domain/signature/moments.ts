/** Another time in the place of the header's: that of another attempt, or the receiver's own. */
import { TOLERANCE_SECONDS, keyOf, signedBytes } from './forms.ts';
import { isSame } from './guess.ts';
import type { Mistake, Suspect } from './guess.ts';
import type { GivenDigest } from './values.ts';

/** An attempt of the same delivery. */
export interface OtherMoment {
  /** As its header had it. */
  readonly timestamp: string;
  /** Ends the sentence "It is the signature of". */
  readonly whose: string;
}

interface Moment {
  readonly timestamp: string;
  readonly mistake: Mistake;
}

/** The mistake that leads to this digest, when everything but the time is right. */
export function guessMoment(
  { form, parts, secrets, hmac }: Suspect,
  others: readonly OtherMoment[],
  { digest, algorithm }: GivenDigest,
): readonly Mistake[] | undefined {
  if (algorithm !== 'sha256') return undefined;
  const keys = secrets.flatMap((secret) => keyOf(form, secret) ?? []);
  const found = momentsOf(parts.timestamp, others).find(({ timestamp }) => {
    const message = signedBytes(form, { ...parts, timestamp });
    return keys.some((key) => isSame(hmac(algorithm, key, message), digest));
  });
  return found && [found.mistake];
}

function momentsOf(timestamp: string, others: readonly OtherMoment[]): Moment[] {
  const attempts = others.map(({ timestamp: other, whose }) => {
    const says = `It is the signature of ${whose}: each attempt is signed anew, at its own time.`;
    return { timestamp: other, mistake: { code: 'other_attempt', says } };
  });
  if (!/^\d{9,11}$/.test(timestamp)) return attempts;
  const shifts = Array.from({ length: TOLERANCE_SECONDS }, (_, index) => [index + 1, -index - 1]);
  const own = shifts.flat().map((seconds) => {
    const apart = `${Math.abs(seconds)} s ${seconds > 0 ? 'later' : 'earlier'}`;
    const says = `It was made with a time ${apart} than the header's: take the timestamp from the header, and not from your own clock.`;
    const mistake = { code: 'timestamp_clock', says };
    return { timestamp: String(Number(timestamp) + seconds), mistake };
  });
  return [...attempts, ...own];
}
