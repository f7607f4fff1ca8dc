/** The texts about sending many events again. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const REPLAYS = {
  'replay.deliveries': {
    en: 'Send what was not accepted',
    hy: 'Ուղարկել չընդունվածը',
    ru: 'Отправить непринятое',
  },
  'replay.events': {
    en: 'Replay events',
    hy: 'Վերաուղարկել իրադարձությունները',
    ru: 'Повторить события',
  },
  'replay.deliveries_hint': {
    en: 'Each event that the endpoint has not accepted is sent once more, oldest first.',
    hy: 'Յուրաքանչյուր իրադարձություն, որը հասցեն չի ընդունել, կուղարկվի ևս մեկ անգամ՝ ամենահնից սկսած։',
    ru: 'Каждое событие, которое адрес не принял, отправляется ещё раз, начиная с самого старого.',
  },
  'replay.events_hint': {
    en: 'Every event of the window is sent again, even if the endpoint has accepted it before.',
    hy: 'Միջակայքի բոլոր իրադարձությունները կրկին կուղարկվեն, նույնիսկ եթե հասցեն դրանք արդեն ընդունել է։',
    ru: 'Все события промежутка отправляются снова, даже если адрес их уже принял.',
  },
  'replay.counted': {
    en: '{total, plural, one {# event would be sent} other {# events would be sent}}; {left} left out.',
    hy: 'Կուղարկվի {total} իրադարձություն, դուրս կմնա {left}։',
    ru: '{total, plural, one {Будет отправлено # событие} few {Будет отправлено # события} other {Будет отправлено # событий}}; не войдёт: {left}.',
  },
  'replay.disabled': {
    en: 'The endpoint is disabled. Enable it to send events again.',
    hy: 'Հասցեն անջատված է։ Միացրեք այն՝ իրադարձությունները կրկին ուղարկելու համար։',
    ru: 'Адрес отключён. Включите его, чтобы отправить события снова.',
  },
  'replay.start': {
    en: 'Start',
    hy: 'Սկսել',
    ru: 'Начать',
  },
  'replay.count': {
    en: 'Only count',
    hy: 'Միայն հաշվել',
    ru: 'Только посчитать',
  },
  'replay.since': {
    en: 'From (UTC)',
    hy: 'Սկսած (UTC)',
    ru: 'С (UTC)',
  },
  'replay.until': {
    en: 'Until (UTC)',
    hy: 'Մինչև (UTC)',
    ru: 'До (UTC)',
  },
  'replay.period': {
    en: 'Period',
    hy: 'Ժամանակահատված',
    ru: 'Период',
  },
  'replay.until_hint': {
    en: 'Leave it empty for now.',
    hy: 'Թողեք դատարկ՝ մինչև այս պահը։',
    ru: 'Оставьте пустым: до текущего момента.',
  },
  'replay.started': {
    en: 'Started',
    hy: 'Սկսվել է',
    ru: 'Начата',
  },
  'replay.kind': {
    en: 'Kind',
    hy: 'Տեսակ',
    ru: 'Вид',
  },
  'replay.status': {
    en: 'State',
    hy: 'Վիճակ',
    ru: 'Состояние',
  },
  'replay.progress': {
    en: 'Progress',
    hy: 'Ընթացք',
    ru: 'Ход',
  },
  'replay.sent': {
    en: '{sent} of {total}',
    hy: '{total}-ից՝ {sent}',
    ru: '{sent} из {total}',
  },
  'replay.what': {
    en: 'Selected',
    hy: 'Ընտրված է',
    ru: 'Выбрано',
  },
  'replay.rate': {
    en: 'Deliveries a second',
    hy: 'Առաքում վայրկյանում',
    ru: 'Доставок в секунду',
  },
  'replay.stop': {
    en: 'Stop',
    hy: 'Կանգնեցնել',
    ru: 'Остановить',
  },
  'replay.stop_hint': {
    en: 'Nothing more of it is sent, not even what waits for a retry.',
    hy: 'Մնացածը չի ուղարկվի, նույնիսկ այն, ինչ սպասում է կրկնակի փորձի։',
    ru: 'Оставшееся не будет отправлено, даже то, что ждёт повторной попытки.',
  },
  'replay.refresh': {
    en: 'Refresh',
    hy: 'Թարմացնել',
    ru: 'Обновить',
  },
  'replay_status.running': {
    en: 'Running',
    hy: 'Ընթանում է',
    ru: 'Выполняется',
  },
  'replay_status.completed': {
    en: 'Completed',
    hy: 'Ավարտված է',
    ru: 'Завершена',
  },
  'replay_status.stopped': {
    en: 'Stopped',
    hy: 'Կանգնեցված է',
    ru: 'Остановлена',
  },
  'done.replay_empty': {
    en: 'There is nothing to send in that window.',
    hy: 'Այդ միջակայքում ուղարկելու բան չկա։',
    ru: 'В этом промежутке отправлять нечего.',
  },
  'done.replay_stopped': {
    en: 'It is stopped.',
    hy: 'Կանգնեցված է։',
    ru: 'Остановлено.',
  },
} as const satisfies Texts<Locale>;
