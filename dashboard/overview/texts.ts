/** The texts of the overview. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const OVERVIEW = {
  'overview.counting': {
    en: 'Still being counted. Everything is included up to',
    hy: 'Հաշվարկը դեռ շարունակվում է։ Ամեն ինչ ներառված է մինչև',
    ru: 'Подсчёт ещё идёт. Учтено всё до',
  },
  'overview.find': {
    en: 'Find a payment',
    hy: 'Գտնել վճարում',
    ru: 'Найти платёж',
  },
  'overview.utc': {
    en: 'Days begin at 00:00 UTC.',
    hy: 'Օրերը սկսվում են 00:00-ին՝ UTC ժամով։',
    ru: 'Дни начинаются в 00:00 по UTC.',
  },
  'overview.today': {
    en: 'Today',
    hy: 'Այսօր',
    ru: 'Сегодня',
  },
  'overview.month': {
    en: 'Last 30 days',
    hy: 'Վերջին 30 օրը',
    ru: 'Последние 30 дней',
  },
  'overview.completed': {
    en: 'Completed payments, amount',
    hy: 'Կատարված վճարումների գումարը',
    ru: 'Сумма выполненных платежей',
  },
  'overview.completed_count': {
    en: 'Completed payments',
    hy: 'Կատարված վճարումներ',
    ru: 'Выполненные платежи',
  },
  'overview.completed_in': {
    en: 'Completed payments in {currency}',
    hy: 'Կատարված վճարումներ՝ {currency}',
    ru: 'Выполненные платежи, {currency}',
  },
  'overview.created': {
    en: 'Checkouts created',
    hy: 'Ստեղծված վճարումներ',
    ru: 'Созданные платежи',
  },
  'overview.converted': {
    en: 'of these completed',
    hy: 'դրանցից կատարված',
    ru: 'из них выполнены',
  },
  'overview.conversion': {
    en: 'Checkouts that were completed',
    hy: 'Կատարված վճարումների բաժինը',
    ru: 'Доля выполненных платежей',
  },
  'overview.declined': {
    en: 'Declines by the bank',
    hy: 'Բանկի մերժումներ',
    ru: 'Отказы банка',
  },
  'overview.refunded': {
    en: 'Refunded amount',
    hy: 'Վերադարձված գումար',
    ru: 'Сумма возвратов',
  },
  'overview.refunded_count': {
    en: 'Completed refunds',
    hy: 'Կատարված վերադարձներ',
    ru: 'Выполненные возвраты',
  },
  'overview.refunds_failed': {
    en: 'Failed refunds',
    hy: 'Չկատարված վերադարձներ',
    ru: 'Невыполненные возвраты',
  },
  'overview.by_day': {
    en: 'By day',
    hy: 'Ըստ օրերի',
    ru: 'По дням',
  },
  'overview.day': {
    en: 'Day',
    hy: 'Օր',
    ru: 'День',
  },
  'overview.numbers': {
    en: 'Numbers as a table',
    hy: 'Թվերը՝ աղյուսակով',
    ru: 'Числа таблицей',
  },
  'overview.checkouts': {
    en: 'Checkouts',
    hy: 'Վճարումներ',
    ru: 'Платежи',
  },
  'overview.declines': {
    en: 'Why the bank declined, last 30 days',
    hy: 'Ինչու է բանկը մերժել՝ վերջին 30 օրում',
    ru: 'Почему банк отказал, последние 30 дней',
  },
  'overview.no_declines': {
    en: 'No declines.',
    hy: 'Մերժումներ չկան։',
    ru: 'Отказов нет.',
  },
  'overview.reason': {
    en: 'Reason',
    hy: 'Պատճառ',
    ru: 'Причина',
  },
  'overview.count': {
    en: 'Number',
    hy: 'Քանակ',
    ru: 'Количество',
  },
  'overview.share': {
    en: 'Share',
    hy: 'Բաժին',
    ru: 'Доля',
  },
  'overview.health': {
    en: 'Webhooks',
    hy: 'Վեբհուքեր',
    ru: 'Вебхуки',
  },
  'overview.no_endpoints': {
    en: 'There are no endpoints yet.',
    hy: 'Հասցեներ դեռ չկան։',
    ru: 'Адресов пока нет.',
  },
  'overview.endpoint': {
    en: 'Endpoint',
    hy: 'Հասցե',
    ru: 'Адрес',
  },
  'overview.state': {
    en: 'State',
    hy: 'Վիճակ',
    ru: 'Состояние',
  },
  'overview.works': {
    en: 'Enabled',
    hy: 'Միացված է',
    ru: 'Включён',
  },
  'overview.failing': {
    en: 'Enabled, failing since',
    hy: 'Միացված է, բայց չի ընդունում՝ սկսած',
    ru: 'Включён, но не принимает с',
  },
  'overview.disabled.gone': {
    en: 'Disabled: the receiver returned 410 Gone',
    hy: 'Անջատված է․ պատասխանել է 410 Gone',
    ru: 'Отключён: ответил 410 Gone',
  },
  'overview.disabled.failing': {
    en: 'Disabled: deliveries failed for five days',
    hy: 'Անջատված է․ հինգ օր իրադարձություններ չի ընդունել',
    ru: 'Отключён: пять дней не принимал события',
  },
  'overview.disabled.merchant': {
    en: 'Disabled by hand',
    hy: 'Անջատված է ձեռքով',
    ru: 'Отключён вручную',
  },
} as const satisfies Texts<Locale>;
