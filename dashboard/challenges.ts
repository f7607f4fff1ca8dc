/** Challenges that browsers sign with passkeys: random, signed by us, and short-lived. */
import { createHmac } from 'node:crypto';
import { mintToken } from '../store/mint.ts';
import type { Ceremony } from '../operations/passkeys.ts';
import { isSame } from './cookies.ts';
import type { SigningKeys } from './cookies.ts';

/** The time for which a page with a passkey button works. */
const CHALLENGE_MS = 30 * 60 * 1_000;

export type Challenges = ReturnType<typeof makeChallenges>;

/** Creates the functions that make and check challenges. `user` is '' for signing in. */
export function makeChallenges({ origin, keys }: { origin: string; keys: SigningKeys }) {
  const all = [keys.current, ...keys.previous];

  return {
    /** Returns a new ceremony, and the text with which the form sends it back. */
    make(user: string): { ceremony: Ceremony; text: string } {
      const challenge = mintToken();
      const untilMs = Date.now() + CHALLENGE_MS;
      const signature = sign(keys.current, `${user}.${challenge}.${untilMs}`);
      const ceremony = { origin, challenge, expiresAt: new Date(untilMs) };
      return { ceremony, text: `${challenge}.${untilMs}.${signature}` };
    },
    /** Returns the ceremony of a form; undefined if the text is not ours. */
    read(user: string, text: string): Ceremony | undefined {
      const [challenge = '', until = '', signature = ''] = text.split('.');
      const isOurs = all.some((key) =>
        isSame(signature, sign(key, `${user}.${challenge}.${until}`)),
      );
      return isOurs ? { origin, challenge, expiresAt: new Date(Number(until)) } : undefined;
    },
  };
}

/** Begins with another word than the texts of cookies, so no signature has two meanings. */
function sign(key: Buffer, text: string): string {
  return createHmac('sha256', key).update(`challenge.${text}`).digest('base64url');
}
