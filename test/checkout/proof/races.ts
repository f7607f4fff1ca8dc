/** Races of customers and merchants, over HTTP on a real server and worker. */
import { setTimeout as sleep } from 'node:timers/promises';
import { expect, it } from 'vitest';
import type { PublicPayment } from '../../../domain/wire.ts';
import { CARD } from '../../support/customer.ts';
import { untilAccepted } from '../../support/retry.ts';
import { until } from '../../support/until.ts';
import { attemptsOf, goToBank, merchant, openCardForm, race, seeEnd } from './race.ts';
import type { Round } from './race.ts';
import { open, submitUntilTaken, viewAfter } from './tab.ts';
import type { Reply } from './tab.ts';

/** How far from the end of a payment's lifetime a customer acts, at most. */
const AROUND_MS = 50;
/** Long enough to open the page, and to go to the bank. */
const LIFETIME_MS = 6_000;
const OTHER_CARD = { ...CARD, card_number: '5555 5555 5555 4444' };
const APPROVE = { outcome: 'approve' };

const makeShortPayment = async (key: string): Promise<PublicPayment> =>
  merchant.create(key, { expires_at: new Date(Date.now() + LIFETIME_MS).toISOString() });

/** Acts at a random moment around the end of the payment's lifetime. */
async function actAround({ expires_at: end }: PublicPayment): Promise<void> {
  const offsetMs = (Math.random() * 2 - 1) * AROUND_MS;
  await sleep(Math.max(0, new Date(end).getTime() + offsetMs - Date.now()));
}

it('a double click pays once', async () => {
  await race('double click', async (payment) => {
    const form = await openCardForm(payment);
    const [first, second] = await Promise.all([
      submitUntilTaken(form, CARD),
      submitUntilTaken(form, CARD),
    ]);
    expect(first).toEqual(second);
    const bank = (await open(first.to)).form('bank-form');
    const replies = await Promise.all([
      submitUntilTaken(bank, APPROVE),
      submitUntilTaken(bank, APPROVE),
    ]);
    expect(replies.map(({ status }) => status)).toEqual([303, 303]);
    const end = await seeEnd(payment);
    expect([end, await attemptsOf(payment)]).toEqual(['completed', 1]);
    return end;
  });
});

it('two tabs with two cards go to the bank once, where one choice counts', async () => {
  await race('two tabs', async (payment, nth) => {
    const forms = await Promise.all([openCardForm(payment), openCardForm(payment)]);
    const replies = await Promise.all([
      submitUntilTaken(forms[0], CARD),
      submitUntilTaken(forms[1], OTHER_CARD),
    ]);
    expect(replies[0].to).toBe(replies[1].to);
    const tabs = await Promise.all(
      replies.map(async ({ to }) => (await open(to)).form('bank-form')),
    );
    const other = nth % 2 === 0 ? 'suspected_fraud' : 'turn_back';
    const choices = await Promise.all([
      submitUntilTaken(tabs[0]!, APPROVE),
      submitUntilTaken(tabs[1]!, { outcome: other }),
    ]);
    const views = await Promise.all(choices.map(viewAfter));
    if (other === 'turn_back') {
      // The approval has come too late, so the customer can begin again.
      if (choices[0].status === 409) {
        expect(views[0]).toBe('late_turned_back');
        await until(
          async () => (await open(payment.checkout_url)).view,
          (view) => view === 'form',
        );
        await submitUntilTaken(await goToBank(payment), APPROVE);
        expect(await seeEnd(payment)).toBe('completed');
        return 'turned back, and paid later';
      }
    }
    const end = await seeEnd(payment);
    for (const view of views) expect(['waiting', 'leaving', end]).toContain(view);
    return end;
  });
});

it('the back button and old forms change nothing', async () => {
  await race('back button', async (payment) => {
    const card = await openCardForm(payment);
    const { to } = await submitUntilTaken(card, CARD);
    const bank = (await open(to)).form('bank-form');
    // Back to the card form, which is submitted again with another card.
    expect(await submitUntilTaken(card, OTHER_CARD)).toMatchObject({ status: 303, to });
    await submitUntilTaken(bank, APPROVE);
    const end = await seeEnd(payment);
    const before = await merchant.retrieve(payment.id);
    const old = [
      await submitUntilTaken(bank, { outcome: 'card_declined' }),
      await submitUntilTaken(bank, { outcome: 'turn_back' }),
      await submitUntilTaken(card, CARD),
    ];
    for (const reply of old) expect(await viewAfter(reply)).toBe('completed');
    expect((await open(to)).view).toBe('completed');
    expect((await open(`${payment.checkout_url}/cancel`)).view).toBe('completed');
    expect(await merchant.retrieve(payment.id)).toEqual(before);
    return end;
  });
});

/** Opens an address twice. Returns both views. */
const viewsOfTwo = async (address: string): Promise<string[]> => [
  (await open(address)).view,
  (await open(address)).view,
];

