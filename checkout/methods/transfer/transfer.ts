/**
 * The bank transfer. The customer gets a reference and the details of an account, and pays at
 * another bank. The sandbox bank plays that one.
 */
import type { Method } from '../method.ts';
import { TransferBankPage } from './bank.tsx';
import { TransferDetails } from './details.tsx';
import { TransferForm } from './form.tsx';

export const TRANSFER: Method = {
  type: 'bank_transfer',
  name: 'method.bank_transfer',
  heading: 'transfer.heading',
  // The bank learns everything else from the customer's own bank.
  check: () => ({ tender: { type: 'bank_transfer' } }),
  StartForm: TransferForm,
  BankPage: TransferBankPage,
  Details: TransferDetails,
  texts: {
    'form.turned_back': 'transfer.turned_back',
    'failure.processing_error': 'transfer.returned',
    'cancel.refused': 'transfer.waiting',
    'cancel.refused_text': 'transfer.refused_text',
    'waiting.heading': 'transfer.waiting',
    'waiting.text': 'transfer.waiting_text',
    'leaving.heading': 'transfer.leaving',
    'leaving.text': 'transfer.leaving_text',
    'silent.heading': 'transfer.silent',
    'silent.text': 'transfer.silent_text',
    'expired.text': 'transfer.expired_text',
    'bank.heading': 'method.bank_transfer',
    'bank.no_money': 'transfer.no_money',
    'error.outcome': 'transfer.error_outcome',
  },
};
