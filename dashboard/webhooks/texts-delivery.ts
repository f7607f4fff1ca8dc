/** The texts about deliveries and test events. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const DELIVERIES = {
  'done.endpoint_enabled': {
    en: 'The endpoint is enabled.',
    hy: 'Հասցեն միացված է։',
    ru: 'Адрес включён.',
  },
  'done.endpoint_missed': {
    en: 'The endpoint is enabled. It has missed events: send them here.',
    hy: 'Հասցեն միացված է։ Այն բաց է թողել իրադարձություններ․ ուղարկեք դրանք այստեղ։',
    ru: 'Адрес включён. Он пропустил события: их можно отправить здесь.',
  },
  'done.endpoint_disabled': {
    en: 'The endpoint is disabled.',
    hy: 'Հասցեն անջատված է։',
    ru: 'Адрес отключён.',
  },
  'done.endpoint_deleted': {
    en: 'The endpoint is deleted.',
    hy: 'Հասցեն ջնջված է։',
    ru: 'Адрес удалён.',
  },
  'done.resent': {
    en: 'The event is being sent again.',
    hy: 'Իրադարձությունը կրկին ուղարկվում է։',
    ru: 'Событие отправляется снова.',
  },
  'test.title': {
    en: 'Send a test event',
    hy: 'Ուղարկել փորձնական իրադարձություն',
    ru: 'Отправить тестовое событие',
  },
  'test.hint': {
    en: 'A ping, or an example of another type. Nothing in an example exists.',
    hy: 'Ping կամ այլ տեսակի օրինակ։ Օրինակի մեջ ոչինչ իրական չէ։',
    ru: 'Ping или пример другого типа. Ничего из примера не существует.',
  },
  'test.send': {
    en: 'Send',
    hy: 'Ուղարկել',
    ru: 'Отправить',
  },
  'test.accepted': {
    en: 'The endpoint accepted the test event.',
    hy: 'Հասցեն ընդունել է փորձնական իրադարձությունը։',
    ru: 'Адрес принял тестовое событие.',
  },
  'test.failed': {
    en: 'The endpoint did not accept the test event.',
    hy: 'Հասցեն չի ընդունել փորձնական իրադարձությունը։',
    ru: 'Адрес не принял тестовое событие.',
  },
  'test.waiting': {
    en: 'The test event is on its way.',
    hy: 'Փորձնական իրադարձությունը ճանապարհին է։',
    ru: 'Тестовое событие в пути.',
  },
  'test.delivery': {
    en: 'Show the delivery',
    hy: 'Ցույց տալ առաքումը',
    ru: 'Показать доставку',
  },
  'hooks.no_deliveries': {
    en: 'No deliveries here.',
    hy: 'Այստեղ առաքումներ չկան։',
    ru: 'Здесь нет доставок.',
  },
  'hooks.any_state': {
    en: 'Any state',
    hy: 'Ցանկացած վիճակ',
    ru: 'Любое состояние',
  },
  'hooks.filter': {
    en: 'Show',
    hy: 'Ցույց տալ',
    ru: 'Показать',
  },
  'delivery_state.pending': {
    en: 'Waiting',
    hy: 'Սպասում է',
    ru: 'Ожидает',
  },
  'delivery_state.retrying': {
    en: 'Retrying',
    hy: 'Կրկնվում է',
    ru: 'Повторяется',
  },
  'hooks.pending': {
    en: 'Waiting or retrying',
    hy: 'Սպասում է կամ կրկնվում',
    ru: 'Ожидает или повторяется',
  },
  'delivery_state.succeeded': {
    en: 'Accepted',
    hy: 'Ընդունված է',
    ru: 'Принята',
  },
  'delivery_state.failed': {
    en: 'Failed',
    hy: 'Ձախողված է',
    ru: 'Не удалась',
  },
  'delivery_state.skipped': {
    en: 'Skipped',
    hy: 'Բաց է թողնված',
    ru: 'Пропущена',
  },
  'delivery_state.stopped': {
    en: 'Stopped',
    hy: 'Կանգնեցված է',
    ru: 'Остановлена',
  },
  'delivery_error.address_blocked': {
    en: 'the address is not allowed',
    hy: 'հասցեն չի թույլատրվում',
    ru: 'адрес не разрешён',
  },
  'delivery_error.dns_failed': {
    en: 'the name was not found',
    hy: 'անունը չի գտնվել',
    ru: 'имя не найдено',
  },
  'delivery_error.connect_failed': {
    en: 'no connection',
    hy: 'կապ չկա',
    ru: 'нет соединения',
  },
  'delivery_error.connect_timeout': {
    en: 'no connection in time',
    hy: 'կապը ժամանակին չի հաստատվել',
    ru: 'соединение не установлено вовремя',
  },
  'delivery_error.tls_failed': {
    en: 'the certificate or TLS is wrong',
    hy: 'սերտիֆիկատը կամ TLS-ը սխալ է',
    ru: 'ошибка сертификата или TLS',
  },
  'delivery_error.timeout': {
    en: 'no response in time',
    hy: 'ժամանակին պատասխան չկա',
    ru: 'нет ответа вовремя',
  },
  'delivery_error.connection_reset': {
    en: 'the connection was broken off',
    hy: 'կապն ընդհատվել է',
    ru: 'соединение разорвано',
  },
  'delivery_error.response_invalid': {
    en: 'the response is not HTTP',
    hy: 'պատասխանը HTTP չէ',
    ru: 'ответ не соответствует HTTP',
  },
  'delivery_error.redirect': {
    en: 'redirects are not followed',
    hy: 'վերահղումները չեն կատարվում',
    ru: 'перенаправления не выполняются',
  },
  'delivery_error.planned': {
    en: 'counts as failed, as its test asked for',
    hy: 'համարվում է ձախողված՝ ըստ փորձարկման',
    ru: 'считается неудачной по условию теста',
  },
  'delivery_trigger.automatic': {
    en: 'The event itself',
    hy: 'Ինքը՝ իրադարձությունը',
    ru: 'Само событие',
  },
  'delivery_trigger.manual': {
    en: 'Sent again by hand',
    hy: 'Կրկին ուղարկված է ձեռքով',
    ru: 'Отправлено снова вручную',
  },
  'delivery_trigger.replay': {
    en: 'Replay',
    hy: 'Խմբային վերաուղարկում',
    ru: 'Повторная отправка группой',
  },
  'delivery_trigger.test': {
    en: 'Test',
    hy: 'Փորձարկում',
    ru: 'Тест',
  },
} as const satisfies Texts<Locale>;
