/** The texts of the exports. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const EXPORTS = {
  'menu.exports': {
    en: 'Exports',
    hy: 'Արտահանում',
    ru: 'Выгрузки',
  },
  'exports.intro': {
    en: 'A file has a row for each object, newest first, without a limit. Amounts are in minor and in major units, times in UTC.',
    hy: 'Ֆայլում ամեն օբյեկտի համար մեկ տող կա՝ նորից հին, առանց սահմանափակման։ Գումարները տրվում են և՛ փոքր, և՛ հիմնական միավորներով, ժամերը՝ UTC-ով։',
    ru: 'В файле по строке на каждый объект, от новых к старым, без ограничения. Суммы указаны в минимальных и основных единицах, время в UTC.',
  },
  'exports.broken': {
    en: 'If a download fails, the file is incomplete: download it again.',
    hy: 'Եթե ներբեռնումն ընդհատվի, ֆայլը թերի կլինի․ նորից ներբեռնեք այն։',
    ru: 'Если загрузка прервалась, файл неполный: скачайте его ещё раз.',
  },
  'exports.payments': {
    en: 'Payments',
    hy: 'Վճարումներ',
    ru: 'Платежи',
  },
  'exports.refunds': {
    en: 'Refunds',
    hy: 'Վերադարձներ',
    ru: 'Возвраты',
  },
  'exports.deliveries': {
    en: 'Webhook deliveries',
    hy: 'Վեբհուքների առաքումներ',
    ru: 'Доставки вебхуков',
  },
  'exports.from': {
    en: 'Created from (UTC day)',
    hy: 'Ստեղծված է սկսած (օր, UTC)',
    ru: 'Создано с (день, UTC)',
  },
  'exports.to': {
    en: 'Created to, inclusive',
    hy: 'Ստեղծված է մինչև, ներառյալ',
    ru: 'Создано по, включительно',
  },
  'exports.status': {
    en: 'Status',
    hy: 'Կարգավիճակ',
    ru: 'Статус',
  },
  'exports.any': {
    en: 'Any',
    hy: 'Ցանկացած',
    ru: 'Любой',
  },
  'exports.order_id': {
    en: 'Order id',
    hy: 'Պատվերի համար',
    ru: 'Номер заказа',
  },
  'exports.payment_id': {
    en: 'Payment id',
    hy: 'Վճարման ID',
    ru: 'ID платежа',
  },
  'exports.endpoint': {
    en: 'Endpoint',
    hy: 'Հասցե',
    ru: 'Адрес',
  },
  'exports.no_endpoints': {
    en: 'There are no endpoints, so there are no deliveries.',
    hy: 'Հասցեներ չկան, ուստի առաքումներ նույնպես չկան։',
    ru: 'Адресов нет, поэтому нет и доставок.',
  },
  'exports.count': {
    en: 'Count rows',
    hy: 'Հաշվել տողերը',
    ru: 'Посчитать строки',
  },
  'exports.download': {
    en: 'Download CSV',
    hy: 'Ներբեռնել CSV',
    ru: 'Скачать CSV',
  },
  'exports.month': {
    en: 'Download {month}',
    hy: 'Ներբեռնել՝ {month}',
    ru: 'Скачать: {month}',
  },
  'exports.this_month': {
    en: 'Download {month} so far',
    hy: 'Ներբեռնել՝ {month}, մինչև այժմ',
    ru: 'Скачать: {month}, по сегодня',
  },
  'exports.rows': {
    en: '{count, plural, one {# row} other {# rows}}',
    hy: '{count, number} տող',
    ru: '{count, plural, one {# строка} few {# строки} many {# строк} other {# строки}}',
  },
  'exports.many_rows': {
    en: 'More than {count, number} rows',
    hy: 'Ավելի քան {count, number} տող',
    ru: 'Больше {count, number} строк',
  },
  'exports.bad_day': {
    en: 'Enter a day such as 2026-11-22.',
    hy: 'Մուտքագրեք օրը, օրինակ՝ 2026-11-22։',
    ru: 'Введите день, например 2026-11-22.',
  },
  'exports.bad_status': {
    en: 'Choose a status from the list.',
    hy: 'Ընտրեք կարգավիճակ ցանկից։',
    ru: 'Выберите статус из списка.',
  },
} as const satisfies Texts<Locale>;
