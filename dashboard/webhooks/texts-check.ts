/** The texts of the page that checks a receiver, and why a check did not pass. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const CHECK = {
  'check.title': {
    en: 'Check the receiver',
    hy: 'Ստուգել մշակիչը',
    ru: 'Проверить обработчик',
  },
  'check.intro': {
    en: 'Sends this endpoint test deliveries, genuine and forged, one after the other, and shows which ones your receiver accepts. All events are examples: their payments do not exist, and their metadata has tollgate_example.',
    hy: 'Հերթով ուղարկում է այս հասցեին փորձնական առաքումներ՝ իսկական և կեղծված, և ցույց տալիս, թե ձեր մշակիչը դրանցից որոնք է ընդունում։ Բոլոր իրադարձություններն օրինակներ են․ դրանց վճարումները գոյություն չունեն, և դրանց metadata-ն ունի tollgate_example։',
    ru: 'По очереди отправляет на этот адрес тестовые доставки, настоящие и поддельные, и показывает, какие из них принимает ваш обработчик. Все события — примеры: их платежей не существует, а в metadata есть tollgate_example.',
  },
  'check.hint': {
    en: 'At most 31 requests. It takes a few seconds, and at most a minute with a slow receiver. If you leave the page meanwhile, the check stops.',
    hy: 'Առավելագույնը 31 հարցում։ Տևում է մի քանի վայրկյան, իսկ դանդաղ մշակիչի դեպքում՝ առավելագույնը մեկ րոպե։ Եթե այդ ընթացքում փակեք էջը, ստուգումը կդադարի։',
    ru: 'Не больше 31 запроса. Занимает несколько секунд, а с медленным обработчиком — не больше минуты. Если закрыть страницу, проверка остановится.',
  },
  'check.start': {
    en: 'Start the check',
    hy: 'Սկսել ստուգումը',
    ru: 'Начать проверку',
  },
  'check.busy': {
    en: 'A check is running.',
    hy: 'Ստուգումն ընթանում է։',
    ru: 'Проверка идёт.',
  },
  'check.refresh': {
    en: 'Look again',
    hy: 'Նայել կրկին',
    ru: 'Посмотреть снова',
  },
  'check.none': {
    en: 'There is no report. Reports are kept for 7 days.',
    hy: 'Հաշվետվություն չկա։ Հաշվետվությունները պահվում են 7 օր։',
    ru: 'Отчёта нет. Отчёты хранятся 7 дней.',
  },
  'check.at': {
    en: 'Checked',
    hy: 'Ստուգված է',
    ru: 'Проверено',
  },
  'check.sum_passed': {
    en: 'All {count} checks passed.',
    hy: 'Բոլոր {count} ստուգումներն անցել են։',
    ru: 'Все проверки пройдены: {count}.',
  },
  'check.sum_refused': {
    en: 'The receiver did not accept a genuine delivery. Mend this first: until then, nothing else can be checked.',
    hy: 'Մշակիչը չի ընդունել իսկական առաքումը։ Նախ շտկեք դա․ մինչ այդ այլ բան ստուգել հնարավոր չէ։',
    ru: 'Обработчик не принял настоящую доставку. Сначала исправьте это: до тех пор остальное проверить нельзя.',
  },
  'check.sum_mend': {
    en: '{count, plural, one {One rule is broken.} other {# rules are broken.}} Passed: {passed}.',
    hy: 'Խախտված կանոններ՝ {count}։ Անցել է՝ {passed}։',
    ru: 'Нарушено правил: {count}. Пройдено: {passed}.',
  },
  'check.sum_advice': {
    en: 'No rule is broken, but there is something to improve: {count}.',
    hy: 'Խախտված կանոն չկա, բայց կա բարելավելու բան՝ {count}։',
    ru: 'Нарушений нет, но есть что улучшить: {count}.',
  },
  'check.sum_unchecked': {
    en: 'No fault was found, but some rules could not be checked: {count}.',
    hy: 'Սխալներ չեն հայտնաբերվել, բայց որոշ կանոններ ստուգել չի հաջողվել՝ {count}։',
    ru: 'Ошибок не найдено, но часть правил проверить не удалось: {count}.',
  },
  'check.mend': {
    en: 'To mend',
    hy: 'Պետք է շտկել',
    ru: 'Нужно исправить',
  },
  'check.advice': {
    en: 'Better to change',
    hy: 'Ավելի լավ է փոխել',
    ru: 'Лучше изменить',
  },
  'check.unchecked': {
    en: 'Could not be checked',
    hy: 'Չհաջողվեց ստուգել',
    ru: 'Не удалось проверить',
  },
  'check.passed': {
    en: 'Passed',
    hy: 'Անցել է',
    ru: 'Пройдено',
  },
  'check_cause.refused': {
    en: 'The receiver refused it.',
    hy: 'Մշակիչը մերժել է այն։',
    ru: 'Обработчик отклонил этот запрос.',
  },
  'check_cause.accepted': {
    en: 'The receiver accepted it.',
    hy: 'Մշակիչն ընդունել է այն։',
    ru: 'Обработчик принял этот запрос.',
  },
  'check_cause.slow': {
    en: 'The slowest response took longer.',
    hy: 'Ամենադանդաղ պատասխանն ավելի երկար է տևել։',
    ru: 'Самый медленный ответ занял больше времени.',
  },
  'check_cause.redirect': {
    en: 'The receiver redirects, but redirects are not followed.',
    hy: 'Մշակիչը վերահղում է, իսկ վերահղումները չեն կատարվում։',
    ru: 'Обработчик перенаправляет запрос, а перенаправления не выполняются.',
  },
  'check_cause.not_post': {
    en: 'The receiver refuses POST, but every delivery is one.',
    hy: 'Մշակիչը մերժում է POST-ը, իսկ յուրաքանչյուր առաքում POST է։',
    ru: 'Обработчик отклоняет POST, а каждая доставка — это POST.',
  },
  'check_cause.no_response': {
    en: 'There was no response. Does the receiver run, and can it be reached from the internet?',
    hy: 'Պատասխան չի եղել։ Արդյո՞ք մշակիչն աշխատում է և հասանելի է համացանցից։',
    ru: 'Ответа не было. Работает ли обработчик и доступен ли он из интернета?',
  },
  'check_cause.forgery_ignored': {
    en: 'A request that is not genuine got no response at all.',
    hy: 'Ոչ իսկական հարցումն ընդհանրապես պատասխան չի ստացել։',
    ru: 'Ненастоящий запрос вообще не получил ответа.',
  },
  'check_cause.server_error': {
    en: 'It was refused with 5xx, as if your code had failed. Respond with 401, so that you can tell a forgery from work that failed.',
    hy: 'Մերժվել է 5xx-ով, կարծես ձեր կոդում սխալ է տեղի ունեցել։ Պատասխանեք 401, որպեսզի կեղծիքը տարբերվի ձախողված աշխատանքից։',
    ru: 'Запрос отклонён с 5xx, как при сбое вашего кода. Отвечайте 401, чтобы подделку можно было отличить от сбоя.',
  },
  'check_cause.unreal': {
    en: 'The receiver responded with 5xx. Its signature check most likely passed, but it did not find the payment, because examples do not exist. Your code needs no special case for that: in your project, `npx tollgate check` with a test key uses real test payments.',
    hy: 'Մշակիչը պատասխանել է 5xx։ Ստորագրության ստուգումն ամենայն հավանականությամբ անցել է, բայց վճարումը չի գտնվել, քանի որ օրինակները գոյություն չունեն։ Ձեր կոդին դրա համար հատուկ մշակում պետք չէ․ ձեր նախագծում `npx tollgate check` հրամանը թեստային բանալիով օգտագործում է իրական թեստային վճարումներ։',
    ru: 'Обработчик ответил 5xx. Скорее всего, проверка подписи прошла, но платёж не нашёлся: примеров не существует. Особой обработки в вашем коде для этого не нужно: в вашем проекте команда `npx tollgate check` с тестовым ключом использует настоящие тестовые платежи.',
  },
  'check_cause.unproven': {
    en: 'Genuine deliveries got the same response (5xx), so a refusal proves nothing.',
    hy: 'Իսկական առաքումները ստացել են նույն պատասխանը (5xx), ուստի մերժումը ոչինչ չի ապացուցում։',
    ru: 'Настоящие доставки получили такой же ответ (5xx), поэтому отказ ничего не доказывает.',
  },
  'check_cause.not_accepted': {
    en: 'Not sent, because the genuine delivery was not accepted.',
    hy: 'Չի ուղարկվել, քանի որ իսկական առաքումը չի ընդունվել։',
    ru: 'Не отправлено, потому что настоящая доставка не была принята.',
  },
  'check_cause.out_of_time': {
    en: 'Not completed, because the receiver is slow and the time of the check was over.',
    hy: 'Չի ավարտվել, քանի որ մշակիչը դանդաղ է, և ստուգման ժամանակն սպառվել է։',
    ru: 'Не завершено: обработчик отвечает медленно, и время проверки вышло.',
  },
} as const satisfies Texts<Locale>;
