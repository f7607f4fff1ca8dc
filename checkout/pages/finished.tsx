/** The pages of a payment to which nothing more will happen. */
import { endedAt } from '../../domain/payment.ts';
import { localAmount } from '../../domain/money.ts';
import { fillPlaceholders } from '../../domain/wire.ts';
import type { Scene } from '../scene.ts';
import { drawFrame } from './frame.tsx';
import { Summary } from './summary.tsx';

/** Long enough to read that the payment has been received, in seconds. */
const RETURN_SECONDS = 5;

/**
 * How long after its end a payment is shown in full, in milliseconds. The page needs no password,
 * and its address stays in browser histories and mails. Later than this, customers ask the shop.
 */
const SHOWN_MS = 24 * 60 * 60 * 1000;

type Ending = 'completed' | 'failed' | 'canceled' | 'expired';

export function drawFinished(scene: Scene, ending: Ending): string {
  const { say, payment, locale, now } = scene;
  const end = endedAt(payment) ?? payment.expires_at;
  if (now.getTime() >= end.getTime() + SHOWN_MS) return drawPast(scene, ending);
  const amount = localAmount(payment.amount, payment.currency, locale);
  const way = returnAddress(scene, ending);
  const returns = ending === 'completed';
  return drawFrame(scene, {
    title: say(`${ending}.heading`),
    isTest: !payment.livemode,
    view: ending,
    head: returns && <meta http-equiv="refresh" content={`${RETURN_SECONDS};url=${way}`} />,
    children: (
      <>
        <Summary scene={scene} />
        <div class={`ending ending-${ending}`} role="status" id="ending">
          <h1>{say(`${ending}.heading`)}</h1>
          <p>{say(`${ending}.text`, { amount })}</p>
        </div>
        <a class="main-button" href={way} id="return">
          {say('finished.return')}
        </a>
        {returns && <p class="aside">{say('completed.returning')}</p>}
      </>
    ),
  });
}

/**
 * Draws only the final state and a link to the shop's site. It omits the `return_url`, which may
 * name the order.
 */
function drawPast({ payment, ...stage }: Scene, ending: Ending): string {
  const { say } = stage;
  return drawFrame(stage, {
    title: say(`${ending}.heading`),
    isTest: !payment.livemode,
    view: ending,
    children: (
      <>
        <div class={`ending ending-${ending}`} role="status" id="ending">
          <h1>{say(`${ending}.heading`)}</h1>
          <p id="past">{say('finished.past')}</p>
        </div>
        <a class="main-button" href={new URL(payment.return_url).origin} id="return">
          {say('finished.return')}
        </a>
      </>
    ),
  });
}

/** Where the merchant wants the customer back; after a cancel he may want him elsewhere. */
function returnAddress({ payment }: Scene, ending: Ending): string {
  const { cancel_url: cancelUrl, return_url: returnUrl } = payment;
  return fillPlaceholders((ending === 'canceled' ? cancelUrl : null) ?? returnUrl, payment);
}
