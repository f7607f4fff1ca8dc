/** What a receiver is tried out with: each rule that it should keep, and what shows it. */
import { makeWebhookSecret } from '../activities/sign.ts';
import { mintId } from '../store/mint.ts';
import { deliveryHeaders } from './envelope.ts';
import type { Parcel } from './envelope.ts';
import type { Shot } from './post.ts';
import type { Specimens } from './specimens.ts';

export interface Step {
  /** In words. */
  readonly sent: string;
  /** Made when it is sent: a signature that waits for its turn grows old. */
  readonly shot: () => Omit<Shot, 'url'>;
  /** In place of the probe's own, for what is only on the edge. */
  readonly otherwise?: 'warning';
}

export interface Probe {
  readonly name: string;
  /** The rule. */
  readonly rule: string;
  /** `either`: one of the steps has to be accepted. */
  readonly expects: 'accepted' | 'refused' | 'either';
  readonly steps: readonly Step[];
  /** How bad it is when the rule is broken. */
  readonly otherwise: 'fail' | 'warning';
  /** What to do then, and why. */
  readonly fix: string;
}

interface Means {
  readonly specimens: Specimens;
  readonly secrets: readonly string[];
}

/** All probes in the order in which they are sent; the first one has to pass for the rest. */
export function probesOf(means: Means): readonly Probe[] {
  return [genuine(means), ...trusting(means), ...lenient(means)];
}

type HeaderChange = (headers: Record<string, string>) => Record<string, string>;

interface How {
  readonly secrets?: readonly string[];
  readonly shiftSeconds?: number;
  /** What is sent in place of what was signed. */
  readonly body?: string;
  readonly change?: HeaderChange;
}

const same: HeaderChange = (headers) => headers;
const without =
  (gone: RegExp): HeaderChange =>
  (headers) =>
    Object.fromEntries(Object.entries(headers).filter(([name]) => !gone.test(name)));

const stepper = ({ secrets }: Means) => {
  return (sent: string, parcel: Parcel, how: How = {}): Step => {
    const { secrets: signing = secrets, shiftSeconds = 0, change = same } = how;
    const shot = (): Omit<Shot, 'url'> => {
      const stamp = { secrets: signing, deliveryId: mintId('delivery'), attempt: 1, shiftSeconds };
      return { headers: change(deliveryHeaders(parcel, stamp)), body: how.body ?? parcel.body };
    };
    return { sent, shot };
  };
};

/** A receiver's clock may be a little off: only what is far from the edge is sure. */
const onTheEdge = (step: Step): Step => ({ ...step, otherwise: 'warning' });

const EITHER =
  'Verify Service-Signature or webhook-signature: `tollgate explain` shows what is signed, with ' +
  'which key, and what a wrong value comes from.';

function genuine(means: Means): Probe {
  return {
    name: 'genuine',
    rule: 'A genuine delivery is accepted',
    expects: 'accepted',
    steps: [stepper(means)('payment.completed', means.specimens.plain)],
    otherwise: 'fail',
    fix: `Answer 200 to it. Does the receiver run with this secret, and verify the raw body? ${EITHER}`,
  };
}

/** What must not be taken: whoever can send one of these can mark orders as paid. */
function trusting(means: Means): Probe[] {
  const { fresh } = means.specimens;
  const step = stepper(means);
  const changed = fresh();
  const refused = (name: string, rule: string, more: Pick<Probe, 'steps' | 'fix'>): Probe => {
    return { name, rule, expects: 'refused', otherwise: 'fail', ...more };
  };
  return [
    refused('wrong_secret', 'A signature of another secret is refused', {
      steps: [step('signed with another secret', fresh(), { secrets: [makeWebhookSecret()] })],
      fix: 'Verify the signature, and answer 401 when it does not fit: anyone can send this.',
    }),
    refused('changed_body', 'A body that was changed after signing is refused', {
      steps: [step('one digit of the amount changed', changed, { body: changeOne(changed.body) })],
      fix: 'Sign the raw body that came, all of it, and compare with the header.',
    }),
    refused('no_signature', 'A request without its signature headers is refused', {
      steps: [
        step('no signature headers', fresh(), { change: without(/-(?:signature|timestamp|id)$/i) }),
        step('no timestamps', fresh(), { change: without(/-timestamp$/i) }),
        step('empty signatures', fresh(), { change: emptied }),
      ],
      fix: 'Answer 401 when a header is missing: what is absent is not genuine.',
    }),
    refused('empty_key', 'A signature that was made with an empty key is refused', {
      steps: [step('signed with nothing', fresh(), { secrets: [''] })],
      fix: 'End at the start when the secret is not configured: an empty key is known to all.',
    }),
    refused('old', 'An old signature is refused', {
      steps: [
        onTheEdge(step('signed 301 s ago', fresh(), { shiftSeconds: -301 })),
        step('signed an hour ago', fresh(), { shiftSeconds: -3_600 }),
      ],
      fix: 'Refuse a timestamp of more than 300 s ago, or recorded requests can be sent again.',
    }),
    refused('future', 'A signature from the future is refused', {
      steps: [
        // A minute beyond the tolerance: it comes nearer while it is on its way.
        onTheEdge(step('signed 360 s ahead', fresh(), { shiftSeconds: 360 })),
        step('signed an hour ahead', fresh(), { shiftSeconds: 3_600 }),
      ],
      fix: 'Refuse a timestamp of more than 300 s ahead: it would stay valid for too long.',
    }),
  ];
}

