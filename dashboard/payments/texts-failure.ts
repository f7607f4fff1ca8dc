/** The reasons of failed payments and refunds, in words. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const FAILURE = {
  'failure.card_declined': {
    en: 'The bank declined the card',
    hy: 'Բանկը մերժել է վճարումը',
    ru: 'Банк отклонил платёж',
  },
  'failure.insufficient_funds': {
    en: 'There is not enough money on the card',
    hy: 'Քարտի վրա բավարար միջոցներ չկան',
    ru: 'На карте недостаточно средств',
  },
  'failure.expired_card': {
    en: 'The card has expired',
    hy: 'Քարտի ժամկետը լրացել է',
    ru: 'Срок действия карты истёк',
  },
  'failure.incorrect_cvc': {
    en: 'The security code is wrong',
    hy: 'CVC/CVV կոդը սխալ է',
    ru: 'Неверный код CVC/CVV',
  },
  'failure.authentication_failed': {
    en: 'The bank could not confirm the customer',
    hy: 'Բանկը չի կարողացել հաստատել գնորդի ինքնությունը',
    ru: 'Банк не смог подтвердить личность покупателя',
  },
  'failure.limit_exceeded': {
    en: 'The amount is above a limit of the card',
    hy: 'Գումարը գերազանցում է քարտի սահմանաչափը',
    ru: 'Сумма превышает лимит по карте',
  },
  'failure.issuer_unavailable': {
    en: 'The bank that issued the card could not be reached',
    hy: 'Քարտը թողարկած բանկը հասանելի չէր',
    ru: 'Банк, выпустивший карту, был недоступен',
  },
  'failure.processing_error': {
    en: 'The bank could not process the payment',
    hy: 'Բանկը չի կարողացել մշակել վճարումը',
    ru: 'Банк не смог обработать платёж',
  },
  'failure.bank_timeout': {
    en: 'The bank did not answer in time',
    hy: 'Բանկը ժամանակին չի պատասխանել',
    ru: 'Банк не ответил вовремя',
  },
  'failure.suspected_fraud': {
    en: 'The bank suspects fraud',
    hy: 'Բանկը զեղծարարություն է կասկածում',
    ru: 'Банк подозревает мошенничество',
  },
  'failure.lost_or_stolen': {
    en: 'The card is reported lost or stolen',
    hy: 'Քարտը հայտարարված է կորած կամ գողացված',
    ru: 'Карта заявлена утерянной или украденной',
  },
  'failure.refund_declined': {
    en: 'The bank declined the refund',
    hy: 'Բանկը մերժել է վերադարձը',
    ru: 'Банк отклонил возврат',
  },
} as const satisfies Texts<Locale>;
