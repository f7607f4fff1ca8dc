/** The texts of the developers' pages. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';
import { ADVANCE } from './texts-advance.ts';

export const DEVELOPERS = {
  ...ADVANCE,
  'menu.developers': {
    en: 'Developers',
    hy: 'Ծրագրավորողներ',
    ru: 'Разработчикам',
  },
  'developers.docs': {
    en: 'Documentation',
    hy: 'Ուղեցույց',
    ru: 'Документация',
  },
  all: {
    en: 'All',
    hy: 'Բոլորը',
    ru: 'Все',
  },
  filter: {
    en: 'Filter',
    hy: 'Զտել',
    ru: 'Отфильтровать',
  },
  'requests.title': {
    en: 'API requests',
    hy: 'API հարցումներ',
    ru: 'Запросы к API',
  },
  'requests.about': {
    en: 'Requests of the last 7 days, without keys and card numbers. If your servers send very many, successful requests are left out first.',
    hy: 'Վերջին 7 օրվա հարցումները՝ առանց բանալիների և քարտերի համարների։ Եթե ձեր սերվերները շատ հարցումներ են ուղարկում, նախ բաց են թողնվում հաջողվածները։',
    ru: 'Запросы за последние 7 дней, без ключей и номеров карт. Если ваши серверы отправляют очень много запросов, в первую очередь пропускаются успешные.',
  },
  'requests.none': {
    en: 'No request in the last days. Your server sends the first one with a key from',
    hy: 'Վերջին օրերին հարցումներ չեն եղել։ Առաջինը կուղարկի ձեր սերվերը՝ բանալիով, որը կգտնեք այստեղ՝',
    ru: 'За последние дни запросов не было. Первый отправит ваш сервер с ключом отсюда:',
  },
  'requests.empty': {
    en: 'There are no such requests.',
    hy: 'Այդպիսի հարցումներ չկան։',
    ru: 'Таких запросов нет.',
  },
  'requests.no_such': {
    en: 'That is not a Request-Id: it begins with req_ and has 30 characters.',
    hy: 'Սա Request-Id չէ․ այն սկսվում է req_-ով և ունի 30 նիշ։',
    ru: 'Это не Request-Id: он начинается с req_ и состоит из 30 символов.',
  },
  'requests.2xx': {
    en: '2xx: succeeded',
    hy: '2xx՝ հաջողված',
    ru: '2xx: успешные',
  },
  'requests.4xx': {
    en: '4xx: refused',
    hy: '4xx՝ մերժված',
    ru: '4xx: отклонённые',
  },
  'requests.5xx': {
    en: '5xx: failed on our side',
    hy: '5xx՝ սխալ մեր կողմում',
    ru: '5xx: сбой на нашей стороне',
  },
  'requests.at': {
    en: 'Time',
    hy: 'Ժամանակ',
    ru: 'Время',
  },
  'requests.request': {
    en: 'Request',
    hy: 'Հարցում',
    ru: 'Запрос',
  },
  'requests.path': {
    en: 'Path',
    hy: 'Ուղի',
    ru: 'Путь',
  },
  'requests.status': {
    en: 'Status',
    hy: 'Կարգավիճակ',
    ru: 'Статус',
  },
  'requests.duration': {
    en: 'Duration',
    hy: 'Տևողություն',
    ru: 'Длительность',
  },
  'requests.ms': {
    en: '{ms, number} ms',
    hy: '{ms, number} մվ',
    ru: '{ms, number} мс',
  },
  'requests.omitted': {
    en: 'Up to {count, number} earlier requests are not shown.',
    hy: 'Մինչև {count, number} ավելի վաղ հարցում չի ցուցադրվում։',
    ru: 'Не показаны более ранние запросы: до {count, number}.',
  },
  'requests.error': {
    en: 'Error code',
    hy: 'Սխալի կոդ',
    ru: 'Код ошибки',
  },
  'requests.message': {
    en: 'Message',
    hy: 'Հաղորդագրություն',
    ru: 'Сообщение',
  },
  'requests.key': {
    en: 'API key',
    hy: 'API բանալի',
    ru: 'Ключ API',
  },
  'requests.object': {
    en: 'In the response',
    hy: 'Պատասխանում',
    ru: 'В ответе',
  },
  'requests.alike': {
    en: 'Requests to the same path',
    hy: 'Նույն ուղու հարցումները',
    ru: 'Запросы к тому же пути',
  },
  'requests.body': {
    en: 'Request body',
    hy: 'Հարցման մարմին',
    ru: 'Тело запроса',
  },
  'requests.cut': {
    en: 'The body was too long to be kept whole.',
    hy: 'Մարմինը չափազանց երկար էր ամբողջությամբ պահելու համար։',
    ru: 'Тело было слишком длинным, чтобы хранить его целиком.',
  },
  'requests.error_docs': {
    en: 'What to do about this error',
    hy: 'Ինչ անել այս սխալի դեպքում',
    ru: 'Что делать с этой ошибкой',
  },
  'events.title': {
    en: 'Events',
    hy: 'Իրադարձություններ',
    ru: 'События',
  },
  'events.none': {
    en: 'No events yet. The first one comes when a payment ends.',
    hy: 'Դեռ իրադարձություններ չկան։ Առաջինը կլինի, երբ վճարումն ավարտվի։',
    ru: 'Событий пока нет. Первое появится, когда завершится платёж.',
  },
  'events.all': {
    en: 'show all events',
    hy: 'ցույց տալ բոլոր իրադարձությունները',
    ru: 'показать все события',
  },
  'events.empty': {
    en: 'There are no such events.',
    hy: 'Այդպիսի իրադարձություններ չկան։',
    ru: 'Таких событий нет.',
  },
  'events.type': {
    en: 'Type',
    hy: 'Տեսակ',
    ru: 'Тип',
  },
  'events.event': {
    en: 'Event',
    hy: 'Իրադարձություն',
    ru: 'Событие',
  },
  'events.about': {
    en: 'Payment',
    hy: 'Վճարում',
    ru: 'Платёж',
  },
  'events.exact': {
    en: 'The exact bytes',
    hy: 'Ճշգրիտ բայթերը',
    ru: 'Точные байты',
  },
  'events.exact_hint': {
    en: 'Every webhook carries these bytes, and its signatures are made of them.',
    hy: 'Յուրաքանչյուր վեբհուք պարունակում է այս բայթերը, և ստորագրությունները կազմվում են դրանցից։',
    ru: 'Каждый вебхук содержит именно эти байты, и подписи вычисляются по ним.',
  },
  'events.deliveries': {
    en: 'Deliveries',
    hy: 'Առաքումներ',
    ru: 'Доставки',
  },
  'events.no_deliveries': {
    en: 'No endpoint was subscribed, or the records are older than their retention.',
    hy: 'Ոչ մի հասցե բաժանորդագրված չէր, կամ գրառումների պահպանման ժամկետն անցել է։',
    ru: 'Ни один адрес не был подписан, или срок хранения записей истёк.',
  },
  'events.delivery': {
    en: 'Delivery',
    hy: 'Առաքում',
    ru: 'Доставка',
  },
  'events.attempts': {
    en: 'Attempts',
    hy: 'Փորձեր',
    ru: 'Попытки',
  },
  'events.next': {
    en: 'Next attempt',
    hy: 'Հաջորդ փորձը',
    ru: 'Следующая попытка',
  },
} as const satisfies Texts<Locale>;
