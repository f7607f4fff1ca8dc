/** The texts of a payment's page. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const PAYMENT = {
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
    hy: 'Կատարված է',
    ru: 'Выполнен',
  },
  'status.failed': {
    en: 'Failed',
    hy: 'Չի կատարվել',
    ru: 'Не выполнен',
  },
  'status.canceled': {
    en: 'Canceled',
    hy: 'Չեղարկված է',
    ru: 'Отменён',
  },
  'status.expired': {
    en: 'Expired',
    hy: 'Ժամանակը սպառվել է',
    ru: 'Время истекло',
  },
  'status.refunded': {
    en: 'Refunded',
    hy: 'Գումարը վերադարձված է',
    ru: 'Деньги возвращены',
  },
  'status.partly_refunded': {
    en: 'Partly refunded',
    hy: 'Մասնակի վերադարձ',
    ru: 'Частичный возврат',
  },
  'payment.title': {
    en: 'Payment of {amount}',
    hy: 'Վճարում՝ {amount}',
    ru: 'Платёж на {amount}',
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
  'payment.refunded': {
    en: 'Refunded',
    hy: 'Վերադարձված է',
    ru: 'Возвращено',
  },
  'payment.refunding': {
    en: 'Being refunded',
    hy: 'Վերադարձման ընթացքում է',
    ru: 'Возвращается',
  },
  'payment.left': {
    en: 'Left after refunds',
    hy: 'Մնում է վերադարձներից հետո',
    ru: 'Остаётся после возвратов',
  },
  'payment.language': {
    en: 'Language of the customer',
    hy: 'Գնորդի լեզուն',
    ru: 'Язык покупателя',
  },
  'payment.checkout': {
    en: 'The customer pays here:',
    hy: 'Գնորդը վճարում է այստեղ՝',
    ru: 'Покупатель платит здесь:',
  },
  'payment.last_attempt': {
    en: 'The last attempt failed. {reason}.',
    hy: 'Վերջին փորձը չի հաջողվել։ {reason}։',
    ru: 'Последняя попытка не удалась. {reason}.',
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
    hy: 'Մետատվյալներ՝',
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
  'payment.raw_cut': {
    en: 'This is the beginning. The API returns all of it.',
    hy: 'Սա միայն սկիզբն է։ API-ն վերադարձնում է ամբողջը։',
    ru: 'Это только начало. API возвращает всё.',
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
