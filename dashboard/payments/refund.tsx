/** A refund in two steps: the amount and the reason, then exactly what will be refunded. */
import type { Locale } from '../../domain/merchant.ts';
import { decimalsOf, localAmount, parseAmount, plainAmount } from '../../domain/money.ts';
import { REFUND_REASONS, judgeRefund, refundableAmount } from '../../domain/refund.ts';
import type { RefundReason } from '../../domain/refund.ts';
import { createRefund } from '../../operations/create-refund.ts';
import { Refusal } from '../../operations/refusal.ts';
import { mintId } from '../../store/mint.ts';
import type { PaymentRow } from '../../store/rows.ts';
import { readQuery } from '../form.ts';
import { ActionForm, ConfirmField, Field, Page } from '../layout.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { REFUSALS, asMerchantRequest, inWords, loadPayment } from './act.ts';

/** The idempotency key of a form, so that sending the form twice has one effect. */
const FORM_KEY = /^dashboard-[0-9A-HJKMNP-TV-Z]{26}$/;
const newKey = (): string => mintId('request').replace('req_', 'dashboard-');

/** A refund that was checked, and waits for its confirmation. Amounts are in minor units. */
interface Draft {
  readonly amount: number;
  /** The refundable amount that the user saw. */
  readonly refundable: number;
  readonly reason: RefundReason | null;
  readonly key: string;
}

/** `GET /payments/:id/refund` */
export async function askRefund(request: StaffRequest): Promise<Result> {
  return { page: askPage(request, await loadPayment(request)) };
}

function askPage(request: StaffRequest, payment: PaymentRow) {
  const { t, locale, form } = request;
  const { _id: id, currency } = payment;
  const verdict = judgeRefund(payment, {});
  if ('refused' in verdict) {
    return (
      <Page request={request} title={t('refund.title')}>
        <p id="not-refundable">{t(REFUSALS[verdict.refused].text)}</p>
        <Back request={request} to={id} />
      </Page>
    );
  }
  const { amount: refundable } = verdict;
  const decimal = plainAmount(refundable, currency);
  return (
    <Page request={request} title={t('refund.title')}>
      <p>{t('refund.remaining', { amount: localAmount(refundable, currency, locale) })}</p>
      <form method="get" action={`/payments/${id}/refund/check`}>
        <input type="hidden" name="refundable" value={refundable} />
        <Field
          request={request}
          name="amount"
          label="refund.amount"
          hint="refund.amount_hint"
          input={{ value: decimal, inputMode: 'decimal', autocomplete: 'off', required: true }}
        />
        <p class="field">
          <label for="reason">{t('refund.reason')}</label>
          <select id="reason" name="reason">
            <option value="">{t('none')}</option>
            {REFUND_REASONS.map((reason) => (
              <option key={reason} value={reason} selected={reason === form.get('reason')}>
                {t(`reason.${reason}`)}
              </option>
            ))}
          </select>
        </p>
        <button class="main-button">{t('refund.continue')}</button>
      </form>
      <Back request={request} to={id} />
    </Page>
  );
}

function Back({ request, to }: { request: StaffRequest; to: string }) {
  return (
    <p>
      <a href={`/payments/${to}`}>{request.t('refund.back')}</a>
    </p>
  );
}

/** `GET /payments/:id/refund/check?amount=&reason=&refundable=`. Changes nothing. */
export async function checkRefund(request: StaffRequest): Promise<Result> {
  const payment = await loadPayment(request);
  const form = readQuery(request.ctx);
  try {
    const reason = readReason(request, form.get('reason'));
    const refundable = readMinor(request, form.get('refundable'));
    const amount = checkAmount(request, payment, { typed: form.get('amount'), refundable });
    const draft = { amount, refundable, reason, key: newKey() };
    return { page: confirmPage(request, payment, draft) };
  } catch (refusal) {
    if (!(refusal instanceof Refusal)) throw refusal;
    return { page: askPage({ ...request, form, refusal }, payment), status: 422 };
  }
}

