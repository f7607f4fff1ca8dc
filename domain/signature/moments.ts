/** Another time in the place of the header's: that of another attempt, or the receiver's own. */
import { TOLERANCE_SECONDS, isSame, keyOf, signedBytes } from './forms.ts';
import type { Suspect } from './guess.ts';
import type { GivenDigest } from './values.ts';
import type { Mistake } from './ways.ts';

/** An attempt of the same delivery. */
export interface OtherMoment {
  /** As its header had it. */
  readonly timestamp: string;
  /** Ends the sentence "It is the signature of". */
  readonly whose: string;
}

interface Moment {
  readonly timestamp: string;
  readonly mistake: () => Mistake;
}

/** Every second of an hour: a clock that is wrong, or a request that was tried out again. */
const NEAR_SECONDS = 3_600;
/** No time zone is further from UTC, and all of them are whole quarters of an hour away. */
const ZONES_SECONDS = 14 * 3_600;
const ZONE_STEP_SECONDS = 900;
/** Between a signature and the look at a clock which is right but for its zone. */
const LATENESS_SECONDS = 10;
/** The same for a clock in milliseconds, each of which is a trial. */
const LATENESS_MS = 10_000;
/** For all keys together; some 20,000 trials with so much take less than a second. */
const SMALL_BYTES = 16_384;

/** The mistake that leads to this digest, when everything but the time is right. */
export function guessMoment(
  { form, parts, secrets, hmac }: Suspect,
  others: readonly OtherMoment[],
  { digest, algorithm }: GivenDigest,
): readonly Mistake[] | undefined {
  if (algorithm !== 'sha256') return undefined;
  const keys = secrets.flatMap((secret) => keyOf(form, secret) ?? []);
  if (keys.length === 0) return undefined;
  const isSmall = parts.body.length * keys.length <= SMALL_BYTES;
  for (const { timestamp, mistake } of momentsOf(parts.timestamp, others, isSmall)) {
    const message = signedBytes(form, { ...parts, timestamp });
    if (keys.some((key) => isSame(hmac(algorithm, key, message), digest))) return [mistake()];
  }
  return undefined;
}

function* momentsOf(
  timestamp: string,
  others: readonly OtherMoment[],
  isSmall: boolean,
): Generator<Moment> {
  for (const { timestamp: other, whose } of others) {
    const says = `It is the signature of ${whose}: each attempt is signed anew, at its own time.`;
    yield { timestamp: other, mistake: () => ({ code: 'other_attempt', says }) };
  }
  if (!/^\d{9,11}$/.test(timestamp)) return;
  const header = Number(timestamp);
  for (const seconds of isSmall ? shifts() : near(TOLERANCE_SECONDS)) {
    yield { timestamp: String(header + seconds), mistake: () => clock(seconds) };
  }
  if (!isSmall) return;
  for (let ms = 0; ms < LATENESS_MS; ms += 1) {
    const says = `${ms} ms later than the header's, and in milliseconds`;
    yield { timestamp: String(header * 1_000 + ms), mistake: () => ownClock(says) };
  }
}

function* near(seconds: number): Generator<number> {
  for (let away = 1; away <= seconds; away += 1) yield* [away, -away];
}

/** In seconds: the near ones, the likely ones first, then those of other time zones. */
function* shifts(): Generator<number> {
  yield* near(NEAR_SECONDS);
  for (let zone = NEAR_SECONDS; zone <= ZONES_SECONDS; zone += ZONE_STEP_SECONDS) {
    for (let late = -LATENESS_SECONDS; late <= LATENESS_SECONDS; late += 1) {
      yield* [zone + late, late - zone];
    }
  }
}

function clock(seconds: number): Mistake {
  const away = Math.abs(seconds);
  const zone = `, some ${Math.round(away / ZONE_STEP_SECONDS) / 4} hours; unix time has no zones`;
  const side = seconds > 0 ? 'later' : 'earlier';
  return ownClock(`${away} s ${side} than the header's${away > NEAR_SECONDS ? zone : ''}`);
}

function ownClock(how: string): Mistake {
  const says = `It was made with a time ${how}: take the timestamp from the header, and not from your own clock.`;
  return { code: 'timestamp_clock', says };
}
