/** From the name of a view, as the table has it, to its page. */
import type { CardErrors } from '../card.ts';
import type { Scene } from '../scene.ts';
import type { LateView, View } from '../table.ts';
import type { TextKey } from '../text.ts';
import { drawBank, drawCode, drawLate } from './bank.tsx';
import { drawCancel, drawRefused } from './cancel.tsx';
import { drawFinished } from './finished.tsx';
import { drawForm } from './form.tsx';
import { drawSilent, drawWaiting } from './waiting.tsx';

/** What was wrong with a form, by field. */
export interface Faults extends CardErrors {
  outcome?: TextKey;
  code?: TextKey;
}

/** The page of that view as HTML. `refused` is the answer to a cancel while it is at the bank. */
export function drawView(scene: Scene, view: View | 'refused' | LateView, faults: Faults): string {
  switch (view) {
    case 'form':
      return drawForm(scene, faults);
    case 'cancel':
      return drawCancel(scene);
    case 'refused':
      return drawRefused(scene);
    case 'bank':
      return drawBank(scene, faults.outcome);
    case 'code':
      return drawCode(scene, faults.code);
    case 'late_turned_back':
    case 'late_timed_out':
    case 'late_decided':
      return drawLate(scene, view);
    case 'waiting':
    case 'leaving':
      return drawWaiting(scene, view);
    case 'silent':
      return drawSilent(scene);
    default:
      return drawFinished(scene, view);
  }
}
