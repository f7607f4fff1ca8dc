/** The texts of the time machine for test payments. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const ADVANCE = {
  'advance.title': {
    en: 'Time machine',
    hy: 'Ժամանակի մեքենա',
    ru: 'Машина времени',
  },
  'advance.about': {
    en: 'Makes the next step of one test payment happen now instead of later. Clocks and other payments are not changed.',
    hy: 'Մեկ փորձնական վճարման հաջորդ քայլը կատարում է հիմա՝ առանց սպասելու։ Ժամացույցները և մյուս վճարումները չեն փոխվում։',
    ru: 'Выполняет следующий шаг одного тестового платежа сейчас, без ожидания. Часы и другие платежи не меняются.',
  },
  'advance.payment': {
    en: 'Payment',
    hy: 'Վճարում',
    ru: 'Платёж',
  },
  'advance.choose': {
    en: 'Open',
    hy: 'Բացել',
    ru: 'Открыть',
  },
  'advance.no_such': {
    en: "That is not a payment's id: it begins with pay_ and has 30 characters.",
    hy: 'Սա վճարման ID չէ․ այն սկսվում է pay_-ով և ունի 30 նիշ։',
    ru: 'Это не ID платежа: он начинается с pay_ и состоит из 30 символов.',
  },
  'advance.latest': {
    en: 'Latest payments',
    hy: 'Վերջին վճարումները',
    ru: 'Последние платежи',
  },
  'advance.expires': {
    en: 'Expires',
    hy: 'Ժամկետը լրանում է',
    ru: 'Истекает',
  },
  'advance.nothing': {
    en: 'Nothing of this kind lies ahead of the payment.',
    hy: 'Այս վճարումն այդպիսի սպասվող քայլ չունի։',
    ru: 'У этого платежа нет такого ожидаемого шага.',
  },
  'advance.expiry': {
    en: 'Expiry',
    hy: 'Ժամկետի ավարտ',
    ru: 'Истечение срока',
  },
  'advance.expiry_hint': {
    en: 'The payment expires now. If its customer is at the bank, it expires if the bank then declines.',
    hy: 'Վճարման ժամկետը լրանում է հիմա։ Եթե գնորդը բանկի էջում է, այն կլրանա, եթե բանկը մերժի։',
    ru: 'Срок платежа истекает сейчас. Если покупатель на странице банка, платёж истечёт, если банк откажет.',
  },
  'advance.expiry_button': {
    en: 'Go to the expiry',
    hy: 'Անցնել ժամկետի ավարտին',
    ru: 'Перейти к истечению срока',
  },
  'advance.bank_answer': {
    en: "The bank's answer",
    hy: 'Բանկի պատասխանը',
    ru: 'Ответ банка',
  },
  'advance.bank_answer_hint': {
    en: 'A delayed or late answer arrives now. A silent bank is asked, as after its time limit.',
    hy: 'Հետաձգված կամ ուշացած պատասխանը գալիս է հիմա։ Եթե բանկը լռում է, հարցում է ուղարկվում, ինչպես ժամկետը լրանալուց հետո։',
    ru: 'Отложенный или запоздалый ответ приходит сейчас. Если банк молчит, ему отправляется запрос, как по истечении срока ожидания.',
  },
  'advance.bank_answer_button': {
    en: "Go to the bank's answer",
    hy: 'Անցնել բանկի պատասխանին',
    ru: 'Перейти к ответу банка',
  },
  'advance.next_webhook_attempt': {
    en: 'The next webhook attempt',
    hy: 'Վեբհուքի հաջորդ փորձը',
    ru: 'Следующая попытка вебхука',
  },
  'advance.next_webhook_attempt_hint': {
    en: 'Every pending webhook about the payment is sent again now, once.',
    hy: 'Վճարման մասին բոլոր սպասող վեբհուքները հիմա կրկին ուղարկվում են՝ մեկ անգամ։',
    ru: 'Все ожидающие вебхуки о платеже отправляются сейчас ещё раз, по одному разу.',
  },
  'advance.next_webhook_attempt_button': {
    en: 'Send again now',
    hy: 'Նորից ուղարկել հիմա',
    ru: 'Отправить сейчас',
  },
  'done.advanced': {
    en: 'Done. The step happens now.',
    hy: 'Կատարված է։ Քայլն իրականացվում է հիմա։',
    ru: 'Готово. Шаг выполняется сейчас.',
  },
} as const satisfies Texts<Locale>;
