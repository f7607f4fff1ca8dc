/** Everybody who may check a webhook request, each with an answer of its own. */
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { webhooks } from '../../sdk/index.ts';
import { only } from '../sdk/signed.ts';
import { verifyOwn } from '../support/signature.ts';

/** A request as it came: header names in lower case, the body's raw bytes. */
export interface Letter {
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
}

/** `standardwebhooks` 1.1, `svix` with the 1.0 that it brings, our SDK, and a check by hand. */
export const VERIFIERS = {
  standardwebhooks: ({ raw, headers }, secret) => new Webhook(secret).verify(raw, { ...headers }),
  svix: ({ raw, headers }, secret) => new SvixWebhook(secret).verify(raw, { ...headers }),
  'sdk, both forms': ({ raw, headers }, secret) => webhooks.verify(raw, headers, secret),
  'sdk, our form': ({ raw, headers }, secret) =>
    webhooks.verify(raw, only(headers, 'service-'), secret),
  'sdk, Standard Webhooks': ({ raw, headers }, secret) =>
    webhooks.verify(raw, only(headers, 'webhook-'), secret),
  'by hand, our form': ({ raw, headers }, secret) =>
    verifyOwn({ raw, headers, at: Date.now() }, secret),
} satisfies Record<string, (letter: Letter, secret: string) => unknown>;

export type VerifierName = keyof typeof VERIFIERS;
export const NAMES = Object.keys(VERIFIERS) as VerifierName[];
/** Those that look at the headers of Standard Webhooks. */
export const LIBRARIES: readonly VerifierName[] = ['standardwebhooks', 'svix'];
/** Those that look at our form, or at it as well: it says nothing of `webhook-id`. */
export const OURS: readonly VerifierName[] = [
  'sdk, both forms',
  'sdk, our form',
  'by hand, our form',
];

/** Names of those who take the letter for genuine. Throws when one fails by another error. */
export function acceptors(letter: Letter, secret: string): VerifierName[] {
  return NAMES.filter((name) => {
    try {
      VERIFIERS[name](letter, secret);
      return true;
    } catch (error) {
      const { name: kind, message } = error as Error;
      const isRefusal = kind === 'WebhookVerificationError' || name === 'by hand, our form';
      if (!isRefusal) throw new Error(`${name} fails: ${message}`, { cause: error });
      return false;
    }
  });
}

/** The letters that were taken by others than expected, in words; few of them, if there are many. */
export function wrongly(
  letters: Iterable<readonly [what: string, letter: Letter, secret: string]>,
  expected: readonly VerifierName[],
): string[] {
  const wrong: string[] = [];
  for (const [what, letter, secret] of letters) {
    const names = acceptors(letter, secret);
    if (names.join() !== expected.join()) wrong.push(`${what}: ${names.join(', ') || 'nobody'}`);
  }
  return wrong.slice(0, 10);
}
