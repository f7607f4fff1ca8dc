/** The texts about the merchant's settings. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const SETTINGS = {
  'menu.settings': {
    en: 'Settings',
    hy: 'Կարգավորումներ',
    ru: 'Настройки',
  },
  'settings.name_hint': {
    en: 'Customers see it on the checkout page.',
    hy: 'Հաճախորդները տեսնում են այն վճարման էջում։',
    ru: 'Покупатели видят его на странице оплаты.',
  },
  'settings.locale': {
    en: 'Checkout language',
    hy: 'Վճարման էջի լեզուն',
    ru: 'Язык страницы оплаты',
  },
  'settings.lifetime': {
    en: 'Lifetime of payments, in minutes',
    hy: 'Վճարումների ժամկետը՝ րոպեներով',
    ru: 'Срок действия платежей, в минутах',
  },
  'settings.lifetime_hint': {
    en: 'For new payments without expires_at. From 5 minutes to 7 days (10080).',
    hy: 'Առանց expires_at-ի նոր վճարումների համար։ 5 րոպեից մինչև 7 օր (10080)։',
    ru: 'Для новых платежей без expires_at. От 5 минут до 7 дней (10080).',
  },
  'settings.colour': {
    en: 'Colour of the checkout',
    hy: 'Վճարման էջի գույնը',
    ru: 'Цвет страницы оплаты',
  },
  'settings.colour_hint': {
    en: 'For buttons and links. Its contrast with the page must be at least {min, number}:1, so that everybody can read them.',
    hy: 'Կոճակների և հղումների համար։ Էջի հետ հակադրությունը պետք է լինի առնվազն {min, number}:1, որպեսզի բոլորը կարողանան կարդալ։',
    ru: 'Для кнопок и ссылок. Контраст со страницей должен быть не меньше {min, number}:1, чтобы все могли их прочитать.',
  },
  'settings.colour_unreadable': {
    en: 'Text in this colour is hard to read: its contrast is {contrast, number}:1, and {min, number}:1 is needed. The nearest readable shade is {shade}.',
    hy: 'Այս գույնով տեքստը դժվար է կարդալ․ հակադրությունը {contrast, number}:1 է, անհրաժեշտ է {min, number}:1։ Ամենամոտ ընթեռնելի երանգը {shade} է։',
    ru: 'Текст этого цвета трудно читать: контраст {contrast, number}:1, а нужен {min, number}:1. Ближайший читаемый оттенок: {shade}.',
  },
  'settings.preview': {
    en: 'Pay',
    hy: 'Վճարել',
    ru: 'Оплатить',
  },
} as const satisfies Texts<Locale>;
