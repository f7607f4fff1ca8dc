/** The texts of the lists, with all texts about payments. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';
import { FAILURE } from './texts-failure.ts';
import { PAYMENT } from './texts-payment.ts';
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
    en: 'Payment or refund id, order id or a part of it, amount, last 4 digits of the card, metadata as key:value, or the checkout link.',
    hy: 'Վճարման կամ վերադարձի համար, պատվերի համար կամ դրա մի մասը, գումար, քարտի վերջին 4 նիշը, մետատվյալ՝ բանալի:արժեք, կամ վճարման էջի հղում։',
    ru: 'Номер платежа или возврата, номер заказа или его часть, сумма, последние 4 цифры карты, метаданные в виде ключ:значение или ссылка на оплату.',
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
    en: 'No payments found',
    hy: 'Վճարումներ չեն գտնվել',
    ru: 'Платежи не найдены',
  },
  'payments.searched': {
    en: 'These were searched for:',
    hy: 'Որոնվել են՝',
    ru: 'Искали:',
  },
  'payments.narrowed': {
    en: 'Only within: {filters}.',
    hy: 'Միայն հետևյալի սահմաններում՝ {filters}։',
    ru: 'Только в пределах: {filters}.',
  },
  'payments.widen': {
    en: 'Search all payments',
    hy: 'Որոնել բոլոր վճարումներում',
    ru: 'Искать среди всех платежей',
  },
  'payments.exactly': {
    en: 'Words and numbers are compared as a whole: 1042 finds the order order-1042, and 104 does not. Amounts need their decimals, and metadata is written as key:value.',
    hy: 'Բառերն ու թվերը համեմատվում են ամբողջությամբ՝ 1042-ը գտնում է order-1042 պատվերը, իսկ 104-ը՝ ոչ։ Գումարը գրեք տասնորդականներով, մետատվյալը՝ բանալի:արժեք ձևով։',
    ru: 'Слова и числа сравниваются целиком: 1042 находит заказ order-1042, а 104 не находит. Сумму пишите вместе с копейками, метаданные в виде ключ:значение.',
  },
  'payments.export': {
    en: 'Export these',
    hy: 'Արտահանել այս ցանկը',
    ru: 'Выгрузить этот список',
  },
  'refunds.none': {
    en: 'No refunds yet.',
    hy: 'Դեռ վերադարձներ չկան։',
    ru: 'Возвратов пока нет.',
  },
  'refunds.none_found': {
    en: 'No refunds found. Choose another status or other days.',
    hy: 'Վերադարձներ չեն գտնվել։ Ընտրեք այլ կարգավիճակ կամ օրեր։',
    ru: 'Возвраты не найдены. Выберите другой статус или другие дни.',
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
  'payments.order_part': {
    en: 'Part of an order id',
    hy: 'Պատվերի համարի մաս',
    ru: 'Часть номера заказа',
  },
  'payments.card': {
    en: 'Card',
    hy: 'Քարտ',
    ru: 'Карта',
  },
  'payments.method': {
    en: 'Payment method',
    hy: 'Վճարման եղանակ',
    ru: 'Способ оплаты',
  },
  'payments.bank_transfer': {
    en: 'Bank transfer',
    hy: 'Բանկային փոխանցում',
    ru: 'Банковский перевод',
  },
  'payments.reference': {
    en: 'Payment reference',
    hy: 'Վճարման նպատակ',
    ru: 'Назначение платежа',
  },
  'payments.part': {
    en: 'Only a part has been searched so far. Continue with the next page.',
    hy: 'Առայժմ որոնվել է միայն մի մասը։ Շարունակեք հաջորդ էջից։',
    ru: 'Пока просмотрена только часть. Продолжите на следующей странице.',
  },
} as const satisfies Texts<Locale>;

export const PAYMENTS = { ...LIST, ...FAILURE, ...PAYMENT, ...REFUND, ...STORY };
