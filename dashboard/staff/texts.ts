/** The texts about people: signing in, the team, the account and the audit. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const STAFF = {
  'menu.team': {
    en: 'Team',
    hy: 'Թիմ',
    ru: 'Команда',
  },
  'menu.audit': {
    en: 'Audit',
    hy: 'Գործողությունների մատյան',
    ru: 'Журнал действий',
  },
  'field.new_password': {
    en: 'New password',
    hy: 'Նոր գաղտնաբառ',
    ru: 'Новый пароль',
  },
  'hint.password': {
    en: 'At least 12 characters.',
    hy: 'Առնվազն 12 նիշ։',
    ru: 'Не меньше 12 символов.',
  },
  'field.role': {
    en: 'Role',
    hy: 'Դեր',
    ru: 'Роль',
  },
  'field.merchant_name': {
    en: 'Name of the business, as customers see it',
    hy: 'Բիզնեսի անվանումը, որը տեսնում են գնորդները',
    ru: 'Название компании, которое видят покупатели',
  },
  'field.checkout_language': {
    en: 'Language of the checkout page',
    hy: 'Վճարման էջի լեզուն',
    ru: 'Язык страницы оплаты',
  },
  'sign_in.title': {
    en: 'Sign in',
    hy: 'Մուտք',
    ru: 'Вход',
  },
  'sign_in.button': {
    en: 'Sign in',
    hy: 'Մտնել',
    ru: 'Войти',
  },
  'sign_up.title': {
    en: 'Set up your business',
    hy: 'Գրանցեք ձեր բիզնեսը',
    ru: 'Зарегистрируйте свою компанию',
  },
  'join.title': {
    en: 'Join the team',
    hy: 'Միանալ թիմին',
    ru: 'Присоединиться к команде',
  },
  'join.as': {
    en: 'You join as',
    hy: 'Դուք միանում եք որպես',
    ru: 'Вы присоединяетесь как',
  },
  'join.button': {
    en: 'Continue',
    hy: 'Շարունակել',
    ru: 'Продолжить',
  },
  'team.fresh': {
    en: 'Send this link to the person. It works once, for 7 days, and is not shown again.',
    hy: 'Ուղարկեք այս հղումը հրավիրվածին։ Այն աշխատում է մեկ անգամ, 7 օր, և այլևս չի ցուցադրվի։',
    ru: 'Отправьте эту ссылку приглашённому. Она действует один раз, 7 дней, и больше показана не будет.',
  },
  'team.since': {
    en: 'Since',
    hy: 'Միացել է',
    ru: 'В команде с',
  },
  'team.invited': {
    en: 'Invited until',
    hy: 'Հրավերը գործում է մինչև',
    ru: 'Приглашение действует до',
  },
  'team.invite': {
    en: 'Invite a person',
    hy: 'Հրավիրել աշխատակցի',
    ru: 'Пригласить сотрудника',
  },
  'team.change_role': {
    en: 'Change the role',
    hy: 'Փոխել դերը',
    ru: 'Изменить роль',
  },
  'team.remove': {
    en: 'Remove from the team',
    hy: 'Հեռացնել թիմից',
    ru: 'Удалить из команды',
  },
  'role.owner': {
    en: 'Owner',
    hy: 'Սեփականատեր',
    ru: 'Владелец',
  },
  'role.developer': {
    en: 'Developer',
    hy: 'Ծրագրավորող',
    ru: 'Разработчик',
  },
  'role.support': {
    en: 'Support',
    hy: 'Աջակցում',
    ru: 'Поддержка',
  },
  'role.read_only': {
    en: 'Read-only',
    hy: 'Միայն դիտում',
    ru: 'Только просмотр',
  },
  'role_hint.owner': {
    en: 'everything, and the team',
    hy: 'ամեն ինչ, նաև թիմը',
    ru: 'всё, в том числе команда',
  },
  'role_hint.developer': {
    en: 'keys, webhooks, tests; refunds by API key',
    hy: 'բանալիներ, վեբհուքեր, փորձարկում, վերադարձ՝ API բանալիով',
    ru: 'ключи, вебхуки, тесты; возвраты по ключу API',
  },
  'role_hint.support': {
    en: 'payments and refunds',
    hy: 'վճարումներ և վերադարձներ',
    ru: 'платежи и возвраты',
  },
  'role_hint.read_only': {
    en: 'sees payments, changes nothing',
    hy: 'տեսնում է վճարումները, ոչինչ չի փոխում',
    ru: 'видит платежи, ничего не меняет',
  },
  'account.title': {
    en: 'Your account',
    hy: 'Ձեր հաշիվը',
    ru: 'Ваша учётная запись',
  },
  'account.language': {
    en: 'Language of these pages',
    hy: 'Այս էջերի լեզուն',
    ru: 'Язык этих страниц',
  },
  'account.password': {
    en: 'Password',
    hy: 'Գաղտնաբառ',
    ru: 'Пароль',
  },
  'account.change_password': {
    en: 'Change the password',
    hy: 'Փոխել գաղտնաբառը',
    ru: 'Изменить пароль',
  },
  'account.sessions': {
    en: 'Where you are signed in',
    hy: 'Որտեղ եք մուտք գործել',
    ru: 'Где выполнен вход',
  },
  'account.sessions_hint': {
    en: 'Signs you out in every other browser.',
    hy: 'Ձեզ դուրս է բերում մյուս բոլոր զննարկիչներից։',
    ru: 'Завершает ваш вход во всех других браузерах.',
  },
  'account.end_sessions': {
    en: 'Sign out everywhere else',
    hy: 'Դուրս գալ մյուս բոլոր տեղերից',
    ru: 'Выйти во всех других местах',
  },
  'audit.at': {
    en: 'Time',
    hy: 'Ժամանակ',
    ru: 'Время',
  },
  'audit.actor': {
    en: 'Who',
    hy: 'Ով',
    ru: 'Кто',
  },
  'audit.action': {
    en: 'What',
    hy: 'Ինչ',
    ru: 'Что',
  },
  'audit.change': {
    en: 'Change',
    hy: 'Փոփոխություն',
    ru: 'Изменение',
  },
  'done.role_changed': {
    en: 'The role is changed.',
    hy: 'Դերը փոխված է։',
    ru: 'Роль изменена.',
  },
  'done.user_removed': {
    en: 'The person is removed.',
    hy: 'Աշխատակիցը հեռացված է։',
    ru: 'Сотрудник удалён.',
  },
  'done.password_changed': {
    en: 'The password is changed, and you are signed out everywhere else.',
    hy: 'Գաղտնաբառը փոխված է, և դուք դուրս եք եկել մյուս բոլոր տեղերից։',
    ru: 'Пароль изменён, во всех других местах вход завершён.',
  },
  'done.sessions_ended': {
    en: 'You are signed out everywhere else.',
    hy: 'Դուք դուրս եք եկել մյուս բոլոր տեղերից։',
    ru: 'Во всех других местах вход завершён.',
  },
} as const satisfies Texts<Locale>;
