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
    hy: 'Գնորդներն այն տեսնում են վճարման էջում։',
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
  'logo.title': {
    en: 'Logo',
    hy: 'Լոգո',
    ru: 'Логотип',
  },
  'logo.none': {
    en: 'Customers see only the name.',
    hy: 'Գնորդները տեսնում են միայն անվանումը։',
    ru: 'Покупатели видят только название.',
  },
  'logo.file': {
    en: 'Picture',
    hy: 'Նկար',
    ru: 'Изображение',
  },
  'logo.hint': {
    en: 'PNG, JPEG or WebP, at most {kib, number} KiB. The checkout shows it on white, up to {width, number} × {height, number} pixels large.',
    hy: 'PNG, JPEG կամ WebP, առավելագույնը {kib, number} ԿԲ։ Վճարման էջում ցուցադրվում է սպիտակ ֆոնի վրա՝ մինչև {width, number} × {height, number} պիքսել չափով։',
    ru: 'PNG, JPEG или WebP, не больше {kib, number} КиБ. На странице оплаты показывается на белом фоне, размером до {width, number} × {height, number} пикселей.',
  },
  'logo.upload': {
    en: 'Upload',
    hy: 'Վերբեռնել',
    ru: 'Загрузить',
  },
  'logo.replace': {
    en: 'Replace',
    hy: 'Փոխարինել',
    ru: 'Заменить',
  },
  'logo.remove': {
    en: 'Remove the logo',
    hy: 'Հեռացնել լոգոն',
    ru: 'Удалить логотип',
  },
  'done.logo_saved': {
    en: 'Saved. Customers see the logo from now on.',
    hy: 'Պահպանված է։ Այժմ գնորդները տեսնում են լոգոն։',
    ru: 'Сохранено. Теперь покупатели видят логотип.',
  },
  'done.logo_removed': {
    en: 'The logo is removed.',
    hy: 'Լոգոն հեռացված է։',
    ru: 'Логотип удалён.',
  },
  'kept.title': {
    en: 'How long data is kept',
    hy: 'Տվյալների պահպանման ժամկետը',
    ru: 'Сколько хранятся данные',
  },
  'kept.hint': {
    en: 'The operator of this installation sets these times for all merchants.',
    hy: 'Այս ժամկետները բոլոր վաճառողների համար սահմանում է համակարգի օպերատորը։',
    ru: 'Эти сроки задаёт оператор системы для всех продавцов.',
  },
  'kept.payments': {
    en: 'Payments, refunds and events',
    hy: 'Վճարումներ, վերադարձներ և իրադարձություններ',
    ru: 'Платежи, возвраты и события',
  },
  'kept.deliveries': {
    en: 'Webhook deliveries, with what was sent and received',
    hy: 'Վեբհուքների առաքումներ՝ ուղարկված և ստացված տվյալներով',
    ru: 'Доставки вебхуков с отправленными и полученными данными',
  },
  'kept.requests': {
    en: 'Requests to the API',
    hy: 'API հարցումներ',
    ru: 'Запросы к API',
  },
  'kept.sessions': {
    en: 'Sign-ins of your team',
    hy: 'Թիմի մուտքերը համակարգ',
    ru: 'Сеансы вашей команды',
  },
  'kept.links': {
    en: 'Links to join, and to set a new password',
    hy: 'Թիմին միանալու և նոր գաղտնաբառի հղումներ',
    ru: 'Ссылки для вступления и нового пароля',
  },
  'kept.always': {
    en: 'Never deleted',
    hy: 'Երբեք չեն ջնջվում',
    ru: 'Не удаляются никогда',
  },
  'kept.days': {
    en: '{days, plural, one {# day} other {# days}}',
    hy: '{days, number} օր',
    ru: '{days, plural, one {# день} few {# дня} other {# дней}}',
  },
  'kept.deliveries_time': {
    en: '{days, plural, one {# day} other {# days}}. One that is still being retried stays until it ends.',
    hy: '{days, number} օր։ Դեռևս կրկնվող առաքումը մնում է մինչև ավարտը։',
    ru: '{days, plural, one {# день} few {# дня} other {# дней}}. Доставка, которая ещё повторяется, хранится до завершения.',
  },
  'kept.sessions_time': {
    en: '{hours, plural, one {# hour} other {# hours}} after the last use, and {days, plural, one {# day} other {# days}} at most',
    hy: 'Վերջին օգտագործումից հետո {hours, number} ժամ, առավելագույնը {days, number} օր',
    ru: '{hours, plural, one {# час} few {# часа} other {# часов}} после последнего действия, но не дольше {days, plural, one {# дня} other {# дней}}',
  },
  'kept.links_time': {
    en: '{days, plural, one {# day} other {# days}}, and {hours, plural, one {# hour} other {# hours}} for a new password',
    hy: '{days, number} օր, նոր գաղտնաբառի համար՝ {hours, number} ժամ',
    ru: '{days, plural, one {# день} few {# дня} other {# дней}}, для нового пароля {hours, plural, one {# час} few {# часа} other {# часов}}',
  },
  'settings.preview': {
    en: 'Pay',
    hy: 'Վճարել',
    ru: 'Оплатить',
  },
} as const satisfies Texts<Locale>;
