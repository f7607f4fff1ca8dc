/** The question before a payment is canceled, and the polite refusal while it is at the bank. */
import { Notice } from '../../ui/form.tsx';
import type { Scene } from '../scene.ts';
import { drawFrame } from './frame.tsx';
import { Summary } from './summary.tsx';

export function drawCancel(scene: Scene): string {
  const { say, links, payment } = scene;
  return drawFrame(scene, {
    title: say('cancel.heading'),
    isTest: !payment.livemode,
    view: 'cancel',
    children: (
      <>
        <Summary scene={scene} />
        <h1>{say('cancel.heading')}</h1>
        <p>{say('cancel.text')}</p>
        <form method="post" action={links.cancel} id="cancel-form">
          <button type="submit" class="danger-button" id="cancel-yes">
            {say('cancel.yes')}
          </button>
        </form>
        <p class="aside">
          <a href={links.checkout} id="cancel-no">
            {say('cancel.no')}
          </a>
        </p>
      </>
    ),
  });
}

export function drawRefused(scene: Scene): string {
  const { say, links, payment } = scene;
  return drawFrame(scene, {
    title: say('cancel.refused'),
    isTest: !payment.livemode,
    view: 'refused',
    children: (
      <>
        <Summary scene={scene} />
        <h1>{say('cancel.refused')}</h1>
        <Notice kind="plain" id="refused">
          <p>{say('cancel.refused_text')}</p>
        </Notice>
        <a class="main-button" href={links.checkout} id="onward">
          {say('cancel.onward')}
        </a>
      </>
    ),
  });
}
