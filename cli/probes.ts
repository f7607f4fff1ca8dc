/** What a receiver is tried out with: each rule that it should keep, and what shows it. */
import { makeWebhookSecret } from '../outbound/sign.ts';
import type { Parcel } from './envelope.ts';
import { forgeries } from './forgeries.ts';
import { ownAlone, standardAlone, stepper } from './steps.ts';
import type { Means, Probe } from './steps.ts';

/** All probes in the order in which they are sent; the first one has to pass for the rest. */
export function probesOf(means: Means): readonly Probe[] {
  return [genuine(means), ...forgeries(means), ...lenient(means)];
}

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

const accepted = (name: string, rule: string, more: Pick<Probe, 'steps' | 'fix'>): Probe => {
  return { name, rule, expects: 'accepted', otherwise: 'fail', ...more };
};

/** What has to be taken: what is not comes again for days, and then the endpoint is disabled. */
function lenient(means: Means): Probe[] {
  const { specimens, secrets } = means;
  const { plain, others, pair, nonAscii, large, fresh } = specimens;
  const [first, second, third, fourth] = others;
  const step = stepper(means);
  const stranger = makeWebhookSecret();
  return [
    {
      name: 'one_form',
      rule: 'Either form of the signature is enough',
      expects: 'either',
      steps: [
        step('Service-Signature alone', first, { change: ownAlone }),
        step('webhook-signature alone', second, { change: standardAlone }),
      ],
      otherwise: 'warning',
      fix: 'One form that fits is proof; a receiver need not know the other one.',
    },
    accepted('rotation', 'One of several signatures is enough', {
      steps: [
        step('two of strangers first', third, { secrets: [stranger, stranger, ...secrets] }),
        step('one of a stranger last', fourth, { secrets: [...secrets, stranger] }),
      ],
      fix:
        'Split the header and accept any that fits: while a secret is replaced there is one for ' +
        'each that still holds, two or three.',
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
