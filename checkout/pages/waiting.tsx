/** The pages on which a customer waits for the bank. A script looks again; so does a refresh. */
import type { Scene } from '../scene.ts';
import { drawFrame } from './frame.tsx';
import { Summary } from './summary.tsx';

/** How often a page without scripts loads itself anew, in seconds: often enough to feel alive. */
const REFRESH_SECONDS = 3;

export function drawWaiting(scene: Scene, view: 'waiting' | 'leaving'): string {
  const { say, payment, links } = scene;
  return drawFrame(scene, {
    title: say(`${view}.heading`),
    isTest: !payment.livemode,
    view,
    scripts: ['wait.js'],
    head: (
      <noscript>
        <meta http-equiv="refresh" content={String(REFRESH_SECONDS)} />
      </noscript>
    ),
    children: (
      <>
        <Summary scene={scene} />
        <div class="waiting" role="status" id="wait" data-status={links.status} data-view={view}>
          <span class="spinner" aria-hidden="true" />
          <h1>{say(`${view}.heading`)}</h1>
          <p>{say(`${view}.text`)}</p>
        </div>
      </>
    ),
  });
}

export function drawSilent(scene: Scene): string {
  const { say, payment, links } = scene;
  return drawFrame(scene, {
    title: say('silent.heading'),
    isTest: !payment.livemode,
    view: 'silent',
    scripts: ['wait.js'],
    children: (
      <>
        <Summary scene={scene} />
        <div class="silent" role="status" id="wait" data-status={links.status} data-view="silent">
          <h1>{say('silent.heading')}</h1>
          <p>{say('silent.text')}</p>
        </div>
        <form method="post" action={links.check} id="check-form">
          <button type="submit" class="main-button" id="check">
            {say('silent.check')}
          </button>
        </form>
      </>
    ),
  });
}
