/** The texts about a second step for everybody on the team. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const REQUIREMENT = {
  'requirement.title': {
    en: 'Second step for everybody',
    hy: 'Երկքայլ հաստատում բոլորի համար',
    ru: 'Двухэтапная аутентификация для всех',
  },
  'requirement.is_on': {
    en: 'Required. Everybody on the team signs in with an authenticator app or a passkey.',
    hy: 'Պարտադիր է։ Թիմի բոլոր անդամները մուտք են գործում նույնականացման հավելվածով կամ մուտքի բանալիով։',
    ru: 'Обязательна. Все в команде входят с приложением для аутентификации или с ключом доступа.',
  },
  'requirement.is_off': {
    en: 'Not required. People may sign in with a password alone.',
    hy: 'Պարտադիր չէ։ Մուտք գործելու համար բավական է գաղտնաբառը։',
    ru: 'Не обязательна. Для входа достаточно одного пароля.',
  },
  'requirement.hint': {
    en: 'If you require it, people without one set it up when they next open the dashboard, before they can do anything else. API keys keep working.',
    hy: 'Եթե այն դարձնեք պարտադիր, մարդիկ, ովքեր դեռ չունեն այն, նախ կկարգավորեն այն, և միայն հետո կկարողանան շարունակել աշխատանքը։ API բանալիների վրա դա չի ազդում։',
    ru: 'Если сделать её обязательной, те, у кого её ещё нет, сначала настроят её и только потом смогут продолжить работу. На ключи API это не влияет.',
  },
  'requirement.turn_on': {
    en: 'Require a second step',
    hy: 'Դարձնել պարտադիր',
    ru: 'Сделать обязательной',
  },
  'requirement.turn_off': {
    en: 'Stop requiring it',
    hy: 'Այլևս չպահանջել',
    ru: 'Больше не требовать',
  },
  'requirement.own_first': {
    en: 'Set up your own second step first',
    hy: 'Նախ միացրեք երկքայլ հաստատումը ձեր հաշվում',
    ru: 'Сначала настройте её для своей учётной записи',
  },
  'requirement.must_set_up': {
    en: 'Your team requires a second step for signing in. Set up an authenticator app or a passkey to go on.',
    hy: 'Ձեր թիմում մուտքի երկքայլ հաստատումը պարտադիր է։ Շարունակելու համար կարգավորեք նույնականացման հավելված կամ մուտքի բանալի։',
    ru: 'В вашей команде двухэтапная аутентификация обязательна. Чтобы продолжить, настройте приложение для аутентификации или ключ доступа.',
  },
  'requirement.reminder': {
    en: 'Your account is protected by a password alone.',
    hy: 'Ձեր հաշիվը պաշտպանված է միայն գաղտնաբառով։',
    ru: 'Ваша учётная запись защищена только паролем.',
  },
  'requirement.set_up': {
    en: 'Set up a second step',
    hy: 'Միացնել երկքայլ հաստատումը',
    ru: 'Включить двухэтапную аутентификацию',
  },
} as const satisfies Texts<Locale>;
