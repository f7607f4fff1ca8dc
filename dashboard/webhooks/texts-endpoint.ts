/** The texts about endpoints and their health. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const ENDPOINTS = {
  'menu.webhooks': {
    en: 'Webhooks',
    hy: 'Վեբհուքեր',
    ru: 'Вебхуки',
  },
  'hooks.empty': {
    en: 'No endpoint yet. Register the URL of your server that receives events.',
    hy: 'Դեռ հասցե չկա։ Գրանցեք ձեր սերվերի URL-ը, որը կստանա իրադարձությունները։',
    ru: 'Адресов пока нет. Зарегистрируйте URL вашего сервера, который принимает события.',
  },
  'hooks.endpoint': {
    en: 'Endpoint',
    hy: 'Հասցե',
    ru: 'Адрес',
  },
  'hooks.id': {
    en: 'Endpoint id',
    hy: 'Հասցեի ID',
    ru: 'ID адреса',
  },
  'hooks.create': {
    en: 'Register an endpoint',
    hy: 'Գրանցել հասցե',
    ru: 'Зарегистрировать адрес',
  },
  'hooks.url': {
    en: 'URL',
    hy: 'URL',
    ru: 'URL',
  },
  'hooks.url_hint': {
    en: 'A public address of your server, such as https://shop.example/webhooks.',
    hy: 'Ձեր սերվերի հանրային հասցեն, օրինակ՝ https://shop.example/webhooks։',
    ru: 'Общедоступный адрес вашего сервера, например https://shop.example/webhooks.',
  },
  'hooks.description': {
    en: 'Description',
    hy: 'Նկարագրություն',
    ru: 'Описание',
  },
  'hooks.events': {
    en: 'Events',
    hy: 'Իրադարձություններ',
    ru: 'События',
  },
  'hooks.event': {
    en: 'Event',
    hy: 'Իրադարձություն',
    ru: 'Событие',
  },
  'hooks.all_events': {
    en: 'All events, and types that are added later',
    hy: 'Բոլոր իրադարձությունները, նաև հետագայում ավելացվող տեսակները',
    ru: 'Все события, включая типы, которые появятся позже',
  },
  'hooks.all_of': {
    en: 'All of {family}*',
    hy: 'Բոլորը՝ {family}*',
    ru: 'Все {family}*',
  },
  'hooks.enabled': {
    en: 'Enabled',
    hy: 'Միացված է',
    ru: 'Включён',
  },
  'hooks.disabled': {
    en: 'Disabled',
    hy: 'Անջատված է',
    ru: 'Отключён',
  },
  'hooks.disabled_gone': {
    en: 'Disabled: it responded with 410',
    hy: 'Անջատված է․ պատասխանել է 410',
    ru: 'Отключён: ответил 410',
  },
  'hooks.disabled_failing': {
    en: 'Disabled: it failed for days',
    hy: 'Անջատված է․ օրերով չի ընդունել',
    ru: 'Отключён: несколько дней не принимал события',
  },
  'hooks.disabled_merchant': {
    en: 'Disabled by hand',
    hy: 'Անջատված է ձեռքով',
    ru: 'Отключён вручную',
  },
  'hooks.enable': {
    en: 'Enable the endpoint',
    hy: 'Միացնել հասցեն',
    ru: 'Включить адрес',
  },
  'hooks.enable_hint': {
    en: 'New events are sent again. What was missed can be sent afterwards.',
    hy: 'Նոր իրադարձությունները կրկին կուղարկվեն։ Բաց թողնվածը կարելի է ուղարկել հետո։',
    ru: 'Новые события снова будут отправляться. Пропущенные можно отправить после этого.',
  },
  'hooks.disable': {
    en: 'Disable the endpoint',
    hy: 'Անջատել հասցեն',
    ru: 'Отключить адрес',
  },
  'hooks.disable_hint': {
    en: 'Pending deliveries stop. Later events are kept as skipped, and can be sent once it is enabled.',
    hy: 'Սպասող առաքումները կկանգնեն։ Հետագա իրադարձությունները կպահվեն որպես բաց թողնված և կարող են ուղարկվել միացնելուց հետո։',
    ru: 'Ожидающие доставки остановятся. Следующие события сохранятся как пропущенные, их можно отправить после включения.',
  },
  'hooks.health': {
    en: 'The last day',
    hy: 'Վերջին 24 ժամը',
    ru: 'За последние сутки',
  },
  'hooks.last_success': {
    en: 'Last success',
    hy: 'Վերջին հաջող առաքումը',
    ru: 'Последняя успешная доставка',
  },
  'hooks.failing_since': {
    en: 'Failing since',
    hy: 'Չի ընդունում՝ սկսած',
    ru: 'Не принимает с',
  },
  'hooks.accepted': {
    en: 'Accepted',
    hy: 'Ընդունված',
    ru: 'Принято',
  },
  'hooks.median': {
    en: 'Median time to acceptance',
    hy: 'Ընդունման ժամանակի մեդիանը',
    ru: 'Медиана времени до приёма',
  },
  'hooks.quiet': {
    en: 'No deliveries in the last day.',
    hy: 'Վերջին 24 ժամում առաքումներ չեն եղել։',
    ru: 'За последние сутки доставок не было.',
  },
  'hooks.last_ones': {
    en: 'Of the last {count} deliveries:',
    hy: 'Վերջին {count} առաքումից՝',
    ru: 'Из последних доставок ({count}):',
  },
  'hooks.last_day': {
    en: 'Of all {count} deliveries in the last day:',
    hy: 'Վերջին 24 ժամվա բոլոր {count} առաքումից՝',
    ru: 'Из всех доставок за последние сутки ({count}):',
  },
  'hooks.counts': {
    en: '{succeeded} accepted, {failed} failed, {pending} waiting, {unsent} not sent.',
    hy: 'ընդունված՝ {succeeded}, ձախողված՝ {failed}, սպասում է՝ {pending}, չուղարկված՝ {unsent}։',
    ru: 'принято {succeeded}, не удалось {failed}, ожидает {pending}, не отправлено {unsent}.',
  },
  'hooks.deliveries': {
    en: 'Deliveries',
    hy: 'Առաքումներ',
    ru: 'Доставки',
  },
  'hooks.replays': {
    en: 'Send again',
    hy: 'Կրկին ուղարկել',
    ru: 'Отправить снова',
  },
  'hooks.fresh': {
    en: 'Copy the signing secret now. It is not shown again.',
    hy: 'Պատճենեք ստորագրման գաղտնի բանալին հիմա։ Այն այլևս չի ցուցադրվի։',
    ru: 'Скопируйте секрет подписи сейчас. Больше он показан не будет.',
  },
  'hooks.secret': {
    en: 'Signing secret',
    hy: 'Ստորագրման գաղտնի բանալի',
    ru: 'Секрет подписи',
  },
  'hooks.signs_until': {
    en: 'signs until',
    hy: 'ստորագրում է մինչև',
    ru: 'подписывает до',
  },
  'hooks.change': {
    en: 'Change the address, the description or the events',
    hy: 'Փոխել հասցեն, նկարագրությունը կամ իրադարձությունները',
    ru: 'Изменить адрес, описание или события',
  },
  'hooks.rotate': {
    en: 'Replace the secret',
    hy: 'Փոխարինել գաղտնի բանալին',
    ru: 'Заменить секрет',
  },
  'hooks.overlap': {
    en: 'The old secret still signs for',
    hy: 'Հին բանալին կստորագրի դեռ',
    ru: 'Старый секрет будет подписывать ещё',
  },
  'hooks.delete': {
    en: 'Delete the endpoint',
    hy: 'Ջնջել հասցեն',
    ru: 'Удалить адрес',
  },
  'hooks.delete_hint': {
    en: 'Its deliveries stop for good, and no later event is kept for it.',
    hy: 'Դրա առաքումները վերջնականապես կկանգնեն, և նոր իրադարձություններ դրա համար չեն պահվի։',
    ru: 'Его доставки остановятся навсегда, новые события для него не сохраняются.',
  },
  'hooks.delete_sure': {
    en: 'Yes, delete it for good',
    hy: 'Այո, ջնջել վերջնականապես',
    ru: 'Да, удалить навсегда',
  },
} as const satisfies Texts<Locale>;
