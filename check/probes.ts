/** The rules that a receiver should follow, and the deliveries that test them. */
import type { CheckCode } from '../domain/check.ts';
import { makeWebhookSecret } from '../outbound/sign.ts';
import type { EventText } from './envelope.ts';
import { forgeries } from './forgeries.ts';
import { ownAlone, standardAlone, stepper } from './steps.ts';
import type { Kit, Probe } from './steps.ts';

/** Returns all probes in their order. If the first one fails, the rest prove nothing. */
export function probesOf(kit: Kit): readonly Probe[] {
  return [genuine(kit), ...forgeries(kit), ...lenient(kit)];
}

const accepted = (check: CheckCode, more: Pick<Probe, 'steps'> & Partial<Probe>): Probe => {
  return { check, expects: 'accepted', otherwise: 'fail', ...more };
};

function genuine(kit: Kit): Probe {
  return accepted('genuine', { steps: [stepper(kit)('completed', kit.specimens.plain)] });
}

/** Returns deliveries to accept. A refused one is retried for days, then disables the endpoint. */
function lenient(kit: Kit): Probe[] {
  const { plain, others, pair, nonAscii, large, fresh } = kit.specimens;
  const [first, second, third, fourth] = others;
  const step = stepper(kit);
  const otherSecret = makeWebhookSecret();
  const { secrets } = kit;
  return [
    accepted('one_form', {
      expects: 'either',
      steps: [
        step('own_alone', first, { change: ownAlone }),
        step('standard_alone', second, { change: standardAlone }),
      ],
      otherwise: 'warning',
    }),
    accepted('rotation', {
      steps: [
        step('unknown_first', third, { secrets: [otherSecret, otherSecret, ...secrets] }),
        step('unknown_last', fourth, { secrets: [...secrets, otherSecret] }),
      ],
    }),
    accepted('twice', { steps: [step('same', plain), step('same_again', plain)] }),
    accepted('order', {
      steps: [step('refund_first', pair.refunded), step('payment_after', pair.completed)],
      otherwise: 'warning',
    }),
    accepted('unknown_type', { steps: [step('future_type', fresh('payment.of_the_future'))] }),
    accepted('non_ascii', { steps: [step('scripts', nonAscii)] }),
    accepted('large', { steps: [step('large', large)] }),
    accepted('bytes', { steps: [step('respelled', respelled(plain))], otherwise: 'warning' }),
    {
      check: 'method',
      expects: 'refused',
      steps: [{ step: 'get', request: () => ({ method: 'GET', headers: {} }) }],
      otherwise: 'warning',
    },
  ];
}

/** Returns the event with the same JSON, written with spaces. */
function respelled({ id, body }: EventText): EventText {
  return { id, body: `${JSON.stringify(JSON.parse(body), undefined, 1)}\n` };
}
