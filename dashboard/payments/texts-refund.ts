/** The texts about refunds, and about refused actions. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const REFUND = {
  'refund.title': {
    en: 'Refund',
    hy: 'Վերադարձնել գումարը',
    ru: 'Вернуть деньги',
  },
  'refund.amount': {
    en: 'Amount to refund',
    hy: 'Վերադարձվող գումարը',
    ru: 'Сумма возврата',
  },
  'refund.amount_hint': {
    en: 'As you would write it on a receipt, for example 12500 or 19.90.',
    hy: 'Ինչպես կգրվեր անդորրագրում, օրինակ՝ 12500 կամ 19.90։',
    ru: 'Как в чеке, например 12500 или 19.90.',
  },
  'refund.remaining': {
    en: '{amount} can be refunded.',
    hy: 'Կարելի է վերադարձնել {amount}։',
    ru: 'Можно вернуть {amount}.',
  },
  'refund.reason': {
    en: 'Reason',
    hy: 'Պատճառ',
    ru: 'Причина',
  },
  'refund.continue': {
    en: 'Continue',
    hy: 'Շարունակել',
    ru: 'Продолжить',
  },
  'refund.back': {
    en: 'Back to the payment',
    hy: 'Վերադառնալ վճարմանը',
    ru: 'Назад к платежу',
  },
  'refund.confirm_title': {
    en: 'Refund {amount}?',
    hy: 'Վերադարձնե՞լ {amount}',
    ru: 'Вернуть {amount}?',
  },
  'refund.after': {
    en: 'Refundable afterwards',
    hy: 'Դրանից հետո կմնա',
    ru: 'После этого останется',
  },
  'refund.final': {
    en: 'The customer gets the money back the way it was paid. This cannot be undone.',
    hy: 'Գումարը կվերադարձվի գնորդին նույն եղանակով, որով վճարվել է։ Սա հնարավոր չէ հետարկել։',
    ru: 'Деньги вернутся покупателю тем же способом, каким он заплатил. Это нельзя отменить.',
  },
  'refund.do': {
    en: 'Refund {amount}',
    hy: 'Վերադարձնել {amount}',
    ru: 'Вернуть {amount}',
  },
  'reason.duplicate': {
    en: 'Paid twice',
    hy: 'Վճարվել է երկու անգամ',
    ru: 'Оплачено дважды',
  },
  'reason.fraudulent': {
    en: 'Fraud',
    hy: 'Զեղծարարություն',
    ru: 'Мошенничество',
  },
  'reason.requested_by_customer': {
    en: 'Requested by the customer',
    hy: 'Գնորդի խնդրանքով',
    ru: 'По просьбе покупателя',
  },
  'reason.other': {
    en: 'Other',
    hy: 'Այլ',
    ru: 'Другая',
  },
  'refund_status.pending': {
    en: 'At the bank',
    hy: 'Բանկում է',
    ru: 'В банке',
  },
  'refund_status.completed': {
    en: 'Refunded',
    hy: 'Կատարված է',
    ru: 'Выполнен',
  },
  'refund_status.failed': {
    en: 'Failed',
    hy: 'Չի կատարվել',
    ru: 'Не выполнен',
  },
  'refund_status.canceled': {
    en: 'Canceled',
    hy: 'Չեղարկված է',
    ru: 'Отменён',
  },
  'refused.state': {
    en: 'The payment is at the bank or has ended, so it cannot be canceled now.',
    hy: 'Վճարումը բանկում է կամ ավարտվել է, ուստի հիմա հնարավոր չէ չեղարկել։',
    ru: 'Платёж в банке или уже завершён, поэтому сейчас его нельзя отменить.',
  },
  'refused.not_refundable': {
    en: 'This payment cannot be refunded.',
    hy: 'Այս վճարման գումարը հնարավոր չէ վերադարձնել։',
    ru: 'По этому платежу возврат невозможен.',
  },
  'refused.refunded': {
    en: 'All of the payment is refunded, or is being refunded.',
    hy: 'Ամբողջ գումարն արդեն վերադարձված է կամ վերադարձվում է։',
    ru: 'Вся сумма уже возвращена или возвращается.',
  },
  'refused.changed': {
    en: 'The refundable amount has changed meanwhile. Check the amount again.',
    hy: 'Վերադարձման ենթակա գումարն այդ ընթացքում փոխվել է։ Կրկին ստուգեք գումարը։',
    ru: 'Доступная для возврата сумма за это время изменилась. Проверьте сумму ещё раз.',
  },
  'refused.too_large': {
    en: 'The amount is larger than what can be refunded.',
    hy: 'Գումարն ավելի մեծ է, քան կարելի է վերադարձնել։',
    ru: 'Сумма больше, чем можно вернуть.',
  },
  'refused.amount': {
    en: 'Enter an amount in {currency} with {decimals, plural, =0 {no decimals} one {at most # decimal} other {at most # decimals}}.',
    hy: 'Մուտքագրեք գումարը՝ {currency}, {decimals, plural, =0 {առանց տասնորդականների} other {առավելագույնը # տասնորդական նիշով}}։',
    ru: 'Введите сумму в {currency} {decimals, plural, =0 {без дробной части} one {не более чем с # знаком после запятой} other {не более чем с # знаками после запятой}}.',
  },
  'refused.comma': {
    en: 'The comma could stand for thousands or for decimals. Write a point before the decimals.',
    hy: 'Ստորակետը կարող է նշանակել և՛ հազարներ, և՛ տասնորդականներ։ Տասնորդականներից առաջ կետ դրեք։',
    ru: 'Запятая может отделять тысячи или дробную часть. Поставьте точку перед дробной частью.',
  },
  'refused.at_most': {
    en: 'At most {amount} can be refunded.',
    hy: 'Կարելի է վերադարձնել առավելագույնը {amount}։',
    ru: 'Можно вернуть не больше {amount}.',
  },
} as const satisfies Texts<Locale>;
