/** A page that says why there is no other page; the same for every unknown address. */
import type { Stage } from '../scene.ts';
import { drawFrame } from './frame.tsx';

export type NoticeKind = 'not_found' | 'method' | 'form' | 'unavailable' | 'fault';

/** `again` is the address to go back to, where there is one. */
export function drawNotice(
  stage: Stage,
  { kind, again }: { kind: NoticeKind; again: string | undefined },
): string {
  const { say } = stage;
  return drawFrame(stage, {
    title: say(`notice.${kind}`),
    isTest: false,
    view: kind,
    children: (
      <>
        <h1>{say(`notice.${kind}`)}</h1>
        <p>{say(`notice.${kind}_text`)}</p>
        {again !== undefined && (
          <a class="main-button" href={again} id="again">
            {say('notice.again')}
          </a>
        )}
      </>
    ),
  });
}
