/** The texts of a merchant's first steps. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const STEPS = {
  'steps.title': {
    en: 'First steps',
    hy: 'Առաջին քայլերը',
    ru: 'Первые шаги',
  },
  'steps.done': {
    en: 'Done',
    hy: 'Արված է',
    ru: 'Готово',
  },
  'steps.key': {
    en: 'Create an API key',
    hy: 'Ստեղծեք API բանալի',
    ru: 'Создайте ключ API',
  },
  'steps.key_hint': {
    en: 'Your server sends it with every request. It is shown once.',
    hy: 'Ձեր սերվերն այն ուղարկում է ամեն հարցման հետ։ Այն ցուցադրվում է մեկ անգամ։',
    ru: 'Ваш сервер отправляет его с каждым запросом. Он показывается один раз.',
  },
  'steps.endpoint': {
    en: 'Register a webhook endpoint',
    hy: 'Գրանցեք վեբհուքների հասցե',
    ru: 'Зарегистрируйте адрес для вебхуков',
  },
  'steps.endpoint_hint': {
    en: 'Tollgate notifies it of every payment and refund.',
    hy: 'Tollgate-ն այդ հասցեին հայտնում է ամեն վճարման և վերադարձի մասին։',
    ru: 'Tollgate сообщает на него о каждом платеже и возврате.',
  },
  'steps.payment': {
    en: 'Make the first payment',
    hy: 'Կատարեք առաջին վճարումը',
    ru: 'Проведите первый платёж',
  },
  'steps.payment_hint': {
    en: 'The quickstart has the commands. No money moves in test mode.',
    hy: 'Հրամանները «Quickstart» բաժնում են։ Փորձնական ռեժիմում գումար չի գանձվում։',
    ru: 'Команды есть в разделе «Quickstart». В тестовом режиме деньги не списываются.',
  },
} as const satisfies Texts<Locale>;
