/** Translations of the messages of forms about endpoints, deliveries and signatures. */
import type { Reason } from './reasons.ts';

export const WEBHOOK_REASONS: readonly Reason[] = [
  {
    en: 'A merchant has at most {} endpoints.',
    hy: 'Վաճառողը կարող է ունենալ առավելագույնը {} վեբհուքի հասցե։',
    ru: 'У продавца может быть не больше {} адресов для вебхуков.',
  },
  {
    en: 'An endpoint has at most {} secrets at a time: wait until an older one expires, or use the overlap 0, which expires all of them.',
    hy: 'Միաժամանակ կարող է գործել առավելագույնը {} գաղտնի բանալի։ Սպասեք, մինչև հներից մեկի ժամկետն ավարտվի, կամ դադարեցրեք բոլոր հները միանգամից։',
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
  {
    en: 'The URL must be http or https without userinfo.',
    hy: 'URL-ը պետք է սկսվի http-ով կամ https-ով և չունենա օգտանուն կամ գաղտնաբառ։',
    ru: 'URL должен начинаться с http или https и не содержать имени пользователя и пароля.',
  },
  {
    en: 'The host is not a valid host name.',
    hy: 'URL-ում նշված հոսթի անունը վավեր չէ։',
    ru: 'Имя хоста в URL недопустимо.',
  },
  {
    en: 'Port {} is not allowed for receivers.',
    hy: '{} պորտը վեբհուքների համար չի թույլատրվում։ Օգտագործեք 80, 443 կամ 1023-ից մեծ պորտ, որն այլ ծառայության չի պատկանում։',
    ru: 'Порт {} для вебхуков не разрешён. Используйте порт 80, 443 или выше 1023, не занятый другой известной службой.',
  },
  {
    en: 'The URL leads to an address that is not public.',
    hy: 'URL-ը տանում է դեպի հանրային չհամարվող հասցե։ Անհրաժեշտ է համացանցից հասանելի հասցե։',
    ru: 'URL ведёт на адрес, который не является общедоступным. Нужен адрес, доступный из интернета.',
  },
  {
    en: 'A merchant can check receivers {} times an hour.',
    hy: 'Մշակիչները կարելի է ստուգել ժամում առավելագույնը {} անգամ։ Փորձեք ավելի ուշ։',
    ru: 'Обработчики можно проверять не чаще {} раз в час. Попробуйте позже.',
  },
  {
    en: 'This receiver is being checked already: wait a minute.',
    hy: 'Այս մշակիչն արդեն ստուգվում է։ Սպասեք մեկ րոպե։',
    ru: 'Этот обработчик уже проверяется. Подождите минуту.',
  },
  {
    en: 'Give a date and a time, such as 2026-01-31T12:00.',
    hy: 'Նշեք ամսաթիվ և ժամ, օրինակ՝ 2026-01-31T12:00։',
    ru: 'Укажите дату и время, например 2026-01-31T12:00.',
  },
  {
    en: 'Choose one or more of {}.',
    hy: 'Ընտրեք առնվազն մեկ վիճակ։',
    ru: 'Выберите хотя бы одно состояние.',
  },
  {
    en: 'Nothing was sent yet, or there is no such attempt.',
    hy: 'Դեռ ոչինչ չի ուղարկվել, կամ այդպիսի փորձ չկա։',
    ru: 'Пока ничего не отправлено, или такой попытки нет.',
  },
  {
    en: 'Write each header on a line of its own, as "Name: value".',
    hy: 'Յուրաքանչյուր վերնագիր գրեք առանձին տողում՝ «Name: value» տեսքով։',
    ru: 'Пишите каждый заголовок на отдельной строке, в виде «Name: value».',
  },
  {
    en: 'Paste the body of the request.',
    hy: 'Տեղադրեք հարցման մարմինը։',
    ru: 'Вставьте тело запроса.',
  },
  {
    en: 'Give the timestamp, or its header: whole seconds, as it was received.',
    hy: 'Նշեք ժամանակի նշումը կամ դրա վերնագիրը՝ ամբողջ վայրկյաններով, ինչպես ստացվել է։',
    ru: 'Укажите метку времени или её заголовок: целые секунды, как было получено.',
  },
  {
    en: 'The body has no id of an event: paste it, or its header.',
    hy: 'Մարմնում իրադարձության id չկա։ Տեղադրեք այն կամ webhook-id վերնագիրը։',
    ru: 'В теле нет id события. Вставьте его или заголовок webhook-id.',
  },
  {
    en: 'Give the whole secret: whsec_ and what follows it.',
    hy: 'Նշեք գաղտնի բանալին ամբողջությամբ՝ whsec_ և դրանից հետո եղածը։',
    ru: 'Укажите секрет целиком: whsec_ и всё после него.',
  },
];
