/** The texts about one delivery and its attempts. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const ATTEMPTS = {
  'delivery.title': {
    en: 'Delivery',
    hy: 'Առաքում',
    ru: 'Доставка',
  },
  'delivery.state': {
    en: 'State',
    hy: 'Վիճակ',
    ru: 'Состояние',
  },
  'delivery.created': {
    en: 'Created',
    hy: 'Ստեղծված է',
    ru: 'Создана',
  },
  'delivery.event': {
    en: 'Event',
    hy: 'Իրադարձություն',
    ru: 'Событие',
  },
  'delivery.attempts': {
    en: 'Attempts',
    hy: 'Փորձեր',
    ru: 'Попытки',
  },
  'delivery.result': {
    en: 'Result',
    hy: 'Արդյունք',
    ru: 'Результат',
  },
  'delivery.next': {
    en: 'Next attempt',
    hy: 'Հաջորդ փորձը',
    ru: 'Следующая попытка',
  },
  'delivery.attempt': {
    en: 'Attempt',
    hy: 'Փորձ',
    ru: 'Попытка',
  },
  'delivery.at': {
    en: 'Time',
    hy: 'Ժամանակ',
    ru: 'Время',
  },
  'delivery.duration': {
    en: 'Duration',
    hy: 'Տևողություն',
    ru: 'Длительность',
  },
  'delivery.response': {
    en: 'Response body',
    hy: 'Պատասխանի մարմինը',
    ru: 'Тело ответа',
  },
  'delivery.id': {
    en: 'Delivery id',
    hy: 'Առաքման ID',
    ru: 'ID доставки',
  },
  'delivery.event_id': {
    en: 'Event id',
    hy: 'Իրադարձության ID',
    ru: 'ID события',
  },
  'delivery.trigger': {
    en: 'Cause',
    hy: 'Պատճառ',
    ru: 'Причина',
  },
  'delivery.body': {
    en: 'Body that is sent',
    hy: 'Ուղարկվող մարմինը',
    ru: 'Отправляемое тело',
  },
  'delivery.cut': {
    en: 'The rest is not shown.',
    hy: 'Մնացածը չի ցուցադրվում։',
    ru: 'Остальное не показано.',
  },
  'delivery.siblings': {
    en: 'Other deliveries of this event',
    hy: 'Այս իրադարձության մյուս առաքումները',
    ru: 'Другие доставки этого события',
  },
  'delivery.resend': {
    en: 'Send again',
    hy: 'Կրկին ուղարկել',
    ru: 'Отправить снова',
  },
  'delivery.no_attempts': {
    en: 'Nothing was sent yet.',
    hy: 'Դեռ ոչինչ չի ուղարկվել։',
    ru: 'Пока ничего не отправлено.',
  },
  'delivery.attempt_number': {
    en: 'Attempt {number}',
    hy: 'Փորձ {number}',
    ru: 'Попытка {number}',
  },
  'delivery.dns': {
    en: 'Name look-up',
    hy: 'Անվան որոնում',
    ru: 'Поиск имени',
  },
  'delivery.connect': {
    en: 'Connection',
    hy: 'Միացում',
    ru: 'Соединение',
  },
  'delivery.tls': {
    en: 'TLS',
    hy: 'TLS',
    ru: 'TLS',
  },
  'delivery.first_byte': {
    en: 'First byte',
    hy: 'Առաջին բայթը',
    ru: 'Первый байт',
  },
  'delivery.sent_to': {
    en: 'Sent to',
    hy: 'Ուղարկվել է',
    ru: 'Отправлено на',
  },
  'delivery.request_headers': {
    en: 'Request headers',
    hy: 'Հարցման վերնագրերը',
    ru: 'Заголовки запроса',
  },
  'delivery.response_headers': {
    en: 'Response headers',
    hy: 'Պատասխանի վերնագրերը',
    ru: 'Заголовки ответа',
  },
  'delivery.explain': {
    en: 'Explain the signature',
    hy: 'Բացատրել ստորագրությունը',
    ru: 'Объяснить подпись',
  },
  'delivery.empty': {
    en: 'The response has no body.',
    hy: 'Պատասխանը մարմին չունի։',
    ru: 'У ответа нет тела.',
  },
} as const satisfies Texts<Locale>;
