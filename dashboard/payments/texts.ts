/** The texts about payments. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';
import { REFUND } from './texts-refund.ts';
import { STORY } from './texts-story.ts';

const LIST = {
  'menu.payments': {
    en: 'Payments',
    hy: 'Վճարումներ',
    ru: 'Платежи',
  },
  'payments.search': {
    en: 'Search',
    hy: 'Որոնում',
    ru: 'Поиск',
  },
  'payments.search_hint': {
    en: 'Payment id, order id, amount, last 4 digits of the card, or metadata as key:value.',
    hy: 'Վճարման կամ պատվերի համար, գումար, քարտի վերջին 4 նիշը կամ մետատվյալ՝ բանալի:արժեք։',
    ru: 'Номер платежа или заказа, сумма, последние 4 цифры карты или метаданные в виде ключ:значение.',
  },
  'payments.status': {
    en: 'Status',
    hy: 'Կարգավիճակ',
    ru: 'Статус',
  },
  'payments.any': {
    en: 'Any',
    hy: 'Ցանկացած',
    ru: 'Любой',
  },
  'payments.from': {
    en: 'From (UTC)',
    hy: 'Սկսած (UTC)',
    ru: 'С (UTC)',
  },
  'payments.to': {
    en: 'To (UTC)',
    hy: 'Մինչև (UTC)',
    ru: 'По (UTC)',
  },
  'payments.show': {
    en: 'Show',
    hy: 'Ցույց տալ',
    ru: 'Показать',
  },
  'payments.all': {
    en: 'Show all',
    hy: 'Ցույց տալ բոլորը',
    ru: 'Показать все',
  },
  'payments.none': {
    en: 'No payments yet. Your server creates them with an API key.',
    hy: 'Դեռ վճարումներ չկան։ Ձեր սերվերը դրանք ստեղծում է API բանալիով։',
    ru: 'Платежей пока нет. Их создаёт ваш сервер с ключом API.',
  },
  'payments.none_found': {
    en: 'No payments found.',
    hy: 'Վճարումներ չեն գտնվել։',
    ru: 'Платежи не найдены.',
  },
  'payments.created': {
    en: 'Created',
    hy: 'Ստեղծված է',
    ru: 'Создан',
  },
  'payments.amount': {
    en: 'Amount',
    hy: 'Գումար',
    ru: 'Сумма',
  },
  'payments.order': {
    en: 'Order',
    hy: 'Պատվեր',
    ru: 'Заказ',
  },
  'payments.card': {
    en: 'Card',
    hy: 'Քարտ',
    ru: 'Карта',
  },
  'payments.part': {
    en: 'Only a part has been searched so far. Continue with the next page.',
    hy: 'Առայժմ որոնվել է միայն մի մասը։ Շարունակեք հաջորդ էջից։',
    ru: 'Пока просмотрена только часть. Продолжите на следующей странице.',
  },
  'status.created': {
    en: 'Waiting for the customer',
    hy: 'Սպասում է գնորդին',
    ru: 'Ожидает покупателя',
  },
  'status.processing': {
    en: 'At the bank',
    hy: 'Բանկում է',
    ru: 'В банке',
  },
  'status.completed': {
    en: 'Paid',
    hy: 'Վճարված է',
    ru: 'Оплачен',
  },
  'status.failed': {
    en: 'Failed',
    hy: 'Ձախողված է',
    ru: 'Не прошёл',
  },
  'status.canceled': {
    en: 'Canceled',
    hy: 'Չեղարկված է',
    ru: 'Отменён',
  },
  'status.expired': {
    en: 'Expired',
    hy: 'Ժամկետն անցել է',
    ru: 'Истёк',
  },
  'status.refunded': {
    en: 'Refunded',
    hy: 'Վերադարձված է',
    ru: 'Возвращён',
  },
  'status.partly_refunded': {
    en: 'Partly refunded',
    hy: 'Մասամբ վերադարձված է',
    ru: 'Частично возвращён',
  },
  'payment.title': {
    en: 'Payment',
    hy: 'Վճարում',
    ru: 'Платёж',
  },
  'payment.expires': {
    en: 'Expires',
    hy: 'Գործում է մինչև',
    ru: 'Действует до',
  },
  'payment.description': {
    en: 'Description for the customer',
    hy: 'Նկարագրությունը գնորդի համար',
    ru: 'Описание для покупателя',
  },
  'payment.failure': {
    en: 'Reason',
    hy: 'Պատճառը',
    ru: 'Причина',
  },
  'payment.refunded': {
    en: 'Refunded',
    hy: 'Վերադարձված է',
    ru: 'Возвращено',
  },
  'payment.refundable': {
    en: 'can still be refunded:',
    hy: 'դեռ կարելի է վերադարձնել՝',
    ru: 'ещё можно вернуть:',
  },
  'payment.return_url': {
    en: 'Return URL',
    hy: 'Վերադարձի հասցե',
    ru: 'Адрес возврата',
  },
  'payment.cancel_url': {
    en: 'Cancel URL',
    hy: 'Չեղարկման հասցե',
    ru: 'Адрес при отмене',
  },
  'payment.metadata': {
    en: 'Metadata:',
    hy: 'Մետատվյալ՝',
    ru: 'Метаданные:',
  },
  'payment.cancel': {
    en: 'Cancel the payment',
    hy: 'Չեղարկել վճարումը',
    ru: 'Отменить платёж',
  },
  'payment.cancel_hint': {
    en: 'The customer can no longer pay. This cannot be undone.',
    hy: 'Գնորդն այլևս չի կարողանա վճարել։ Սա հնարավոր չէ հետարկել։',
    ru: 'Покупатель больше не сможет оплатить. Это нельзя отменить.',
  },
  'payment.refunds': {
    en: 'Refunds',
    hy: 'Վերադարձներ',
    ru: 'Возвраты',
  },
  'payment.technical': {
    en: 'For developers',
    hy: 'Ծրագրավորողների համար',
    ru: 'Для разработчиков',
  },
  'payment.workflow': {
    en: 'Workflow in Temporal',
    hy: 'Գործընթացը Temporal-ում',
    ru: 'Процесс в Temporal',
  },
  'payment.raw': {
    en: 'As the API returns it',
    hy: 'Ինչպես վերադարձնում է API-ն',
    ru: 'Как возвращает API',
  },
  'done.payment_canceled': {
    en: 'The payment is canceled.',
    hy: 'Վճարումը չեղարկված է։',
    ru: 'Платёж отменён.',
  },
  'done.refund_created': {
    en: 'The refund has started.',
    hy: 'Վերադարձն սկսված է։',
    ru: 'Возврат начат.',
  },
} as const satisfies Texts<Locale>;

export const PAYMENTS = { ...LIST, ...REFUND, ...STORY };
