/** Every page of the checkout, in each of its states. A view without a scene is a type error. */
import type { ErrorKind } from '../../checkout/pages/error.tsx';
import type { View } from '../../checkout/state.ts';
import { sandboxDecision } from '../../domain/bank.ts';
import { MAX_ATTEMPTS } from '../../domain/payment.ts';
import { TemporalUnavailable } from '../../temporal/client.ts';
import { makeAttempt, makeTransfer } from '../support/rows/payment.ts';
import { paymentIn } from './harness.ts';

import {
  checkout,
  atCancel,
  atBank,
  atCode,
  atReceipt,
  fresh,
  visited,
  declined,
  LONG_TEXTS,
  become,
  late,
  failAsk,
  byTransfer,
  ending,
  softCodes,
} from './plot.ts';
import type { Plot } from './plot.ts';

export interface Scene extends Required<Omit<Plot, 'submit'>>, Pick<Plot, 'submit'> {
  readonly name: string;
  readonly view: View | ErrorKind;
}

const PLOTS: Record<View | ErrorKind, Readonly<Record<string, Plot>>> = {
  form: {
    form: {},
    'form-missing': { status: 422, submit: { form: 'card-form' } },
    'form-wrong': {
      status: 422,
      submit: {
        form: 'card-form',
        fields: { card_number: '4539 5787 6362 1486', expiry: '13/30', cvc: '12' },
      },
    },
    'form-mistyped': {
      status: 422,
      submit: {
        form: 'card-form',
        fields: { card_number: '4242 4242 4242 4241', expiry: '01/20', cvc: '12' },
      },
    },
    'form-amex': {
      status: 422,
      submit: {
        form: 'card-form',
        fields: { card_number: '3782 822463 10005', expiry: '01/99', cvc: '123' },
      },
    },
    'form-declined': { payment: () => declined('insufficient_funds') },
    'form-last-attempt': { payment: () => declined('card_declined', MAX_ATTEMPTS - 1) },
    'form-turned-back': { payment: () => visited({ status: 'turned_back' }) },
    'form-transfer': { path: (payment) => `${checkout(payment)}?method=bank_transfer` },
    'form-transfer-returned': {
      payment: () => byTransfer({ status: 'declined', failure_code: 'processing_error' }),
    },
    'form-transfer-turned-back': { payment: () => byTransfer({ status: 'turned_back' }) },
    'form-branded': { merchant: 'branded' },
    'form-long': { merchant: 'wordy', payment: () => fresh(LONG_TEXTS) },
    'form-short': {
      payment: () =>
        fresh({ description: null, order_id: null, expires_at: new Date(Date.now() + 61_000) }),
    },
    // An unread form has a page of this name too.
    'form-unread': {
      status: 415,
      path: atCancel,
      submit: { form: 'cancel-form', fields: { x: '1' }, isPlain: true },
    },
    ...Object.fromEntries(
      softCodes.map((code) => [`form-${code}`, { payment: () => declined(code), isVariant: true }]),
    ),
  },
  instructions: {
    instructions: { payment: () => byTransfer() },
    'instructions-branded': { merchant: 'branded', payment: () => byTransfer() },
    'instructions-long': { merchant: 'wordy', payment: () => byTransfer({}, LONG_TEXTS) },
  },
  cancel: {
    cancel: { path: atCancel },
    'cancel-long': { path: atCancel, merchant: 'wordy', payment: () => fresh(LONG_TEXTS) },
  },
  refused: {
    'cancel-refused': {
      status: 409,
      path: atCancel,
      submit: {
        form: 'cancel-form',
        meanwhile: become(() => ({ status: 'processing', attempts: [makeAttempt()] })),
      },
    },
    'cancel-refused-transfer': {
      status: 409,
      path: atCancel,
      submit: {
        form: 'cancel-form',
        meanwhile: become(() => ({ status: 'processing', attempts: [makeTransfer()] })),
      },
    },
  },
  bank: {
    bank: { payment: () => paymentIn('at_bank'), path: atBank },
    'bank-wrong': {
      status: 422,
      payment: () => paymentIn('at_bank'),
      path: atBank,
      submit: { form: 'bank-form', fields: { outcome: 'none' } },
    },
    'bank-declining': {
      payment: () =>
        paymentIn('at_bank', {
          attempts: [makeAttempt({ card: { brand: 'visa', last4: '0002' } })],
        }),
      path: atBank,
    },
    'bank-transfer': { payment: () => byTransfer(), path: atBank },
    'bank-transfer-wrong': {
      status: 422,
      payment: () => byTransfer(),
      path: atBank,
      submit: { form: 'bank-form', fields: { outcome: 'none' } },
    },
    'bank-long': {
      merchant: 'wordy',
      payment: () => paymentIn('at_bank', LONG_TEXTS),
      path: atBank,
    },
  },
  code: {
    code: { payment: () => paymentIn('at_bank'), path: atCode },
    'code-wrong': {
      payment: () => paymentIn('at_bank', { attempts: [makeAttempt({ wrong_codes: 1 })] }),
      path: atCode,
    },
    'code-missing': {
      status: 422,
      payment: () => paymentIn('at_bank'),
      path: atCode,
      submit: { form: 'code-form', fields: { code: ' ' } },
    },
  },
  late_turned_back: { 'late-turned-back': late({ status: 'turned_back' }) },
  late_timed_out: {
    'late-timed-out': late({
      status: 'declined',
      failure_code: 'bank_timeout',
      gave_up_at: new Date(),
    }),
  },
  late_decided: {
    'late-decided': late(
      {
        status: 'declined',
        failure_code: 'card_declined',
        bank: sandboxDecision('card_declined', new Date()),
      },
      [makeAttempt({ number: 2 })],
    ),
  },
  waiting: {
    waiting: { payment: () => paymentIn('waiting') },
    'waiting-transfer': {
      payment: () => byTransfer({ bank: sandboxDecision('approve_after_30s', new Date()) }),
    },
  },
  leaving: {
    leaving: { payment: () => paymentIn('leaving') },
    'leaving-transfer': { payment: () => byTransfer({ turned_back_at: new Date() }) },
  },
  silent: {
    silent: { payment: () => paymentIn('silent') },
    'silent-transfer': { payment: () => byTransfer({}, { expires_at: new Date() }) },
  },
  completed: {
    ...ending('completed'),
    'completed-branded': { merchant: 'branded', payment: () => paymentIn('completed') },
    'completed-long': { merchant: 'wordy', payment: () => paymentIn('completed', LONG_TEXTS) },
  },
  receipt: {
    receipt: { payment: () => paymentIn('completed'), path: atReceipt },
    'receipt-refunded': {
      payment: () => paymentIn('completed', { amount_refunded: 2_500 }),
      path: atReceipt,
    },
    'receipt-transfer': {
      payment: () => paymentIn('completed', { attempts: [makeTransfer({ status: 'approved' })] }),
      path: atReceipt,
    },
  },
  failed: ending('failed'),
  canceled: ending('canceled'),
  expired: {
    ...ending('expired'),
    'expired-transfer': {
      payment: () =>
        paymentIn('expired', {
          attempts: [makeTransfer({ status: 'declined', failure_code: 'bank_timeout' })],
        }),
    },
    'expired-over': { payment: () => paymentIn('over'), isVariant: true },
  },
  not_found: { 'not-found': { status: 404, path: () => '/c/nobody' } },
  method: { 'wrong-method': { status: 405, path: (payment) => `${checkout(payment)}/pay` } },
  unavailable: {
    unavailable: {
      status: 503,
      path: atCancel,
      submit: { form: 'cancel-form', meanwhile: failAsk(new TemporalUnavailable('away')) },
    },
  },
  too_many: { 'too-many': { status: 429, path: () => '/c/nobody', isCrowded: true } },
  fault: {
    fault: {
      status: 500,
      path: atCancel,
      submit: { form: 'cancel-form', meanwhile: failAsk(new Error('A fault of ours.')) },
    },
  },
};

export const SCENES: readonly Scene[] = Object.entries(PLOTS).flatMap(([view, plots]) =>
  Object.entries(plots).map(([name, plot]) => ({
    status: 200,
    payment: fresh,
    merchant: 'plain' as const,
    path: checkout,
    isCrowded: false,
    isVariant: false,
    ...plot,
    name,
    view: view as Scene['view'],
  })),
);
