/** Translations of the messages that refused forms of the dashboard show. */
import type { Translated } from './codes.ts';
import { WEBHOOK_REASONS } from './reasons-webhooks.ts';

export interface Reason extends Translated {
  /** The message in English. `{}` stands for a value, which the translations repeat in order. */
  readonly en: string;
}

export const REASONS: readonly Reason[] = [
  {
    en: 'Choose a file.',
    hy: 'Ընտրեք ֆայլ։',
    ru: 'Выберите файл.',
  },
  {
    en: 'The picture must have at most {} KiB.',
    hy: 'Նկարի չափը պետք է լինի առավելագույնը {} ԿԲ։',
    ru: 'Размер изображения не должен превышать {} КиБ.',
  },
  {
    en: 'The file must be a PNG, JPEG or WebP picture without animation.',
    hy: 'Ֆայլը պետք է լինի PNG, JPEG կամ WebP նկար՝ առանց անիմացիայի։',
    ru: 'Файл должен быть изображением PNG, JPEG или WebP без анимации.',
  },
  {
    en: 'Each side must have {} to {} pixels.',
    hy: 'Յուրաքանչյուր կողմը պետք է լինի {}-ից {} պիքսել։',
    ru: 'Каждая сторона должна быть от {} до {} пикселей.',
  },
  {
    en: 'The e-mail address or the password is not right.',
    hy: 'Էլ. փոստի հասցեն կամ գաղտնաբառը սխալ է։',
    ru: 'Адрес эл. почты или пароль указан неверно.',
  },
  {
    en: 'The password is not right.',
    hy: 'Գաղտնաբառը սխալ է։',
    ru: 'Пароль указан неверно.',
  },
  {
    en: 'A password has {} to {} characters.',
    hy: 'Գաղտնաբառը պետք է ունենա {}-ից {} նիշ։',
    ru: 'Длина пароля: от {} до {} символов.',
  },
  {
    en: 'This password is too common: choose another.',
    hy: 'Այս գաղտնաբառը չափազանց տարածված է։ Ընտրեք ուրիշը։',
    ru: 'Этот пароль слишком распространён. Выберите другой.',
  },
  {
    en: 'A team has at most {} people, with those who are invited.',
    hy: 'Թիմում կարող է լինել առավելագույնը {} մարդ՝ հրավիրվածների հետ միասին։',
    ru: 'В команде может быть не более {} человек вместе с приглашёнными.',
  },
  {
    en: 'The e-mail address is not valid.',
    hy: 'Էլ. փոստի հասցեն վավեր չէ։',
    ru: 'Адрес эл. почты недействителен.',
  },
  {
    en: 'Another user has this e-mail address.',
    hy: 'Այս հասցեն արդեն օգտագործում է մեկ այլ աշխատակից։',
    ru: 'Этот адрес уже использует другой сотрудник.',
  },
  {
    en: 'A merchant needs an owner: make another user an owner first.',
    hy: 'Վաճառողը պետք է սեփականատեր ունենա։ Նախ մեկ ուրիշին դարձրեք սեփականատեր։',
    ru: 'У продавца должен быть владелец. Сначала назначьте владельцем другого сотрудника.',
  },
  {
    en: 'The merchant has no such user.',
    hy: 'Թիմում այդպիսի աշխատակից չկա։',
    ru: 'В команде нет такого сотрудника.',
  },
  {
    en: 'The link has been used already.',
    hy: 'Հղումն արդեն օգտագործվել է։',
    ru: 'Ссылка уже использована.',
  },
  {
    en: 'The name must have 1 to {} visible characters.',
    hy: 'Անվանումը պետք է ունենա 1-ից {} տեսանելի նիշ։',
    ru: 'Длина названия: от 1 до {} видимых символов.',
  },
  {
    en: 'A name has 1 to {} visible characters, with spaces only between them.',
    hy: 'Անվանումը պետք է ունենա 1-ից {} տեսանելի նիշ, բացատներ՝ միայն դրանց միջև։',
    ru: 'Длина названия: от 1 до {} видимых символов, пробелы только между ними.',
  },
  {
    en: 'A merchant has at most {} active keys in each mode: {}.',
    hy: 'Վաճառողը կարող է ունենալ առավելագույնը {} գործող բանալի։ Նախ չեղարկեք դրանցից մեկը։',
    ru: 'У продавца может быть не больше {} действующих ключей. Сначала отзовите один из них.',
  },
  {
    en: 'The key is revoked or about to end: roll the key that replaces it, or create one.',
    hy: 'Բանալին չեղարկված է, կամ դրա ժամկետը շուտով կլրանա։ Փոխարինեք այն բանալին, որն եկել է դրա տեղը, կամ ստեղծեք նորը։',
    ru: 'Ключ отозван или скоро истечёт. Замените ключ, который пришёл ему на смену, или создайте новый.',
  },
  {
    en: 'The code is not right, or was used already.',
    hy: 'Կոդը սխալ է կամ արդեն օգտագործվել է։',
    ru: 'Код неверен или уже использован.',
  },
  {
    en: 'Set up your own second step first.',
    hy: 'Նախ միացրեք երկքայլ հաստատումը ձեր հաշվում։',
    ru: 'Сначала включите двухэтапную аутентификацию для своей учётной записи.',
  },
  {
    en: 'Your team requires a second step. Set up another one first.',
    hy: 'Ձեր թիմում երկքայլ հաստատումը պարտադիր է։ Նախ կարգավորեք մեկ այլ եղանակ։',
    ru: 'В вашей команде двухэтапная аутентификация обязательна. Сначала настройте другой способ.',
  },
  {
    en: 'Your team requires a second step. Sign in with your passkey.',
    hy: 'Ձեր թիմում երկքայլ հաստատումը պարտադիր է։ Մուտք գործեք մուտքի բանալիով։',
    ru: 'В вашей команде двухэтапная аутентификация обязательна. Войдите с ключом доступа.',
  },
  {
    en: 'The second step is on already.',
    hy: 'Երկքայլ հաստատումն արդեն միացված է։',
    ru: 'Двухэтапная аутентификация уже включена.',
  },
  {
    en: 'Too many wrong codes: try again in {} min.',
    hy: 'Չափազանց շատ սխալ կոդեր։ Կրկին փորձեք {} րոպեից։',
    ru: 'Слишком много неверных кодов. Попробуйте ещё раз через {} мин.',
  },
  {
    en: 'The lifetime must be {} to {} whole minutes.',
    hy: 'Ժամկետը պետք է լինի {}-ից {} ամբողջ րոպե։',
    ru: 'Срок действия: от {} до {} целых минут.',
  },
  {
    en: 'Give the colour as # and six hexadecimal digits.',
    hy: 'Գույնը գրեք # նշանով և վեց տասնվեցական թվանշանով։',
    ru: 'Укажите цвет как # и шесть шестнадцатеричных цифр.',
  },
  {
    en: 'Text in {} is hard to read: its contrast on the checkout is {}:1, and {}:1 is needed. The nearest readable shade is {}.',
    hy: '{} գույնով տեքստը դժվար է կարդալ․ դրա հակադրությունը վճարման էջում {}:1 է, իսկ անհրաժեշտ է {}:1։ Ամենամոտ ընթեռնելի երանգը {}-ն է։',
    ru: 'Текст цвета {} плохо читается: его контраст на странице оплаты — {}:1, а нужен {}:1. Ближайший читаемый оттенок: {}.',
  },
  {
    en: 'A user has at most {} passkeys.',
    hy: 'Օգտատերը կարող է ունենալ առավելագույնը {} մուտքի բանալի։',
    ru: 'У пользователя может быть не больше {} ключей доступа.',
  },
  {
    en: 'The passkey does not fit. Try again.',
    hy: 'Մուտքի բանալին չի համընկնում։ Կրկին փորձեք։',
    ru: 'Ключ доступа не подходит. Попробуйте ещё раз.',
  },
  {
    en: 'Change your own password on the page of your account.',
    hy: 'Ձեր սեփական գաղտնաբառը փոխեք ձեր հաշվի էջում։',
    ru: 'Свой пароль меняйте на странице своей учётной записи.',
  },
  {
    en: 'The payment waits for no {}.',
    hy: 'Վճարումն այլևս դրան չի սպասում։',
    ru: 'Платёж этого уже не ждёт.',
  },
  ...WEBHOOK_REASONS,
];
