/** The bank card. The customer decides at the bank, on the bank's own page. */
import { BankPage } from '../../pages/bank.tsx';
import type { Method } from '../method.ts';
import { checkCard } from './check.ts';
import { CardForm } from './form.tsx';

export const CARD: Method = {
  type: 'card',
  name: 'method.card',
  heading: 'form.heading',
  check: checkCard,
  StartForm: CardForm,
  BankPage,
  Details: null,
  texts: {},
};
