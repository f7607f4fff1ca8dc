/** The actions of the audit in words. */
import type { Action } from '../../domain/audit.ts';
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const ACTS = {
  'act.merchant.create': {
    en: 'Business created',
    hy: 'Բիզնեսը ստեղծվել է',
    ru: 'Компания создана',
  },
  'act.merchant.invite': {
    en: 'Link for a new business created',
    hy: 'Նոր բիզնեսի հղում է ստեղծվել',
    ru: 'Создана ссылка для новой компании',
  },
  'act.merchant.update': {
    en: 'Settings changed',
    hy: 'Կարգավորումները փոխվել են',
    ru: 'Настройки изменены',
  },
  'act.user.invite': {
    en: 'Person invited',
    hy: 'Աշխատակից է հրավիրվել',
    ru: 'Сотрудник приглашён',
  },
  'act.user.withdraw_invite': {
    en: 'Invitation withdrawn',
    hy: 'Հրավերը չեղարկվել է',
    ru: 'Приглашение отозвано',
  },
  'act.user.join': {
    en: 'Joined the team',
    hy: 'Միացել է թիմին',
    ru: 'Вступление в команду',
  },
  'act.user.update': {
    en: 'Role changed',
    hy: 'Դերը փոխվել է',
    ru: 'Роль изменена',
  },
  'act.user.remove': {
    en: 'Removed from the team',
    hy: 'Հեռացվել է թիմից',
    ru: 'Удаление из команды',
  },
  'act.user.sign_in': {
    en: 'Signed in',
    hy: 'Մուտք է գործել',
    ru: 'Вход',
  },
  'act.user.change_password': {
    en: 'Password changed',
    hy: 'Գաղտնաբառը փոխվել է',
    ru: 'Пароль изменён',
  },
  'act.user.create_reset': {
    en: 'Link for a new password created',
    hy: 'Նոր գաղտնաբառի հղում է ստեղծվել',
    ru: 'Создана ссылка для нового пароля',
  },
  'act.user.reset_password': {
    en: 'New password set by link',
    hy: 'Հղումով նոր գաղտնաբառ է սահմանվել',
    ru: 'Новый пароль задан по ссылке',
  },
  'act.user.enable_second_step': {
    en: 'Authenticator app turned on',
    hy: 'Նույնականացման հավելվածը միացվել է',
    ru: 'Приложение для аутентификации подключено',
  },
  'act.user.disable_second_step': {
    en: 'Authenticator app turned off',
    hy: 'Նույնականացման հավելվածն անջատվել է',
    ru: 'Приложение для аутентификации отключено',
  },
  'act.user.renew_recovery_codes': {
    en: 'New recovery codes created',
    hy: 'Վերականգնման նոր կոդեր են ստեղծվել',
    ru: 'Созданы новые коды восстановления',
  },
  'act.user.add_passkey': {
    en: 'Passkey added',
    hy: 'Մուտքի բանալի է ավելացվել',
    ru: 'Ключ доступа добавлен',
  },
  'act.user.remove_passkey': {
    en: 'Passkey removed',
    hy: 'Մուտքի բանալին հեռացվել է',
    ru: 'Ключ доступа удалён',
  },
  'act.key.create': {
    en: 'API key created',
    hy: 'API բանալի է ստեղծվել',
    ru: 'Ключ API создан',
  },
  'act.key.roll': {
    en: 'API key replaced',
    hy: 'API բանալին փոխարինվել է',
    ru: 'Ключ API заменён',
  },
  'act.key.revoke': {
    en: 'API key revoked',
    hy: 'API բանալին չեղարկվել է',
    ru: 'Ключ API отозван',
  },
  'act.endpoint.create': {
    en: 'Endpoint registered',
    hy: 'Հասցե է գրանցվել',
    ru: 'Адрес зарегистрирован',
  },
  'act.endpoint.update': {
    en: 'Endpoint changed',
    hy: 'Հասցեն փոխվել է',
    ru: 'Адрес изменён',
  },
  'act.endpoint.enable': {
    en: 'Endpoint enabled',
    hy: 'Հասցեն միացվել է',
    ru: 'Адрес включён',
  },
  'act.endpoint.disable': {
    en: 'Endpoint disabled',
    hy: 'Հասցեն անջատվել է',
    ru: 'Адрес отключён',
  },
  'act.endpoint.delete': {
    en: 'Endpoint deleted',
    hy: 'Հասցեն ջնջվել է',
    ru: 'Адрес удалён',
  },
  'act.endpoint.rotate_secret': {
    en: 'Signing secret replaced',
    hy: 'Ստորագրման գաղտնի բանալին փոխարինվել է',
    ru: 'Секрет подписи заменён',
  },
  'act.endpoint.ping': {
    en: 'Test event sent',
    hy: 'Փորձնական իրադարձություն է ուղարկվել',
    ru: 'Отправлено тестовое событие',
  },
  'act.endpoint.example': {
    en: 'Example event sent',
    hy: 'Իրադարձության օրինակ է ուղարկվել',
    ru: 'Отправлен пример события',
  },
  'act.endpoint.check': {
    en: 'Receiver checked',
    hy: 'Մշակիչը ստուգվել է',
    ru: 'Обработчик проверен',
  },
  'act.payment.advance': {
    en: 'Time of a test payment moved',
    hy: 'Փորձնական վճարման ժամանակն առաջ է տրվել',
    ru: 'Время тестового платежа переведено вперёд',
  },
  'act.payment.cancel': {
    en: 'Payment canceled',
    hy: 'Վճարումը չեղարկվել է',
    ru: 'Платёж отменён',
  },
  'act.payment.update': {
    en: 'Payment changed',
    hy: 'Վճարումը փոխվել է',
    ru: 'Платёж изменён',
  },
  'act.refund.create': {
    en: 'Refund requested',
    hy: 'Վերադարձի հայտ է տրվել',
    ru: 'Возврат запрошен',
  },
  'act.delivery.resend': {
    en: 'Delivery sent again',
    hy: 'Առաքումը կրկին ուղարկվել է',
    ru: 'Доставка отправлена снова',
  },
  'act.replay.start': {
    en: 'Sending of events again started',
    hy: 'Իրադարձությունների վերաուղարկումն սկսվել է',
    ru: 'Повторная отправка событий начата',
  },
  'act.replay.stop': {
    en: 'Sending of events again stopped',
    hy: 'Իրադարձությունների վերաուղարկումը կանգնեցվել է',
    ru: 'Повторная отправка событий остановлена',
  },
  'act.encryption_key.rotate': {
    en: 'Encryption key replaced',
    hy: 'Գաղտնագրման բանալին փոխարինվել է',
    ru: 'Ключ шифрования заменён',
  },
  'act.encryption_key.reseal': {
    en: 'Secrets encrypted with the new key',
    hy: 'Գաղտնիքները գաղտնագրվել են նոր բանալիով',
    ru: 'Секреты зашифрованы новым ключом',
  },
} as const satisfies Texts<Locale> & Readonly<Record<`act.${Action}`, unknown>>;