/** Returns the typed amount in minor units. Throws `Refusal` if it cannot be refunded. */
function checkAmount(
  { t, locale }: StaffRequest,
  payment: PaymentRow,
  { typed, refundable: seen }: { typed: string; refundable: number },
): number {
  const { currency } = payment;
  const refundable = refundableAmount(payment);
  if (refundable !== seen) throw Refusal.ofParam('amount', t('refused.changed'));
  const decimals = decimalsOf(currency);
  const amount = parseAmount(typed, decimals);
  if (isAmbiguous(typed, { decimals, locale })) {
    throw Refusal.ofParam('amount', t('refused.comma'));
  }
  if (amount === undefined) {
    throw Refusal.ofParam('amount', t('refused.amount', { currency, decimals }));
  }
  if (amount <= refundable) return amount;
  const left = localAmount(refundable, currency, locale);
  throw Refusal.ofParam('amount', t('refused.at_most', { amount: left }));
}

/**
 * Returns true for `1,000` in English if the currency has three decimals: the comma may group
 * thousands, or precede the decimals.
 */
const isAmbiguous = (typed: string, of: { decimals: number; locale: Locale }): boolean =>
  of.locale === 'en' && of.decimals === 3 && /^\d{1,3},\d{3}$/.test(typed);

/** Returns the reason; null for none. Throws 400 for a text that our form does not have. */
function readReason({ ctx }: StaffRequest, text: string): RefundReason | null {
  const reason = REFUND_REASONS.find((each) => each === text);
  if (reason === undefined && text !== '') ctx.throw(400);
  return reason ?? null;
}

/** Returns an amount in minor units. Throws 400 for anything but digits. */
function readMinor({ ctx }: StaffRequest, text: string): number {
  if (!/^\d{1,9}$/.test(text)) ctx.throw(400);
  return Number(text);
}

function readDraft(request: StaffRequest): Draft {
  const { form, ctx } = request;
  const key = form.get('key');
  if (!FORM_KEY.test(key)) ctx.throw(400);
  return {
    amount: readMinor(request, form.get('minor')),
    refundable: readMinor(request, form.get('refundable')),
    reason: readReason(request, form.get('reason')),
    key,
  };
}

function confirmPage(request: StaffRequest, payment: PaymentRow, draft: Draft) {
  const { t, locale } = request;
  const { _id: id, currency, order_id } = payment;
  const { amount, refundable, reason, key } = draft;
  const shown = (minor: number): string => localAmount(minor, currency, locale);
  const fields = { minor: amount, refundable, reason: reason ?? '', key };
  return (
    <Page request={request} title={t('refund.confirm_title', { amount: shown(amount) })}>
      <dl class="facts">
        <div>
          <dt>{t('refund.amount')}</dt>
          <dd id="refund-amount">{shown(amount)}</dd>
        </div>
        <div>
          <dt>{t('refund.after')}</dt>
          <dd id="refund-after">{shown(refundable - amount)}</dd>
        </div>
        <div>
          <dt>{t('refund.reason')}</dt>
          <dd>{reason === null ? t('none') : t(`reason.${reason}`)}</dd>
        </div>
        <div>
          <dt>{t('payments.order')}</dt>
          <dd>{order_id ?? t('none')}</dd>
        </div>
      </dl>
      <p>{t('refund.final')}</p>
      <ActionForm request={request} to={`/payments/${id}/refund`}>
        {Object.entries(fields).map(([name, value]) => (
          <input key={name} type="hidden" name={name} value={value} />
        ))}
        <ConfirmField request={request} />
        <button class="main-button">{t('refund.do', { amount: shown(amount) })}</button>
      </ActionForm>
      <Back request={request} to={id} />
    </Page>
  );
}

/** `POST /payments/:id/refund`. A repeat of the same form has no further effect. */
export async function makeRefund(request: StaffRequest): Promise<Result> {
  const { _id: id } = await loadPayment(request);
  const { amount, refundable: expected_refundable, reason, key } = readDraft(request);
  const fields = { amount, expected_refundable, payment_id: id, ...(reason && { reason }) };
  const sent = asMerchantRequest(request, { key, fields });
  await inWords(request, async () => createRefund(sent, fields));
  return { to: `/payments/${id}`, done: 'refund_created' };
}

/** Shows the second step again after a wrong password, and else the first one. */
export async function showRefundAgain(request: StaffRequest): Promise<Result> {
  const payment = await loadPayment(request);
  const { refusal } = request;
  const isUnconfirmed = refusal?.errors.some(({ param }) => param === 'password');
  if (isUnconfirmed || refusal?.code === 'too_many_requests') {
    return { page: confirmPage(request, payment, readDraft(request)) };
  }
  return { page: askPage(request, payment) };
}