const emptied: HeaderChange = (headers) =>
  Object.fromEntries(
    Object.entries(headers).map(([name, value]) => [name, /signature$/i.test(name) ? '' : value]),
  );

/** The same length, and still JSON: a receiver that goes by either is not helped. */
function changeOne(body: string): string {
  return body.replace(/"amount":(\d*)(\d)/, (_, rest: string, last: string) => {
    return `"amount":${rest}${(Number(last) + 1) % 10}`;
  });
}

/** What has to be taken: what is not comes again for days, and then the endpoint is disabled. */
function lenient(means: Means): Probe[] {
  const { specimens, secrets } = means;
  const { plain, others, pair, nonAscii, large, fresh } = specimens;
  const [first, second, third, fourth] = others;
  const step = stepper(means);
  const accepted = (name: string, rule: string, more: Pick<Probe, 'steps' | 'fix'>): Probe => {
    return { name, rule, expects: 'accepted', otherwise: 'fail', ...more };
  };
  return [
    {
      name: 'one_form',
      rule: 'Either form of the signature is enough',
      expects: 'either',
      steps: [
        step('Service-Signature alone', first, { change: without(/^webhook-/) }),
        step('webhook-signature alone', second, { change: without(/^Service-(?:S|T)/) }),
      ],
      otherwise: 'warning',
      fix: 'One form that fits is proof; a receiver need not know the other one.',
    },
    accepted('rotation', 'One of several signatures is enough', {
      steps: [
        step('a stranger signature first', third, { secrets: [makeWebhookSecret(), ...secrets] }),
        step('a stranger signature last', fourth, { secrets: [...secrets, makeWebhookSecret()] }),
      ],
      fix: 'Split the header and accept any that fits: there are two while a secret is replaced.',
    }),
    accepted('twice', 'The same event is accepted again', {
      steps: [step('the same event', plain), step('the same event once more', plain)],
      fix: 'Answer 200 to an event that you have handled already, and do nothing: it comes again.',
    }),
    {
      ...accepted('order', 'Events are accepted in any order', {
        steps: [
          step('refund.completed', pair.refunded),
          step('payment.completed of the same payment', pair.completed),
        ],
        fix: 'Retrieve the payment instead of counting on the order; retries mix the events.',
      }),
      otherwise: 'warning',
    },
    accepted('unknown_type', 'An event of an unknown type is accepted', {
      steps: [step('payment.of_the_future', fresh('payment.of_the_future'))],
      fix: 'Answer 200 to a type that you do not know: new ones come with new versions.',
    }),
    accepted('non_ascii', 'Text in any script is accepted', {
      steps: [step('Armenian, Cyrillic, an emoji, quotes', nonAscii)],
      fix: 'Sign the bytes as they came: no decoding, no parsing before that.',
    }),
    accepted('large', 'A large body is accepted', {
      steps: [step(`a body of ${Math.ceil(large.body.length / 1024)} KiB`, large)],
      fix: 'Raise the limit on bodies to 1 MB; an event with much metadata is as large as this.',
    }),
    {
      ...accepted('bytes', 'The signature is over the bytes, not over their meaning', {
        steps: [step('the same JSON, written with spaces', respelled(plain))],
        fix: 'Sign the raw body, not what a parser made of it: it would break with any other JSON.',
      }),
      otherwise: 'warning',
    },
    {
      name: 'method',
      rule: 'Other methods are refused',
      expects: 'refused',
      steps: [{ sent: 'GET, unsigned', shot: () => ({ method: 'GET', headers: {} }) }],
      otherwise: 'warning',
      fix: 'Deliveries are POSTs; answer 405 to the rest.',
    },
  ];
}

function respelled({ id, body }: Parcel): Parcel {
  return { id, body: `${JSON.stringify(JSON.parse(body), undefined, 1)}\n` };
}
