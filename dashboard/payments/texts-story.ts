/** The texts of a payment's timeline. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const STORY = {
  'story.title': {
    en: 'Timeline',
    hy: 'Ժամանակագրություն',
    ru: 'Хронология',
  },
  'story.cut': {
    en: 'Only the newest events and deliveries are shown.',
    hy: 'Ցուցադրված են միայն ամենանոր իրադարձություններն ու առաքումները։',
    ru: 'Показаны только самые новые события и доставки.',
  },
  'story.created': {
    en: 'Created by the API',
    hy: 'Ստեղծվել է API-ով',
    ru: 'Создан через API',
  },
  'story.opened': {
    en: 'The customer opened the checkout page',
    hy: 'Գնորդը բացել է վճարման էջը',
    ru: 'Покупатель открыл страницу оплаты',
  },
  'story.at_bank': {
    en: 'Attempt {number}: to the bank with {card}',
    hy: 'Փորձ {number}. դեպի բանկ՝ {card} քարտով',
    ru: 'Попытка {number}: в банк с картой {card}',
  },
  'story.turned_back': {
    en: 'Attempt {number}: the customer turned back from the bank',
    hy: 'Փորձ {number}. գնորդը հետ է դարձել բանկից',
    ru: 'Попытка {number}: покупатель вернулся из банка',
  },
  'story.gave_up': {
    en: 'Attempt {number}: it is being canceled at the bank',
    hy: 'Փորձ {number}. չեղարկվում է բանկում',
    ru: 'Попытка {number}: отменяется в банке',
  },
  'story.approved': {
    en: 'Attempt {number}: the bank approved',
    hy: 'Փորձ {number}. բանկը հաստատել է',
    ru: 'Попытка {number}: банк одобрил',
  },
  'story.approved_late': {
    en: 'Attempt {number}: the bank approved too late, so the approval is given back',
    hy: 'Փորձ {number}. բանկը հաստատել է ուշացումով, ուստի հաստատումը հետ է տրվում',
    ru: 'Попытка {number}: банк одобрил слишком поздно, одобрение отзывается',
  },
  'story.declined': {
    en: 'Attempt {number}: {reason}',
    hy: 'Փորձ {number}. {reason}',
    ru: 'Попытка {number}: {reason}',
  },
  'story.completed': {
    en: 'Paid',
    hy: 'Վճարված է',
    ru: 'Оплачен',
  },
  'story.failed': {
    en: 'Failed: {reason}',
    hy: 'Ձախողված է. {reason}',
    ru: 'Не прошёл: {reason}',
  },
  'story.expired': {
    en: 'Expired',
    hy: 'Ժամկետն անցել է',
    ru: 'Истёк',
  },
  'story.canceled_by_merchant': {
    en: 'Canceled by the merchant',
    hy: 'Չեղարկվել է վաճառողի կողմից',
    ru: 'Отменён продавцом',
  },
  'story.canceled_by_customer': {
    en: 'Canceled by the customer',
    hy: 'Չեղարկվել է գնորդի կողմից',
    ru: 'Отменён покупателем',
  },
  'story.refund_by_api': {
    en: 'Refund of {amount} requested by the API',
    hy: '{amount} վերադարձը պահանջվել է API-ով',
    ru: 'Возврат {amount} запрошен через API',
  },
  'story.refund_by_dashboard': {
    en: 'Refund of {amount} requested in the dashboard',
    hy: '{amount} վերադարձը պահանջվել է կառավարման վահանակում',
    ru: 'Возврат {amount} запрошен в кабинете',
  },
  'story.refund_completed': {
    en: 'Refund of {amount} completed',
    hy: '{amount} վերադարձն ավարտված է',
    ru: 'Возврат {amount} выполнен',
  },
  'story.refund_failed': {
    en: 'Refund of {amount} failed',
    hy: '{amount} վերադարձը ձախողվել է',
    ru: 'Возврат {amount} не прошёл',
  },
  'story.refund_canceled': {
    en: 'Refund of {amount} canceled',
    hy: '{amount} վերադարձը չեղարկվել է',
    ru: 'Возврат {amount} отменён',
  },
  'story.event': {
    en: 'Event {type}',
    hy: 'Իրադարձություն՝ {type}',
    ru: 'Событие {type}',
  },
  'story.act': {
    en: '{who}: {action}',
    hy: '{who}՝ {action}',
    ru: '{who}: {action}',
  },
  'story.act_cancel': {
    en: '{who} canceled the payment',
    hy: '{who} չեղարկել է վճարումը',
    ru: '{who} отменяет платёж',
  },
  'story.act_refund': {
    en: '{who} started a refund',
    hy: '{who} սկսել է վերադարձ',
    ru: '{who} начинает возврат',
  },
  'story.act_resend': {
    en: '{who} sent a delivery again',
    hy: '{who} կրկին ուղարկել է առաքումը',
    ru: '{who} повторяет доставку',
  },
  'sent.pending': {
    en: 'not accepted yet',
    hy: 'դեռ չի ընդունվել',
    ru: 'ещё не принято',
  },
  'sent.succeeded': {
    en: 'accepted',
    hy: 'ընդունված է',
    ru: 'принято',
  },
  'sent.failed': {
    en: 'failed',
    hy: 'ձախողված է',
    ru: 'не доставлено',
  },
  'sent.skipped': {
    en: 'skipped: the endpoint was disabled',
    hy: 'բաց է թողնված. հասցեն անջատված էր',
    ru: 'пропущено: адрес был отключён',
  },
  'sent.stopped': {
    en: 'stopped',
    hy: 'կանգնեցված է',
    ru: 'остановлено',
  },
  'sent.next': {
    en: 'next attempt',
    hy: 'հաջորդ փորձը',
    ru: 'следующая попытка',
  },
  'sent.earlier': {
    en: '{count, plural, one {# earlier attempt is not shown.} other {# earlier attempts are not shown.}}',
    hy: 'Նախորդ {count} փորձը ցուցադրված չէ։',
    ru: '{count, plural, one {# более ранняя попытка не показана.} few {# более ранние попытки не показаны.} other {# более ранних попыток не показано.}}',
  },
  'sent.attempt': {
    en: 'Attempt {number}',
    hy: 'Փորձ {number}',
    ru: 'Попытка {number}',
  },
  'sent.took': {
    en: '({ms} ms)',
    hy: '({ms} մվ)',
    ru: '({ms} мс)',
  },
  'failure.card_declined': {
    en: 'The bank declined the card',
    hy: 'Բանկը մերժել է քարտը',
    ru: 'Банк отклонил карту',
  },
  'failure.insufficient_funds': {
    en: 'There is not enough money on the card',
    hy: 'Քարտի վրա բավարար գումար չկա',
    ru: 'На карте недостаточно средств',
  },
  'failure.expired_card': {
    en: 'The card has expired',
    hy: 'Քարտի ժամկետն անցել է',
    ru: 'Срок действия карты истёк',
  },
  'failure.incorrect_cvc': {
    en: 'The security code is wrong',
    hy: 'Անվտանգության կոդը սխալ է',
    ru: 'Неверный код безопасности',
  },
  'failure.authentication_failed': {
    en: 'The bank could not confirm the customer',
    hy: 'Բանկը չի կարողացել հաստատել գնորդի ինքնությունը',
    ru: 'Банк не смог подтвердить покупателя',
  },
  'failure.limit_exceeded': {
    en: 'The amount is above a limit of the card',
    hy: 'Գումարը գերազանցում է քարտի սահմանաչափը',
    ru: 'Сумма превышает лимит карты',
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
    hy: 'Բանկը խարդախություն է կասկածում',
    ru: 'Банк подозревает мошенничество',
  },
  'failure.lost_or_stolen': {
    en: 'The card is reported lost or stolen',
    hy: 'Քարտը հայտարարված է կորած կամ գողացված',
    ru: 'Карта заявлена утерянной или украденной',
  },
} as const satisfies Texts<Locale>;
