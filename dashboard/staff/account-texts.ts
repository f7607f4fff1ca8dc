/** The texts about a user's own account: the second step, sessions and new passwords. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const ACCOUNT = {
  'field.code': {
    en: 'Code',
    hy: 'Կոդ',
    ru: 'Код',
  },
  'hint.code': {
    en: 'Six digits from your authenticator app, or one of your recovery codes.',
    hy: 'Վեց թվանշան նույնականացման հավելվածից կամ վերականգնման կոդերից մեկը։',
    ru: 'Шесть цифр из приложения для аутентификации или один из кодов восстановления.',
  },
  'code.title': {
    en: 'Second step',
    hy: 'Երկքայլ հաստատում',
    ru: 'Двухэтапная аутентификация',
  },
  'code.back': {
    en: 'Sign in as somebody else',
    hy: 'Մուտք գործել այլ հաշվով',
    ru: 'Войти в другую учётную запись',
  },
  'reset.title': {
    en: 'Set a new password',
    hy: 'Նոր գաղտնաբառ',
    ru: 'Новый пароль',
  },
  'reset.of': {
    en: 'Account:',
    hy: 'Հաշիվ՝',
    ru: 'Учётная запись:',
  },
  'reset.button': {
    en: 'Set the password',
    hy: 'Պահպանել գաղտնաբառը',
    ru: 'Сохранить пароль',
  },
  'team.fresh_reset': {
    en: 'Send this link to the person, who sets a new password with it. It works once, for 24 hours, and is not shown again.',
    hy: 'Ուղարկեք այս հղումը աշխատակցին, որպեսզի նա նոր գաղտնաբառ սահմանի։ Այն աշխատում է մեկ անգամ, 24 ժամ, և այլևս չի ցուցադրվի։',
    ru: 'Отправьте эту ссылку сотруднику, чтобы он задал новый пароль. Она действует один раз, 24 часа, и больше показана не будет.',
  },
  'team.reset': {
    en: 'Create a link for a new password',
    hy: 'Ստեղծել նոր գաղտնաբառի հղում',
    ru: 'Создать ссылку для нового пароля',
  },
  'team.reset_second_step': {
    en: 'Also turn off the second step and remove the passkeys: the phone is lost, or a stranger had it',
    hy: 'Նաև անջատել երկքայլ հաստատումը և ջնջել մուտքի բանալիները․ հեռախոսը կորել է կամ եղել է օտարի ձեռքում',
    ru: 'Также отключить двухэтапную аутентификацию и удалить ключи доступа: телефон утерян или побывал в чужих руках',
  },
  'team.withdraw': {
    en: 'Withdraw the invitation',
    hy: 'Չեղարկել հրավերը',
    ru: 'Отозвать приглашение',
  },
  'second_step.title': {
    en: 'Second step',
    hy: 'Երկքայլ հաստատում',
    ru: 'Двухэтапная аутентификация',
  },
  'second_step.app': {
    en: 'app',
    hy: 'հավելված',
    ru: 'приложение',
  },
  'second_step.passkey': {
    en: 'passkey',
    hy: 'մուտքի բանալի',
    ru: 'ключ доступа',
  },
  'second_step.is_on': {
    en: 'You sign in with your password and a code of your authenticator app. Recovery codes left: {left}.',
    hy: 'Դուք մուտք եք գործում գաղտնաբառով և նույնականացման հավելվածի կոդով։ Մնացել է վերականգնման կոդ՝ {left}։',
    ru: 'Для входа нужны пароль и код из приложения для аутентификации. Осталось кодов восстановления: {left}.',
  },
  'second_step.is_off': {
    en: 'With an authenticator app on your phone, a stolen password is not enough to sign in.',
    hy: 'Եթե միացնեք նույնականացման հավելվածը, գողացված գաղտնաբառը բավարար չի լինի մուտք գործելու համար։',
    ru: 'Если подключить приложение для аутентификации, украденного пароля будет недостаточно для входа.',
  },
  'second_step.set_up': {
    en: 'Set up an authenticator app',
    hy: 'Կարգավորել նույնականացման հավելված',
    ru: 'Настроить приложение для аутентификации',
  },
  'second_step.scan': {
    en: 'Scan this code with your authenticator app.',
    hy: 'Սկանավորեք այս կոդը նույնականացման հավելվածով։',
    ru: 'Отсканируйте этот код приложением для аутентификации.',
  },
  'second_step.qr': {
    en: 'QR code for the authenticator app',
    hy: 'QR կոդ նույնականացման հավելվածի համար',
    ru: 'QR-код для приложения для аутентификации',
  },
  'second_step.type': {
    en: 'If you cannot scan it, enter this key:',
    hy: 'Եթե չեք կարող սկանավորել, մուտքագրեք այս բանալին՝',
    ru: 'Если отсканировать нельзя, введите этот ключ:',
  },
  'second_step.turn_on': {
    en: 'Turn on',
    hy: 'Միացնել',
    ru: 'Включить',
  },
  'second_step.turn_off': {
    en: 'Turn off',
    hy: 'Անջատել',
    ru: 'Отключить',
  },
  'second_step.cancel': {
    en: 'Cancel',
    hy: 'Չեղարկել',
    ru: 'Отмена',
  },
  'second_step.renew': {
    en: 'New recovery codes',
    hy: 'Նոր վերականգնման կոդեր',
    ru: 'Новые коды восстановления',
  },
  'second_step.codes': {
    en: 'Recovery codes',
    hy: 'Վերականգնման կոդեր',
    ru: 'Коды восстановления',
  },
  'second_step.codes_hint': {
    en: 'The second step is on. Keep these codes in a safe place: each one signs you in once if you lose your phone. They are not shown again.',
    hy: 'Երկքայլ հաստատումը միացված է։ Պահեք այս կոդերն ապահով տեղում․ եթե կորցնեք հեռախոսը, յուրաքանչյուրով կարող եք մեկ անգամ մուտք գործել։ Դրանք այլևս չեն ցուցադրվի։',
    ru: 'Двухэтапная аутентификация включена. Храните эти коды в надёжном месте: если вы потеряете телефон, с каждым из них можно войти один раз. Больше они показаны не будут.',
  },
  'second_step.codes_kept': {
    en: 'I have kept them',
    hy: 'Կոդերը պահել եմ',
    ru: 'Коды сохранены',
  },
  'sessions.browser': {
    en: 'Browser',
    hy: 'Զննարկիչ',
    ru: 'Браузер',
  },
  'sessions.since': {
    en: 'Signed in',
    hy: 'Մուտքը',
    ru: 'Вход',
  },
  'sessions.seen': {
    en: 'Last used',
    hy: 'Վերջին օգտագործումը',
    ru: 'Последнее использование',
  },
  'sessions.this': {
    en: 'this browser',
    hy: 'այս զննարկիչը',
    ru: 'этот браузер',
  },
  'sessions.unknown': {
    en: 'unknown',
    hy: 'անհայտ',
    ru: 'неизвестен',
  },
  'sessions.end': {
    en: 'Sign out',
    hy: 'Ավարտել',
    ru: 'Завершить',
  },
  'done.session_ended': {
    en: 'The browser is signed out.',
    hy: 'Այդ զննարկիչում մուտքն ավարտված է։',
    ru: 'В том браузере вход завершён.',
  },
  'done.second_step_off': {
    en: 'The second step is off, and you are signed out everywhere else.',
    hy: 'Երկքայլ հաստատումն անջատված է, և դուք դուրս եք եկել մյուս բոլոր տեղերից։',
    ru: 'Двухэтапная аутентификация отключена, во всех других местах вход завершён.',
  },
  'done.password_reset': {
    en: 'The new password is set. Sign in with it.',
    hy: 'Նոր գաղտնաբառը պահպանված է։ Մուտք գործեք դրանով։',
    ru: 'Новый пароль сохранён. Войдите с ним.',
  },
  'done.invite_withdrawn': {
    en: 'The invitation is withdrawn.',
    hy: 'Հրավերը չեղարկված է։',
    ru: 'Приглашение отозвано.',
  },
  'passkey.title': {
    en: 'Passkeys',
    hy: 'Մուտքի բանալիներ (passkeys)',
    ru: 'Ключи доступа',
  },
  'passkey.hint': {
    en: 'Sign in with your fingerprint, your face or the PIN of your device, without a password and without a code.',
    hy: 'Մուտք գործեք մատնահետքով, դեմքով կամ սարքի PIN կոդով՝ առանց գաղտնաբառի և առանց կոդի։',
    ru: 'Входите по отпечатку пальца, лицу или PIN-коду устройства, без пароля и без кода.',
  },
  'passkey.add': {
    en: 'Add a passkey',
    hy: 'Ավելացնել մուտքի բանալի',
    ru: 'Добавить ключ доступа',
  },
  'passkey.remove': {
    en: 'Remove',
    hy: 'Հեռացնել',
    ru: 'Удалить',
  },
  'passkey.made_in': {
    en: 'Added with',
    hy: 'Զննարկիչ',
    ru: 'Браузер',
  },
  'passkey.created': {
    en: 'Added',
    hy: 'Ավելացվել է',
    ru: 'Добавлен',
  },
  'passkey.sign_in': {
    en: 'Sign in with a passkey',
    hy: 'Մտնել մուտքի բանալիով',
    ru: 'Войти с ключом доступа',
  },
  'done.passkey_added': {
    en: 'The passkey is added.',
    hy: 'Մուտքի բանալին ավելացված է։',
    ru: 'Ключ доступа добавлен.',
  },
  'done.passkey_removed': {
    en: 'The passkey is removed. You may also delete it on your device.',
    hy: 'Մուտքի բանալին հեռացված է։ Կարող եք այն ջնջել նաև ձեր սարքից։',
    ru: 'Ключ доступа удалён. Его можно удалить и на устройстве.',
  },
} as const satisfies Texts<Locale>;