it('a reload at each step changes nothing', async () => {
  await race('reload', async (payment) => {
    const url = payment.checkout_url;
    expect(await viewsOfTwo(url)).toEqual(['form', 'form']);
    const card = await openCardForm(payment);
    // A reload of the page of a refused form submits it again.
    const wrong = { ...CARD, cvc: 'x' };
    for (let i = 0; i < 2; i += 1) {
      expect(await submitUntilTaken(card, wrong)).toMatchObject({ status: 422, view: 'form' });
    }
    const { to } = await submitUntilTaken(card, CARD);
    expect(await viewsOfTwo(to)).toEqual(['bank', 'bank']);
    const bank = (await open(to)).form('bank-form');
    const code = await submitUntilTaken(bank, { outcome: 'approve_3ds' });
    expect(await viewsOfTwo(code.to)).toEqual(['code', 'code']);
    const confirm = (await open(code.to)).form('code-form');
    for (let i = 0; i < 2; i += 1) {
      expect((await submitUntilTaken(confirm, { code: '123456' })).status).toBe(303);
    }
    const end = await seeEnd(payment);
    expect(await viewsOfTwo(url)).toEqual([end, end]);
    expect([end, await attemptsOf(payment)]).toEqual(['completed', 1]);
    return end;
  });
});

const payAtEnd: Round = async (payment, nth) => {
  const isAtBank = nth % 2 === 1;
  const form = isAtBank ? await goToBank(payment) : await openCardForm(payment);
  await actAround(payment);
  if (isAtBank) {
    // A payment that is at the bank in time may be decided later.
    const outcome = nth % 4 === 1 ? 'approve' : 'card_declined';
    const reply = await submitUntilTaken(form, { outcome });
    expect(reply.status).toBe(303);
    const end = await seeEnd(payment);
    expect(end).toBe(outcome === 'approve' ? 'completed' : 'expired');
    return `${outcome} at the bank: ${end}`;
  }
  const { to } = await submitUntilTaken(form, CARD);
  const isIn = to.includes('/bank/');
  if (isIn) await submitUntilTaken((await open(to)).form('bank-form'), APPROVE);
  else expect((await open(to)).view).toBe('expired');
  const end = await seeEnd(payment);
  expect(end).toBe(isIn ? 'completed' : 'expired');
  return `pay: ${end}`;
};

it('paying at the end of the lifetime either goes to the bank or is told that it is over', async () => {
  await race('expiry', payAtEnd, makeShortPayment);
});

/** Creates a delay for customers that lets them win about half of their races. */
function makeHandicap() {
  let ms = 0;
  return {
    wait: async () => sleep(Math.random() * 2 * ms),
    /** A cancel takes longer, because it waits for the workflow. */
    learn: (isCanceled: boolean) => {
      ms = isCanceled ? ms * 0.9 : ms * 1.1 + 1;
    },
  };
}

/** Checks the replies to a payment and a cancel at once, and pays if the cancel was refused. */
async function judge(payment: PublicPayment, paid: Reply, isCanceled: boolean): Promise<string> {
  const isAtBank = paid.to.includes('/bank/');
  expect(isAtBank).toBe(!isCanceled);
  if (isAtBank) await submitUntilTaken((await open(paid.to)).form('bank-form'), APPROVE);
  else expect((await open(paid.to)).view).toBe('canceled');
  const end = await seeEnd(payment);
  expect(end).toBe(isCanceled ? 'canceled' : 'completed');
  return end;
}

it('paying and the merchant’s cancel have one result, which both are told', async () => {
  const handicap = makeHandicap();
  await race('cancel by the merchant', async (payment) => {
    const form = await openCardForm(payment);
    const path = `/v1/payments/${payment.id}/cancel`;
    const cancel = async () =>
      untilAccepted(async () => merchant.call('POST', path, {}, `cancel-${payment.id}`));
    const pay = async () => {
      await handicap.wait();
      return submitUntilTaken(form, CARD);
    };
    const [paid, canceled] = await Promise.all([pay(), cancel()]);
    handicap.learn(canceled.status === 200);
    if (canceled.status !== 200) {
      const error = { code: 'payment_state_invalid' };
      expect(canceled).toMatchObject({ status: 409, body: { error } });
    }
    return judge(payment, paid, canceled.status === 200);
  });
});

it('paying and the customer’s cancel have one result, which both tabs are told', async () => {
  const handicap = makeHandicap();
  await race('cancel by the customer', async (payment) => {
    const form = await openCardForm(payment);
    const question = (await open(`${payment.checkout_url}/cancel`)).form('cancel-form');
    const pay = async () => {
      await handicap.wait();
      return submitUntilTaken(form, CARD);
    };
    const [paid, canceled] = await Promise.all([pay(), submitUntilTaken(question)]);
    const isCanceled = canceled.status === 303;
    handicap.learn(isCanceled);
    if (!isCanceled) expect(canceled).toMatchObject({ status: 409, view: 'refused' });
    if (isCanceled) expect(await viewAfter(canceled)).toBe('canceled');
    return judge(payment, paid, isCanceled);
  });
});
