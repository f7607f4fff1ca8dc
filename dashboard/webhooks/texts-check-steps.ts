/** The texts for each request of a check. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const CHECK_STEPS = {
  'check_step.completed': {
    en: 'payment.completed',
    hy: 'payment.completed',
    ru: 'payment.completed',
  },
  'check_step.wrong_secret': {
    en: 'Signed with another secret',
    hy: 'Ստորագրված է այլ բանալիով',
    ru: 'Подписано другим секретом',
  },
  'check_step.wrong_secret_own': {
    en: 'Signed with another secret, Service-Signature alone',
    hy: 'Ստորագրված է այլ բանալիով, միայն Service-Signature',
    ru: 'Подписано другим секретом, только Service-Signature',
  },
  'check_step.wrong_secret_standard': {
    en: 'Signed with another secret, webhook-signature alone',
    hy: 'Ստորագրված է այլ բանալիով, միայն webhook-signature',
    ru: 'Подписано другим секретом, только webhook-signature',
  },
  'check_step.no_headers': {
    en: 'No signature headers',
    hy: 'Առանց ստորագրության վերնագրերի',
    ru: 'Без заголовков подписи',
  },
  'check_step.no_timestamps': {
    en: 'No timestamps',
    hy: 'Առանց ժամանակի նշումների',
    ru: 'Без меток времени',
  },
  'check_step.empty_signatures': {
    en: 'Empty signatures',
    hy: 'Դատարկ ստորագրություններ',
    ru: 'Пустые подписи',
  },
  'check_step.empty_key': {
    en: 'Signed with an empty key',
    hy: 'Ստորագրված է դատարկ բանալիով',
    ru: 'Подписано пустым ключом',
  },
  'check_step.changed_digit': {
    en: 'One digit of the amount changed',
    hy: 'Գումարի մեկ թվանշանը փոխված է',
    ru: 'Изменена одна цифра суммы',
  },
  'check_step.cut_own': {
    en: 'Service-Signature cut to 4 characters',
    hy: 'Service-Signature-ը կրճատված է մինչև 4 նիշ',
    ru: 'Service-Signature обрезана до 4 символов',
  },
  'check_step.cut_standard': {
    en: 'webhook-signature cut to 4 characters',
    hy: 'webhook-signature-ը կրճատված է մինչև 4 նիշ',
    ru: 'webhook-signature обрезана до 4 символов',
  },
  'check_step.cut_half': {
    en: 'Both signatures cut to their first half',
    hy: 'Երկու ստորագրությունները կրճատված են կիսով չափ',
    ru: 'Обе подписи обрезаны до первой половины',
  },
  'check_step.other_id': {
    en: 'webhook-signature alone, with the webhook-id of another event',
    hy: 'Միայն webhook-signature, այլ իրադարձության webhook-id-ով',
    ru: 'Только webhook-signature, с webhook-id другого события',
  },
  'check_step.old_edge': {
    en: 'Signed 301 seconds ago',
    hy: 'Ստորագրված է 301 վայրկյան առաջ',
    ru: 'Подписано 301 секунду назад',
  },
  'check_step.old': {
    en: 'Signed an hour ago',
    hy: 'Ստորագրված է մեկ ժամ առաջ',
    ru: 'Подписано час назад',
  },
  'check_step.old_own': {
    en: 'Service-Signature of an hour ago, webhook-timestamp of now',
    hy: 'Մեկ ժամ առաջվա Service-Signature, ներկա webhook-timestamp',
    ru: 'Service-Signature часовой давности, webhook-timestamp текущий',
  },
  'check_step.old_standard': {
    en: 'webhook-signature of an hour ago, Service-Timestamp of now',
    hy: 'Մեկ ժամ առաջվա webhook-signature, ներկա Service-Timestamp',
    ru: 'webhook-signature часовой давности, Service-Timestamp текущий',
  },
  'check_step.future_edge': {
    en: 'Signed 360 seconds ahead',
    hy: 'Ժամանակի նշումը 360 վայրկյանով առաջ է ներկայից',
    ru: 'Подписано на 360 секунд вперёд',
  },
  'check_step.future': {
    en: 'Signed an hour ahead',
    hy: 'Ժամանակի նշումը մեկ ժամով առաջ է ներկայից',
    ru: 'Подписано на час вперёд',
  },
  'check_step.own_alone': {
    en: 'Service-Signature alone',
    hy: 'Միայն Service-Signature',
    ru: 'Только Service-Signature',
  },
  'check_step.standard_alone': {
    en: 'webhook-signature alone',
    hy: 'Միայն webhook-signature',
    ru: 'Только webhook-signature',
  },
  'check_step.unknown_first': {
    en: 'Two unknown signatures before the right one',
    hy: 'Երկու անծանոթ ստորագրություն ճիշտից առաջ',
    ru: 'Две неизвестные подписи перед верной',
  },
  'check_step.unknown_last': {
    en: 'One unknown signature after the right one',
    hy: 'Մեկ անծանոթ ստորագրություն ճիշտից հետո',
    ru: 'Одна неизвестная подпись после верной',
  },
  'check_step.same': {
    en: 'The same event',
    hy: 'Նույն իրադարձությունը',
    ru: 'То же событие',
  },
  'check_step.same_again': {
    en: 'The same event once more',
    hy: 'Նույն իրադարձությունը ևս մեկ անգամ',
    ru: 'То же событие ещё раз',
  },
  'check_step.refund_first': {
    en: 'refund.completed',
    hy: 'refund.completed',
    ru: 'refund.completed',
  },
  'check_step.payment_after': {
    en: 'payment.completed of the same payment',
    hy: 'Նույն վճարման payment.completed',
    ru: 'payment.completed того же платежа',
  },
  'check_step.future_type': {
    en: 'payment.of_the_future',
    hy: 'payment.of_the_future',
    ru: 'payment.of_the_future',
  },
  'check_step.scripts': {
    en: 'Armenian, Cyrillic, an emoji, quotes',
    hy: 'Հայերեն և կիրիլիկ տառեր, էմոջի, չակերտներ',
    ru: 'Армянские буквы, кириллица, эмодзи, кавычки',
  },
  'check_step.large': {
    en: 'A body of 26 KB',
    hy: '26 ԿԲ մարմին',
    ru: 'Тело размером 26 КБ',
  },
  'check_step.respelled': {
    en: 'The same JSON, written with spaces',
    hy: 'Նույն JSON-ը՝ բացատներով',
    ru: 'Тот же JSON, записанный с пробелами',
  },
  'check_step.get': {
    en: 'GET, unsigned',
    hy: 'GET՝ առանց ստորագրության',
    ru: 'GET без подписи',
  },
  'check_step.slowest': {
    en: 'The slowest accepted delivery',
    hy: 'Ընդունված առաքումներից ամենադանդաղը',
    ru: 'Самая медленная из принятых доставок',
  },
} as const satisfies Texts<Locale>;
