/** The names of elements on which integrators' tests depend. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { parse } from 'node-html-parser';
import { describe, expect, it } from 'vitest';
import type { PageState } from '../../checkout/state.ts';
import type { Payment } from '../../domain/payment.ts';
import { closeAfterTests } from '../support/close.ts';
import { makeAttempt, makePayment } from '../support/rows/payment.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { openBench, paymentIn } from './harness.ts';

const bench = closeAfterTests(await openBench('elements'));
const checkoutPath = (payment: Payment, tail = '') => `/c/${payment.checkout_token}${tail}`;
const declined = () =>
  makePayment({ attempts: [makeAttempt({ status: 'declined', failure_code: 'card_declined' })] });

/** Integrators' tests use these names. Changing one breaks them. */
describe('the elements that the guide promises', () => {
  const guide = readFileSync(path.join(PROJECT, 'docs/guides/testing.md'), 'utf8');
  const rows = [...guide.matchAll(/^\| `(\w+)` +\| `([^`]+)` +\|/gm)];
  const names = rows.map(([, view, element]) => [String(view), String(element)] as const);
  /** In the order of the page. */
  const OUTCOMES = [
    'approve',
    'approve_3ds',
    'card_declined',
    'insufficient_funds',
    'expired_card',
    'incorrect_cvc',
    'limit_exceeded',
    'issuer_unavailable',
    'suspected_fraud',
    'lost_or_stolen',
    'approve_after_5s',
    'approve_after_30s',
    'decline_after_30s',
    'approve_after_timeout',
    'never_answer',
    'turn_back',
  ];
  const makers: Record<string, () => Payment> = {
    form: () => declined(),
    cancel: () => paymentIn('open'),
    bank: () => paymentIn('at_bank'),
    code: () => paymentIn('at_bank'),
  };

  async function open(view: string) {
    const payment = await bench.put(makers[view]?.() ?? paymentIn(view as PageState));
    const tails: Record<string, string> = {
      bank: bench.bankPath(payment),
      code: bench.bankPath(payment, '/code'),
      cancel: checkoutPath(payment, '/cancel'),
    };
    return parse((await bench.call(tails[view] ?? checkoutPath(payment))).text);
  }

  it('are these', () => {
    expect(names.map((pair) => pair.join(' '))).toEqual([
      'form [name="card_number"]',
      'form [name="expiry"]',
      'form [name="cvc"]',
      'form #pay',
      'form #cancel',
      'form #declined',
      'cancel #cancel-yes',
      'bank #quick-approve',
      'bank #outcome-NAME',
      'bank #decide',
      'bank #turn-back',
      'code [name="code"]',
      'code #confirm',
      'code #turn-back',
      'completed #return',
      'failed #return',
      'canceled #return',
      'expired #return',
    ]);
  });

  it.each(names)('are on the page %s: %s', async (view, element) => {
    const page = await open(view);
    const wanted = element.includes('NAME')
      ? OUTCOMES.map((name) => element.replace('NAME', name))
      : [element];
    const counts = wanted.map((each) => page.querySelectorAll(`[data-view="${view}"] ${each}`));
    expect(counts.map(({ length }) => length)).toEqual(wanted.map(() => 1));
  });

  it('include the choices at the bank, in this order and nowhere else', async () => {
    const choices = (await open('bank')).querySelectorAll('[name="outcome"]');
    const shown = choices.map((choice) => [
      choice.getAttribute('type'),
      choice.getAttribute('value'),
      choice.getAttribute('id'),
    ]);
    expect(shown).toEqual(OUTCOMES.map((name) => ['radio', name, `outcome-${name}`]));
  });
});
