/** The texts that several pages share, in all languages. */
import type { Locale } from '../domain/merchant.ts';
import type { Texts } from '../ui/text.ts';

export const COMMON = {
  brand: {
    en: 'Tollgate',
    hy: 'Tollgate',
    ru: 'Tollgate',
  },
  skip: {
    en: 'Skip to the content',
    hy: 'Անցնել բովանդակությանը',
    ru: 'Перейти к содержимому',
  },
  'mode.test': {
    en: 'Test mode',
    hy: 'Փորձնական ռեժիմ',
    ru: 'Тестовый режим',
  },
  'menu.label': {
    en: 'Pages',
    hy: 'Էջեր',
    ru: 'Страницы',
  },
  'menu.home': {
    en: 'Overview',
    hy: 'Ամփոփում',
    ru: 'Обзор',
  },
  sign_out: {
    en: 'Sign out',
    hy: 'Դուրս գալ',
    ru: 'Выйти',
  },
  copy: {
    en: 'Copy',
    hy: 'Պատճենել',
    ru: 'Копировать',
  },
  copied: {
    en: 'Copied',
    hy: 'Պատճենված է',
    ru: 'Скопировано',
  },
  change: {
    en: 'Change',
    hy: 'Փոխել',
    ru: 'Изменить',
  },
  save: {
    en: 'Save',
    hy: 'Պահպանել',
    ru: 'Сохранить',
  },
  actions: {
    en: 'Actions',
    hy: 'Գործողություններ',
    ru: 'Действия',
  },
  none: {
    en: 'none',
    hy: 'չկա',
    ru: 'нет',
  },
  never: {
    en: 'never',
    hy: 'երբեք',
    ru: 'никогда',
  },
  'pager.label': {
    en: 'Pages of the list',
    hy: 'Ցանկի էջերը',
    ru: 'Страницы списка',
  },
  'pager.newest': {
    en: 'Newest',
    hy: 'Ամենանորերը',
    ru: 'Самые новые',
  },
  'pager.newer': {
    en: 'Newer',
    hy: 'Ավելի նոր',
    ru: 'Более новые',
  },
  'pager.older': {
    en: 'Older',
    hy: 'Ավելի հին',
    ru: 'Более старые',
  },
  'shortcuts.title': {
    en: 'Keyboard shortcuts',
    hy: 'Ստեղնային դյուրանցումներ',
    ru: 'Горячие клавиши',
  },
  'shortcuts.button': {
    en: 'Shortcuts',
    hy: 'Դյուրանցումներ',
    ru: 'Горячие клавиши',
  },
  'shortcuts.search': {
    en: 'Search',
    hy: 'Որոնել',
    ru: 'Поиск',
  },
  'shortcuts.move': {
    en: 'Next row, previous row',
    hy: 'Հաջորդ տողը, նախորդ տողը',
    ru: 'Следующая строка, предыдущая строка',
  },
  'shortcuts.open': {
    en: 'Open the row',
    hy: 'Բացել տողը',
    ru: 'Открыть строку',
  },
  'shortcuts.list': {
    en: 'This list',
    hy: 'Այս ցանկը',
    ru: 'Этот список',
  },
  'shortcuts.choose': {
    en: 'Go to: press the letter of a page',
    hy: 'Անցնել՝ սեղմեք էջի տառը',
    ru: 'Перейти: нажмите букву страницы',
  },
  'shortcuts.on': {
    en: 'Use shortcuts in this browser',
    hy: 'Օգտագործել դյուրանցումներն այս զննարկիչում',
    ru: 'Использовать горячие клавиши в этом браузере',
  },
  'shortcuts.close': {
    en: 'Close',
    hy: 'Փակել',
    ru: 'Закрыть',
  },
  'field.email': {
    en: 'E-mail address',
    hy: 'Էլ․ փոստի հասցե',
    ru: 'Адрес эл. почты',
  },
  'field.password': {
    en: 'Password',
    hy: 'Գաղտնաբառ',
    ru: 'Пароль',
  },
  'field.password_again': {
    en: 'Your password, to confirm',
    hy: 'Ձեր գաղտնաբառը՝ հաստատելու համար',
    ru: 'Ваш пароль для подтверждения',
  },
  'field.name': {
    en: 'Name',
    hy: 'Անվանում',
    ru: 'Название',
  },
  'done.saved': {
    en: 'Saved.',
    hy: 'Պահպանված է։',
    ru: 'Сохранено.',
  },
  'error.home': {
    en: 'To the first page',
    hy: 'Գլխավոր էջ',
    ru: 'На главную',
  },
  'error.missing.title': {
    en: 'Not found',
    hy: 'Չի գտնվել',
    ru: 'Не найдено',
  },
  'error.missing.text': {
    en: 'There is nothing at this address. A link works once: sign in, or ask for a new one.',
    hy: 'Այս հասցեում ոչինչ չկա։ Հղումն աշխատում է մեկ անգամ․ մուտք գործեք կամ խնդրեք նոր հղում։',
    ru: 'По этому адресу ничего нет. Ссылка действует один раз: войдите или попросите новую.',
  },
  'error.forbidden.title': {
    en: 'Not allowed',
    hy: 'Չի թույլատրվում',
    ru: 'Не разрешено',
  },
  'error.forbidden.text': {
    en: 'Your role does not allow this, or the form has expired. Load the page again.',
    hy: 'Ձեր դերը դա թույլ չի տալիս, կամ էջը հնացել է։ Կրկին բեռնեք այն։',
    ru: 'Ваша роль этого не позволяет, или страница устарела. Загрузите её заново.',
  },
  'error.unavailable.title': {
    en: 'Not available just now',
    hy: 'Այս պահին հասանելի չէ',
    ru: 'Сейчас недоступно',
  },
  'error.unavailable.text': {
    en: 'Wait a few seconds, and try again. Nothing was lost.',
    hy: 'Սպասեք մի քանի վայրկյան և կրկին փորձեք։ Ոչինչ չի կորել։',
    ru: 'Подождите несколько секунд и попробуйте ещё раз. Ничего не потеряно.',
  },
  'error.form.title': {
    en: 'This form cannot be read',
    hy: 'Տվյալները հնարավոր չեղավ կարդալ',
    ru: 'Не удалось прочитать данные',
  },
  'error.form.text': {
    en: 'Go back, load the page again, and send the form once more.',
    hy: 'Վերադարձեք, կրկին բեռնեք էջը և նորից լրացրեք տվյալները։',
    ru: 'Вернитесь, загрузите страницу заново и заполните форму ещё раз.',
  },
  'error.fault.title': {
    en: 'Something failed on our side',
    hy: 'Մեր համակարգում սխալ է տեղի ունեցել',
    ru: 'На нашей стороне произошёл сбой',
  },
  'error.fault.text': {
    en: 'Try again. If it fails again, tell the operator the time.',
    hy: 'Կրկին փորձեք։ Եթե նորից չստացվի, օպերատորին հայտնեք ժամը։',
    ru: 'Попробуйте ещё раз. Если снова не получится, сообщите оператору время.',
  },
} as const satisfies Texts<Locale>;
