/** Renders the page of each view. */
import type { VNode } from 'preact';
import { renderDocument } from '../../ui/document.tsx';
import type { PaymentContext } from '../context.ts';
import type { View } from '../state.ts';
import { BankPage, CodePage, LatePage } from './bank.tsx';
import { CancelPage, RefusedPage } from './cancel.tsx';
import { CardPage } from './card.tsx';
import { FinishedPage } from './finished.tsx';
import { WaitingPage } from './waiting.tsx';

/** Returns the page of that view as HTML. */
export function renderPage(view: View, page: PaymentContext): string {
  return renderDocument(pageOf(view, page));
}

function pageOf(view: View, page: PaymentContext): VNode {
  switch (view) {
    case 'form':
      return <CardPage {...page} />;
    case 'cancel':
      return <CancelPage {...page} />;
    case 'refused':
      return <RefusedPage {...page} />;
    case 'bank':
      return <BankPage {...page} />;
    case 'code':
      return <CodePage {...page} />;
    case 'late_turned_back':
    case 'late_timed_out':
    case 'late_decided':
      return <LatePage {...page} view={view} />;
    case 'waiting':
    case 'leaving':
    case 'silent':
      return <WaitingPage {...page} view={view} />;
    default:
      return <FinishedPage {...page} view={view} />;
  }
}
