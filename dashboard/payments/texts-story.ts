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
    hy: 'Ստեղծվել է API-ի միջոցով',
    ru: 'Создан через API',
  },
  'story.created_by': {
    en: 'Created by the API with the key {who}',
    hy: 'Ստեղծվել է API-ի միջոցով ({who} բանալի)',
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
    hy: 'Փորձ {number}․ ուղարկվել է բանկ ({card})',
    ru: 'Попытка {number}: отправлена в банк ({card})',
  },
  'story.transfer': {
    en: 'Attempt {number}: the customer chose a bank transfer ({reference})',
    hy: 'Փորձ {number}․ գնորդն ընտրել է բանկային փոխանցում ({reference})',
    ru: 'Попытка {number}: покупатель выбрал банковский перевод ({reference})',
  },
  'story.transfer_dropped': {
    en: 'Attempt {number}: the customer decided not to pay by bank transfer',
    hy: 'Փորձ {number}․ գնորդը հրաժարվել է բանկային փոխանցումից',
    ru: 'Попытка {number}: покупатель отказался от банковского перевода',
  },
  'story.turned_back': {
    en: 'Attempt {number}: the customer turned back from the bank',
    hy: 'Փորձ {number}․ գնորդը վերադարձել է բանկի էջից',
    ru: 'Попытка {number}: покупатель вернулся со страницы банка',
  },
  'story.gave_up': {
    en: 'Attempt {number}: it is being canceled at the bank',
    hy: 'Փորձ {number}․ չեղարկվում է բանկում',
    ru: 'Попытка {number}: отменяется в банке',
  },
  'story.silent': {
    en: 'Attempt {number}: the bank did not answer in time, so it is being canceled there',
    hy: 'Փորձ {number}․ բանկը ժամանակին չի պատասխանել, ուստի փորձը չեղարկվում է այնտեղ',
    ru: 'Попытка {number}: банк не ответил вовремя, попытка отменяется в банке',
  },
  'story.approved': {
    en: 'Attempt {number}: the bank approved',
    hy: 'Փորձ {number}․ բանկը հաստատել է վճարումը',
    ru: 'Попытка {number}: банк одобрил платёж',
  },
  'story.approved_late': {
    en: 'Attempt {number}: the bank approved too late, so the approval is given back',
    hy: 'Փորձ {number}․ բանկը հաստատել է ուշացումով, ուստի հաստատումը չեղարկվում է',
    ru: 'Попытка {number}: банк одобрил платёж слишком поздно, одобрение отменяется',
  },
  'story.declined': {
    en: 'Attempt {number}: declined. {reason}',
    hy: 'Փորձ {number}․ մերժված է։ {reason}',
    ru: 'Попытка {number}: отклонена. {reason}',
  },
  'story.completed': {
    en: 'Paid',
    hy: 'Վճարումը կատարված է',
    ru: 'Платёж выполнен',
  },
  'story.failed': {
    en: 'Failed: {reason}',
    hy: 'Վճարումը չի կատարվել․ {reason}',
    ru: 'Платёж не выполнен: {reason}',
  },
  'story.expired': {
    en: 'Expired',
    hy: 'Վճարելու ժամանակը սպառվել է',
    ru: 'Время на оплату истекло',
  },
  'story.canceled_by': {
    en: 'Canceled by {who}',
    hy: 'Չեղարկել է {who}',
    ru: 'Отменён: {who}',
  },
  'story.canceled_by_merchant': {
    en: 'Canceled by the merchant',
    hy: 'Չեղարկել է վաճառողը',
    ru: 'Отменён продавцом',
  },
  'story.canceled_by_customer': {
    en: 'Canceled by the customer',
    hy: 'Չեղարկել է գնորդը',
    ru: 'Отменён покупателем',
  },
  'story.refund_by': {
    en: 'Refund of {amount} requested by {who}',
    hy: 'Վերադարձի հայտ՝ {amount}, {who}',
    ru: 'Запрошен возврат {amount}: {who}',
  },
  'story.refund_by_api': {
    en: 'Refund of {amount} requested by the API',
    hy: 'Վերադարձի հայտ API-ի միջոցով՝ {amount}',
    ru: 'Возврат {amount} запрошен через API',
  },
  'story.refund_by_dashboard': {
    en: 'Refund of {amount} requested in the dashboard',
    hy: 'Վերադարձի հայտ կառավարման վահանակից՝ {amount}',
    ru: 'Возврат {amount} запрошен в кабинете',
  },
  'story.refund_completed': {
    en: 'Refund of {amount} completed',
    hy: '{amount} վերադարձը կատարված է',
    ru: 'Возврат {amount} выполнен',
  },
  'story.refund_failed': {
    en: 'Refund of {amount} failed',
    hy: '{amount} վերադարձը չի կատարվել',
    ru: 'Возврат {amount} не выполнен',
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
    en: '{who}: {act}',
    hy: '{who}՝ {act}',
    ru: '{who}: {act}',
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
