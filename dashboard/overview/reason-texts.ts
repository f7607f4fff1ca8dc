/** The reasons of declines, for the merchant. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const REASONS = {
  'overview.code.card_declined': {
    en: 'The bank declined the card',
    hy: 'Բանկը մերժել է վճարումը',
    ru: 'Банк отклонил платёж',
  },
  'overview.code.insufficient_funds': {
    en: 'Not enough money on the card',
    hy: 'Քարտի վրա բավարար միջոցներ չկան',
    ru: 'На карте недостаточно средств',
  },
  'overview.code.expired_card': {
    en: 'The card has expired',
    hy: 'Քարտի ժամկետը լրացել է',
    ru: 'Срок действия карты истёк',
  },
  'overview.code.incorrect_cvc': {
    en: 'The security code is wrong',
    hy: 'CVC/CVV կոդը սխալ է',
    ru: 'Неверный код CVC/CVV',
  },
  'overview.code.authentication_failed': {
    en: 'The customer was not authenticated',
    hy: 'Բանկը չի կարողացել հաստատել գնորդի ինքնությունը',
    ru: 'Банк не смог подтвердить личность покупателя',
  },
  'overview.code.limit_exceeded': {
    en: 'A limit of the card was exceeded',
    hy: 'Գումարը գերազանցում է քարտի սահմանաչափը',
    ru: 'Сумма превышает лимит по карте',
  },
  'overview.code.issuer_unavailable': {
    en: "The card's bank could not be reached",
    hy: 'Քարտը թողարկած բանկը հասանելի չէր',
    ru: 'Банк, выпустивший карту, был недоступен',
  },
  'overview.code.processing_error': {
    en: 'The bank could not process the payment',
    hy: 'Բանկը չի կարողացել մշակել վճարումը',
    ru: 'Банк не смог обработать платёж',
  },
  'overview.code.bank_timeout': {
    en: 'The bank did not answer in time',
    hy: 'Բանկը ժամանակին չի պատասխանել',
    ru: 'Банк не ответил вовремя',
  },
  'overview.code.suspected_fraud': {
    en: 'The bank suspects fraud',
    hy: 'Բանկը զեղծարարություն է կասկածում',
    ru: 'Банк подозревает мошенничество',
  },
  'overview.code.lost_or_stolen': {
    en: 'The card is reported lost or stolen',
    hy: 'Քարտը հայտարարված է կորած կամ գողացված',
    ru: 'Карта заявлена утерянной или украденной',
  },
} as const satisfies Texts<Locale>;
