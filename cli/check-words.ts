/** The words of `tollgate check`: the rules, what was sent, and what to do and why. */
import { isAccepted } from '../check/exchange.ts';
import { GOOD_MS } from '../check/judge.ts';
import type { CheckCode, Finding, StepCode } from '../domain/check.ts';
import { count } from './output.ts';
import { TIMEOUT_MS } from './post.ts';

/** Each rule, and what to do if it is broken. */
const RULES: Readonly<Record<CheckCode, { readonly rule: string; readonly fix: string }>> = {
  genuine: {
    rule: 'A genuine delivery is accepted',
    fix:
      'Respond with 200. Does the receiver run with this secret, and verify the raw body? Verify ' +
      'Service-Signature or webhook-signature: `tollgate explain` shows what is signed, with ' +
      'which key, and why a computed value differs.',
  },
  wrong_secret: {
    rule: 'A signature of another secret is refused',
    fix: 'Verify the signature, and respond with 401 if it does not fit: anyone can send this.',
  },
  no_signature: {
    rule: 'A request without its signature headers is refused',
    fix: 'Respond with 401 if a header is missing: a request without one is not genuine.',
  },
  empty_key: {
    rule: 'A signature that was made with an empty key is refused',
    fix: 'Exit at the start if the secret is not configured: everyone knows an empty key.',
  },
  changed_body: {
    rule: 'A body that was changed after signing is refused',
    fix: 'Sign the whole raw body that you received, and compare with the header.',
  },
  cut_signature: {
    rule: 'A signature that was cut short is refused',
    fix:
      'Compare the whole signature, and its length first: the start of one can be guessed in a ' +
      'few tries.',
  },
  changed_id: {
    rule: 'A changed webhook-id is refused',
    fix:
      'webhook-signature covers the header webhook-id too (id.timestamp.body): sign the received ' +
      'header, or a recorded request with another id is accepted as another event.',
  },
  old: {
    rule: 'An old signature is refused',
    fix: 'Refuse a timestamp of more than 300 s ago, or recorded requests can be sent again.',
  },
  other_timestamp: {
    rule: 'An old signature with a fresh timestamp is refused',
    fix:
      'Use the timestamp that the signature covers, Service-Timestamp for Service-Signature ' +
      'and webhook-timestamp for webhook-signature: anyone who recorded a request can add the ' +
      'other one.',
  },
  future: {
    rule: 'A signature from the future is refused',
    fix: 'Refuse a timestamp of more than 300 s ahead: it would stay valid for too long.',
  },
  one_form: {
    rule: 'Either form of the signature is enough',
    fix: 'One form that fits is proof; a receiver need not know the other one.',
  },
  rotation: {
    rule: 'One of several signatures is enough',
    fix:
      'Split the header and accept any signature that fits: while a secret is replaced, there ' +
      'is one for each valid secret, two or three.',
  },
  twice: {
    rule: 'The same event is accepted again',
    fix: 'Respond with 200 to an event that you have handled already, and do nothing more.',
  },
  order: {
    rule: 'Events are accepted in any order',
    fix: 'Retrieve the payment instead of relying on the order; retries change it.',
  },
  unknown_type: {
    rule: 'An event of an unknown type is accepted',
    fix: 'Respond with 200 to a type that you do not know: new versions add types.',
  },
  non_ascii: {
    rule: 'Text in any script is accepted',
    fix: 'Sign the bytes as received: do not decode or parse them first.',
  },
  large: {
    rule: 'A large body is accepted',
    fix: 'Raise the limit on bodies to 1 MB; an event with much metadata is as large as this.',
  },
  bytes: {
    rule: 'The signature covers the bytes, not the parsed JSON',
    fix: 'Sign the raw body: JSON that was parsed and written again has other bytes.',
  },
  method: {
    rule: 'Other methods are refused',
    fix: 'Deliveries are POSTs; respond with 405 to the rest.',
  },
  time: {
    rule: `It responds within ${GOOD_MS / 1_000} s`,
    fix: `After ${TIMEOUT_MS / 1_000} s a delivery has failed: put slow work into a queue.`,
  },
};

/** The words for each request of a check. `sentOf` adds the number that two of them have. */
const SENT: Readonly<Record<Exclude<StepCode, 'large' | 'slowest'>, string>> = {
  completed: 'payment.completed',
  wrong_secret: 'signed with another secret',
  wrong_secret_own: 'the same, Service-Signature alone',
  wrong_secret_standard: 'the same, webhook-signature alone',
  no_headers: 'no signature headers',
  no_timestamps: 'no timestamps',
  empty_signatures: 'empty signatures',
  empty_key: 'signed with nothing',
  changed_digit: 'one digit of the amount changed',
  cut_own: 'Service-Signature cut to 4 characters',
  cut_standard: 'webhook-signature cut to 4 characters',
  cut_half: 'both cut to their first half',
  other_id: 'webhook-signature alone, with the webhook-id of another event',
  old_edge: 'signed 301 s ago',
  old: 'signed an hour ago',
  old_own: 'Service-Signature of an hour ago, webhook-timestamp of now',
  old_standard: 'webhook-signature of an hour ago, Service-Timestamp of now',
  future_edge: 'signed 360 s ahead',
  future: 'signed an hour ahead',
  own_alone: 'Service-Signature alone',
  standard_alone: 'webhook-signature alone',
  unknown_first: 'two unknown signatures first',
  unknown_last: 'one unknown signature last',
  same: 'the same event',
  same_again: 'the same event once more',
  refund_first: 'refund.completed',
  payment_after: 'payment.completed of the same payment',
  future_type: 'payment.of_the_future',
  scripts: 'Armenian, Cyrillic, an emoji, quotes',
  respelled: 'the same JSON, written with spaces',
  get: 'GET, unsigned',
};

export const ruleOf = ({ check }: Pick<Finding, 'check'>): string => RULES[check].rule;

/** Returns what a step has sent. `accepted` is the number of all deliveries that were accepted. */
export function sentOf(
  step: StepCode,
  { largeCharacters, accepted }: { largeCharacters: number; accepted: number },
): string {
  if (step === 'large') return `a body of ${Math.ceil(largeCharacters / 1024)} KiB`;
  if (step === 'slowest') return `the slowest of ${count(accepted, 'accepted delivery')}`;
  return SENT[step];
}

const UNREAL =
  'The signature was most likely accepted, and the work failed: this payment is made up, and a ' +
  'receiver that retrieves it finds nothing. Give --api-key to use real test payments.';
const SERVER_ERROR =
  'It was refused as a fault of the server (5xx). Respond with 401, so that it differs from work ' +
  'that failed.';
const UNPROVEN =
  'Genuine events get the same response (5xx) here, so this proves nothing. Give ' +
  '--api-key to use real test payments.';

/** Returns what to do and why; null if there is nothing to do. */
export function fixOf({ check, cause, exchanges }: Finding<string>): string | null {
  const { fix } = RULES[check];
  switch (cause) {
    case null:
    case 'not_accepted':
    case 'out_of_time':
      return null;
    case 'unreal':
      return UNREAL;
    case 'unproven':
      return UNPROVEN;
    case 'server_error':
      return SERVER_ERROR;
    case 'no_response': {
      const failed = exchanges.find((exchange) => !isAccepted(exchange));
      return `There was no response: ${failed?.error}.`;
    }
    case 'forgery_ignored':
      return `There was no response. ${fix}`;
    case 'redirect':
      return `Redirects are not followed. ${fix}`;
    case 'not_post':
      return `Deliveries are POSTs. ${fix}`;
    case 'refused':
    case 'accepted':
    case 'slow':
      return fix;
  }
}
