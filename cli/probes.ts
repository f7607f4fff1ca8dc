/** The rules that a receiver should follow, and the deliveries that test them. */
import { makeWebhookSecret } from '../outbound/sign.ts';
import type { EventText } from './envelope.ts';
import { forgeries } from './forgeries.ts';
import { ownAlone, standardAlone, stepper } from './steps.ts';
import type { Kit, Probe } from './steps.ts';

/** Returns all probes in their order. If the first one fails, the rest prove nothing. */
export function probesOf(kit: Kit): readonly Probe[] {
  return [genuine(kit), ...forgeries(kit), ...lenient(kit)];
}

const EITHER =
  'Verify Service-Signature or webhook-signature: `tollgate explain` shows what is signed, with ' +
  'which key, and why a computed value differs.';

const accepted = (
  name: string,
  rule: string,
  more: Pick<Probe, 'steps' | 'fix'> & Partial<Probe>,
): Probe => {
  return { name, rule, expects: 'accepted', otherwise: 'fail', ...more };
};

function genuine(kit: Kit): Probe {
  return accepted('genuine', 'A genuine delivery is accepted', {
    steps: [stepper(kit)('payment.completed', kit.specimens.plain)],
    fix: `Respond with 200. Does the receiver run with this secret, and verify the raw body? ${EITHER}`,
  });
}

/** Returns deliveries to accept. A refused one is retried for days, then disables the endpoint. */
function lenient(kit: Kit): Probe[] {
  const { plain, others, pair, nonAscii, large, fresh } = kit.specimens;
  const [first, second, third, fourth] = others;
  const step = stepper(kit);
  const otherSecret = makeWebhookSecret();
  return [
    accepted('one_form', 'Either form of the signature is enough', {
      expects: 'either',
      steps: [
        step('Service-Signature alone', first, { change: ownAlone }),
        step('webhook-signature alone', second, { change: standardAlone }),
      ],
      otherwise: 'warning',
      fix: 'One form that fits is proof; a receiver need not know the other one.',
    }),
    accepted('rotation', 'One of several signatures is enough', {
      steps: [
        step('two unknown signatures first', third, {
          secrets: [otherSecret, otherSecret, ...kit.secrets],
        }),
        step('one unknown signature last', fourth, { secrets: [...kit.secrets, otherSecret] }),
      ],
      fix:
        'Split the header and accept any signature that fits: while a secret is replaced, there ' +
        'is one for each valid secret, two or three.',
    }),
    accepted('twice', 'The same event is accepted again', {
      steps: [step('the same event', plain), step('the same event once more', plain)],
      fix: 'Respond with 200 to an event that you have handled already, and do nothing more.',
    }),
    accepted('order', 'Events are accepted in any order', {
      steps: [
        step('refund.completed', pair.refunded),
        step('payment.completed of the same payment', pair.completed),
      ],
      otherwise: 'warning',
      fix: 'Retrieve the payment instead of relying on the order; retries change it.',
    }),
    accepted('unknown_type', 'An event of an unknown type is accepted', {
      steps: [step('payment.of_the_future', fresh('payment.of_the_future'))],
      fix: 'Respond with 200 to a type that you do not know: new versions add types.',
    }),
    accepted('non_ascii', 'Text in any script is accepted', {
      steps: [step('Armenian, Cyrillic, an emoji, quotes', nonAscii)],
      fix: 'Sign the bytes as received: do not decode or parse them first.',
    }),
    accepted('large', 'A large body is accepted', {
      steps: [step(`a body of ${Math.ceil(large.body.length / 1024)} KiB`, large)],
      fix: 'Raise the limit on bodies to 1 MB; an event with much metadata is as large as this.',
    }),
    accepted('bytes', 'The signature covers the bytes, not the parsed JSON', {
      steps: [step('the same JSON, written with spaces', respelled(plain))],
      otherwise: 'warning',
      fix: 'Sign the raw body: JSON that was parsed and written again has other bytes.',
    }),
    {
      name: 'method',
      rule: 'Other methods are refused',
      expects: 'refused',
      steps: [{ sent: 'GET, unsigned', request: () => ({ method: 'GET', headers: {} }) }],
      otherwise: 'warning',
      fix: 'Deliveries are POSTs; respond with 405 to the rest.',
    },
  ];
}

function respelled({ id, body }: EventText): EventText {
  return { id, body: `${JSON.stringify(JSON.parse(body), undefined, 1)}\n` };
}
