/** Independent verifiers of webhook requests. */
import { Webhook } from 'standardwebhooks';
import { Webhook as SvixWebhook } from 'svix';
import { webhooks } from '../../sdk/index.ts';
import { only } from '../sdk/signed.ts';
import { verifyOwn } from '../support/signature.ts';

/** A request as a receiver gets it: header names in lower case, and the raw body. */
export interface SignedRequest {
  readonly headers: Readonly<Record<string, string>>;
  readonly raw: Buffer;
}

/** `standardwebhooks` 1.1, `svix` with its own copy of 1.0, our SDK, and a check by hand. */
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
} satisfies Record<string, (request: SignedRequest, secret: string) => unknown>;

export type VerifierName = keyof typeof VERIFIERS;
export const NAMES = Object.keys(VERIFIERS) as VerifierName[];
/** The libraries, which verify only the headers of Standard Webhooks. */
export const LIBRARIES: readonly VerifierName[] = ['standardwebhooks', 'svix'];
/** The verifiers that accept our form, which does not cover `webhook-id`. */
export const OURS: readonly VerifierName[] = [
  'sdk, both forms',
  'sdk, our form',
  'by hand, our form',
];

/** Returns the verifiers that accept the request. Throws if one fails for another reason. */
export function acceptors(request: SignedRequest, secret: string): VerifierName[] {
  return NAMES.filter((name) => {
    try {
      VERIFIERS[name](request, secret);
      return true;
    } catch (error) {
      const { name: kind, message } = error as Error;
      const isRefusal = kind === 'WebhookVerificationError' || name === 'by hand, our form';
      if (!isRefusal) throw new Error(`${name} fails: ${message}`, { cause: error });
      return false;
    }
  });
}

/** Describes the requests that other verifiers than expected accept, at most ten of them. */
export function misjudged(
  requests: Iterable<readonly [name: string, request: SignedRequest, secret: string]>,
  expected: readonly VerifierName[],
): string[] {
  const wrong: string[] = [];
  for (const [name, request, secret] of requests) {
    const names = acceptors(request, secret);
    if (names.join() !== expected.join()) wrong.push(`${name}: ${names.join(', ') || 'none'}`);
  }
  return wrong.slice(0, 10);
}
