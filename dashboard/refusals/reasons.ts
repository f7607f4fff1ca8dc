/** Translations of the messages that refused forms of the dashboard show. */
import type { Translated } from './codes.ts';

interface Reason extends Translated {
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
    hy: 'Թիմում այդպիսի մարդ չկա։',
    ru: 'В команде нет такого человека.',
  },
  {
    en: 'The link has been used already.',
    hy: 'Հղումն արդեն օգտագործվել է։',
    ru: 'Ссылка уже использована.',
  },
  {
    en: 'The name must have 1 to {} visible characters.',
    hy: 'Անունը պետք է ունենա 1-ից {} տեսանելի նիշ։',
    ru: 'Длина названия: от 1 до {} видимых символов.',
  },
  {
    en: 'A name has 1 to {} visible characters, with spaces only between them.',
    hy: 'Անունը պետք է ունենա 1-ից {} տեսանելի նիշ, բացատներ՝ միայն դրանց միջև։',
    ru: 'Длина названия: от 1 до {} видимых символов, пробелы только между ними.',
  },
  {
    en: 'A merchant has at most {} active keys in each mode: {}.',
    hy: 'Վաճառողը կարող է ունենալ առավելագույնը {} գործող բանալի։ Նախ չեղարկեք դրանցից մեկը։',
    ru: 'У продавца может быть не больше {} действующих ключей. Сначала отзовите один из них.',
  },
  {
    en: 'The key is revoked or about to end: roll the key that replaces it, or create one.',
    hy: 'Բանալին չեղարկված է կամ շուտով կավարտվի։ Փոխարինեք այն բանալին, որն եկել է դրա տեղը, կամ ստեղծեք նորը։',
    ru: 'Ключ отозван или скоро истечёт. Замените ключ, который пришёл ему на смену, или создайте новый.',
  },
  {
    en: 'A merchant has at most {} endpoints.',
    hy: 'Վաճառողը կարող է ունենալ առավելագույնը {} վեբհուքի հասցե։',
    ru: 'У продавца может быть не больше {} адресов для вебхуков.',
  },
  {
    en: 'An endpoint has at most {} secrets at a time: wait until an older one expires, or use the overlap 0, which expires all of them.',
    hy: 'Միաժամանակ կարող է գործել առավելագույնը {} գաղտնիք։ Սպասեք, մինչև հներից մեկի ժամկետն ավարտվի, կամ դադարեցրեք բոլոր հները միանգամից։',
    ru: 'Одновременно могут действовать не больше {} секретов. Подождите, пока старый истечёт, или завершите все старые сразу.',
  },
  {
    en: 'A URL has at most {} characters.',
    hy: 'URL-ը կարող է ունենալ առավելագույնը {} նիշ։',
    ru: 'Длина URL: не больше {} символов.',
  },
  {
    en: 'A description has at most {} characters.',
    hy: 'Նկարագրությունը կարող է ունենալ առավելագույնը {} նիշ։',
    ru: 'Длина описания: не больше {} символов.',
  },
  {
    en: 'The endpoint is disabled: enable it first.',
    hy: 'Հասցեն անջատված է։ Նախ միացրեք այն։',
    ru: 'Адрес отключён. Сначала включите его.',
  },
  {
    en: 'The range ends before it begins, or begins in the future.',
    hy: 'Ժամանակահատվածի վերջը սկզբից շուտ է, կամ սկիզբն ապագայում է։',
    ru: 'Период заканчивается раньше, чем начинается, или начинается в будущем.',
  },
  {
    en: 'Another replay to this endpoint is running ({}). Wait for its end, or stop it.',
    hy: 'Այս հասցեին արդեն կրկին ուղարկվում են իրադարձություններ ({})։ Սպասեք ավարտին կամ դադարեցրեք այն։',
    ru: 'На этот адрес уже идёт повторная отправка ({}). Дождитесь её конца или остановите её.',
  },
  {
    en: 'Pings and examples are never replayed: send a new one.',
    hy: 'Փորձնական իրադարձությունները կրկին չեն ուղարկվում։ Ուղարկեք նորը։',
    ru: 'Тестовые события не отправляются повторно. Отправьте новое.',
  },
  {
    en: 'The endpoint does not subscribe to these events, but to: {}.',
    hy: 'Հասցեն բաժանորդագրված չէ այս իրադարձություններին, այլ միայն՝ {}։',
    ru: 'Адрес не подписан на эти события, а только на: {}.',
  },
  {
    en: 'The code is not right, or was used already.',
    hy: 'Կոդը սխալ է կամ արդեն օգտագործվել է։',
    ru: 'Код неверен или уже использован.',
  },
  {
    en: 'The second step is on already.',
    hy: 'Երկրորդ քայլն արդեն միացված է։',
    ru: 'Второй шаг уже включён.',
  },
  {
    en: 'Too many wrong codes: try again in {} min.',
    hy: 'Չափազանց շատ սխալ կոդեր։ Կրկին փորձեք {} րոպեից։',
    ru: 'Слишком много неверных кодов. Попробуйте снова через {} мин.',
  },
  {
    en: 'Choose at least one event type.',
    hy: 'Ընտրեք իրադարձության առնվազն մեկ տեսակ։',
    ru: 'Выберите хотя бы один тип событий.',
  },
  {
    en: 'Choose one of the event types.',
    hy: 'Ընտրեք իրադարձության տեսակը։',
    ru: 'Выберите тип события.',
  },
  {
    en: 'Check the box to delete the endpoint.',
    hy: 'Հասցեն ջնջելու համար նշեք վանդակը։',
    ru: 'Чтобы удалить адрес, отметьте флажок.',
  },
  {
    en: 'The endpoint has changed since this page was loaded: check it first.',
    hy: 'Էջը բեռնելուց հետո հասցեն փոխվել է։ Նախ ստուգեք այն։',
    ru: 'После загрузки страницы адрес изменился. Сначала проверьте его.',
  },
  {
    en: 'The endpoints have changed since this page was loaded: check the list first.',
    hy: 'Էջը բեռնելուց հետո հասցեների ցանկը փոխվել է։ Նախ ստուգեք այն։',
    ru: 'После загрузки страницы список адресов изменился. Сначала проверьте его.',
  },
  {
    en: 'The event was sent again since this page was loaded.',
    hy: 'Էջը բեռնելուց հետո իրադարձությունն արդեն կրկին ուղարկվել է։',
    ru: 'После загрузки страницы событие уже отправлено повторно.',
  },
  {
    en: 'A replay was started since this page was loaded: look at it first.',
    hy: 'Էջը բեռնելուց հետո կրկնակի ուղարկում է սկսվել։ Նախ դիտեք այն։',
    ru: 'После загрузки страницы начата повторная отправка. Сначала посмотрите её.',
  },
  {
    en: 'The window has at most {} days.',
    hy: 'Ժամանակահատվածը կարող է լինել առավելագույնը {} օր։',
    ru: 'Период не может быть длиннее {} дней.',
  },
];
