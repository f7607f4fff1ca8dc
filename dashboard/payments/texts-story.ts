/** The texts of a payment's timeline. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const STORY = {
  'story.title': {
    en: 'Timeline',
    hy: 'Ժամանակագրություն',
    ru: 'Хронология',
  },
  'story.cut_events': {
    en: 'Only the newest {count} events are shown.',
    hy: 'Ցուցադրված են միայն վերջին {count} իրադարձությունները։',
    ru: 'Показаны только последние события: {count}.',
  },
  'story.all_events': {
    en: 'All events of the payment',
    hy: 'Վճարման բոլոր իրադարձությունները',
    ru: 'Все события платежа',
  },
  'story.cut_refunds': {
    en: 'Only the newest {count} refunds are shown.',
    hy: 'Ցուցադրված են միայն վերջին {count} վերադարձները։',
    ru: 'Показаны только последние возвраты: {count}.',
  },
  'story.all_refunds': {
    en: 'All refunds of the payment',
    hy: 'Վճարման բոլոր վերադարձները',
    ru: 'Все возвраты платежа',
  },
  'story.cut_deliveries': {
    en: 'Not all deliveries of this event are shown here.',
    hy: 'Այստեղ ցուցադրված չեն այս իրադարձության բոլոր առաքումները։',
    ru: 'Здесь показаны не все доставки этого события.',
  },
  'story.created': {
    en: 'Created by the API',
    hy: 'Ստեղծվել է API-ով',
    ru: 'Создан через API',
  },
  'story.created_by': {
    en: 'Created by the API with the key {who}',
    hy: 'Ստեղծվել է API-ով ({who} բանալի)',
    ru: 'Создан через API (ключ {who})',
  },
  'story.key': {
    en: 'the API key {name}',
    hy: '{name} API բանալին',
    ru: 'ключ API {name}',
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
  'story.silent': {
    en: 'Attempt {number}: the bank did not answer in time, so it is being canceled there',
    hy: 'Փորձ {number}. բանկը ժամանակին չի պատասխանել, ուստի փորձը չեղարկվում է այնտեղ',
    ru: 'Попытка {number}: банк не ответил вовремя, попытка отменяется в банке',
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
    en: 'Attempt {number}: declined. {reason}',
    hy: 'Փորձ {number}. մերժված է։ {reason}',
    ru: 'Попытка {number}: отклонена. {reason}',
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
  'story.canceled_by': {
    en: 'Canceled by {who}',
    hy: 'Չեղարկել է {who}',
    ru: 'Отменён: {who}',
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
  'story.refund_by': {
    en: 'Refund of {amount} requested by {who}',
    hy: '{amount} վերադարձ է պահանջել {who}',
    ru: 'Запрошен возврат {amount}: {who}',
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
  'story.act_advance': {
    en: '{who} moved the time of this test payment',
    hy: '{who} առաջ է տվել այս փորձնական վճարման ժամանակը',
    ru: '{who}: время тестового платежа переведено',
  },
  'story.act_resend': {
    en: '{who} sent a delivery again',
    hy: '{who} կրկին ուղարկել է առաքումը',
    ru: '{who}: доставка отправлена снова',
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
} as const satisfies Texts<Locale>;
