/** The texts about API keys. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const KEYS = {
  'menu.keys': {
    en: 'API keys',
    hy: 'API բանալիներ',
    ru: 'Ключи API',
  },
  'keys.fresh': {
    en: 'Copy the key now. It is not shown again.',
    hy: 'Պատճենեք բանալին հիմա։ Այն այլևս չի ցուցադրվի։',
    ru: 'Скопируйте ключ сейчас. Больше он показан не будет.',
  },
  'keys.try': {
    en: 'This command creates a payment with it. Open its checkout_url to pay.',
    hy: 'Այս հրամանը բանալիով վճարում է ստեղծում։ Վճարելու համար բացեք դրա checkout_url-ը։',
    ru: 'Эта команда создаёт с ним платёж. Чтобы оплатить, откройте его checkout_url.',
  },
  'keys.none': {
    en: 'No keys yet.',
    hy: 'Դեռ բանալիներ չկան։',
    ru: 'Ключей пока нет.',
  },
  'keys.key': {
    en: 'Key',
    hy: 'Բանալի',
    ru: 'Ключ',
  },
  'keys.created': {
    en: 'Created',
    hy: 'Ստեղծված է',
    ru: 'Создан',
  },
  'keys.last_used': {
    en: 'Last used',
    hy: 'Վերջին օգտագործումը',
    ru: 'Последнее использование',
  },
  'keys.state': {
    en: 'State',
    hy: 'Վիճակ',
    ru: 'Состояние',
  },
  'keys.active': {
    en: 'Active',
    hy: 'Գործում է',
    ru: 'Действует',
  },
  'keys.revoked': {
    en: 'Revoked',
    hy: 'Չեղարկված է',
    ru: 'Отозван',
  },
  'keys.ends': {
    en: 'Works until',
    hy: 'Գործում է մինչև',
    ru: 'Действует до',
  },
  'keys.ended': {
    en: 'Ended',
    hy: 'Ժամկետը լրացել է',
    ru: 'Истёк',
  },
  'keys.create': {
    en: 'Create a key',
    hy: 'Ստեղծել բանալի',
    ru: 'Создать ключ',
  },
  'keys.name_hint': {
    en: 'For example the server that uses the key.',
    hy: 'Օրինակ՝ սերվերը, որն օգտագործում է բանալին։',
    ru: 'Например, сервер, который использует ключ.',
  },
  'keys.overlap': {
    en: 'The old key still works for',
    hy: 'Հին բանալին կգործի դեռ',
    ru: 'Старый ключ будет работать ещё',
  },
  'keys.roll': {
    en: 'Replace the key',
    hy: 'Փոխարինել բանալին',
    ru: 'Заменить ключ',
  },
  'keys.revoke': {
    en: 'Revoke the key now',
    hy: 'Չեղարկել բանալին հիմա',
    ru: 'Отозвать ключ сейчас',
  },
  'keys.revoke_hint': {
    en: 'Requests with this key are refused from that moment.',
    hy: 'Այդ պահից այս բանալիով հարցումները կմերժվեն։',
    ru: 'С этого момента запросы с этим ключом отклоняются.',
  },
  'overlap.0': {
    en: 'no time',
    hy: 'ոչ մի րոպե',
    ru: 'ни минуты',
  },
  'overlap.1h': {
    en: '1 hour',
    hy: '1 ժամ',
    ru: '1 час',
  },
  'overlap.24h': {
    en: '24 hours',
    hy: '24 ժամ',
    ru: '24 часа',
  },
  'overlap.7d': {
    en: '7 days',
    hy: '7 օր',
    ru: '7 дней',
  },
  'done.key_revoked': {
    en: 'The key is revoked.',
    hy: 'Բանալին չեղարկված է։',
    ru: 'Ключ отозван.',
  },
} as const satisfies Texts<Locale>;
