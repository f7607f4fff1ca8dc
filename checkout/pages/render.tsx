/** Renders the page of each view. */
import type { VNode } from 'preact';
import { renderDocument } from '../../ui/document.tsx';
import type { PaymentContext } from '../context.ts';
import type { View } from '../state.ts';
import { CodePage, LatePage } from './bank.tsx';
import { CancelPage, RefusedPage } from './cancel.tsx';
import { FinishedPage } from './finished.tsx';
import { FormPage } from './form.tsx';
import { InstructionsPage } from './instructions.tsx';
import { WaitingPage } from './waiting.tsx';

/** Returns the page of that view as HTML. */
export function renderPage(view: View, page: PaymentContext): string {
  return renderDocument(pageOf(view, page));
}

function pageOf(view: View, page: PaymentContext): VNode {
  switch (view) {
    case 'form':
      return <FormPage {...page} />;
    case 'cancel':
      return <CancelPage {...page} />;
    case 'refused':
      return <RefusedPage {...page} />;
    case 'instructions':
      return <InstructionsPage {...page} />;
    case 'bank':
      return <page.method.BankPage {...page} />;
    case 'code':
      return <CodePage {...page} />;
    case 'receipt':
      return <FinishedPage {...page} view="completed" isReceipt />;
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
