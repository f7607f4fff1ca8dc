/** The texts of the signature explainer. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const EXPLAINER = {
  'explain.title': {
    en: 'Explain a signature',
    hy: 'Բացատրել ստորագրությունը',
    ru: 'Объяснить подпись',
  },
  'explain.intro': {
    en: 'Finds out why a signature that your code computed differs from the one that was sent. Nothing on this page is stored.',
    hy: 'Պարզում է, թե ինչու է ձեր կոդի հաշված ստորագրությունը տարբերվում ուղարկվածից։ Այս էջում ոչինչ չի պահվում։',
    ru: 'Выясняет, почему подпись, которую вычислил ваш код, отличается от отправленной. Ничего на этой странице не сохраняется.',
  },
  'explain.choose': {
    en: 'A delivery that was sent',
    hy: 'Ուղարկված առաքում',
    ru: 'Отправленная доставка',
  },
  'explain.delivery_hint': {
    en: 'It begins with dlv_. Each request has it in its header Service-Delivery.',
    hy: 'Սկսվում է dlv_-ով։ Յուրաքանչյուր հարցում այն ունի Service-Delivery վերնագրում։',
    ru: 'Начинается с dlv_. У каждого запроса он есть в заголовке Service-Delivery.',
  },
  'explain.button': {
    en: 'Explain',
    hy: 'Բացատրել',
    ru: 'Объяснить',
  },
  'explain.given': {
    en: 'A request that you have',
    hy: 'Հարցում, որը դուք ունեք',
    ru: 'Запрос, который у вас есть',
  },
  'explain.stored': {
    en: 'The attempt of a delivery',
    hy: 'Առաքման փորձ',
    ru: 'Попытка доставки',
  },
  'explain.body': {
    en: 'Body',
    hy: 'Մարմին',
    ru: 'Тело',
  },
  'explain.body_hint': {
    en: 'The raw text as it came, before any JSON parser.',
    hy: 'Չմշակված տեքստը, ինչպես ստացվել է, մինչև JSON-ի վերլուծումը։',
    ru: 'Исходный текст, как он пришёл, до разбора JSON.',
  },
  'explain.timestamp': {
    en: 'Timestamp',
    hy: 'Ժամանակի նշում',
    ru: 'Метка времени',
  },
  'explain.timestamp_hint': {
    en: 'Whole seconds. Not needed if a header below has it.',
    hy: 'Ամբողջ վայրկյաններ։ Պետք չէ, եթե ստորև որևէ վերնագիր այն ունի։',
    ru: 'Целые секунды. Не нужна, если она есть в заголовках ниже.',
  },
  'explain.secret_hint': {
    en: 'The whole secret: whsec_ and what follows. It is neither stored nor shown.',
    hy: 'Ամբողջ գաղտնի բանալին՝ whsec_ և դրանից հետո եղածը։ Այն չի պահվում և չի ցուցադրվում։',
    ru: 'Весь секрет: whsec_ и всё после него. Он не сохраняется и не показывается.',
  },
  'explain.signed_body': {
    en: 'The body that your code signed',
    hy: 'Մարմինը, որը ստորագրել է ձեր կոդը',
    ru: 'Тело, которое подписал ваш код',
  },
  'explain.signed_body_hint': {
    en: 'If you know it. The body that was sent is on record.',
    hy: 'Եթե գիտեք։ Ուղարկված մարմինը պահված է։',
    ru: 'Если вы его знаете. Отправленное тело сохранено.',
  },
  'explain.headers': {
    en: 'Headers that you received',
    hy: 'Ձեր ստացած վերնագրերը',
    ru: 'Полученные заголовки',
  },
  'explain.headers_hint': {
    en: 'One on a line, as "Name: value".',
    hy: 'Մեկական տողում՝ «Name: value» տեսքով։',
    ru: 'По одному в строке, в виде «Name: value».',
  },
  'explain.computed': {
    en: 'Signatures that your code computed',
    hy: 'Ձեր կոդի հաշված ստորագրությունները',
    ru: 'Подписи, которые вычислил ваш код',
  },
  'explain.computed_hint': {
    en: 'One on a line, in hex or base64.',
    hy: 'Մեկական տողում՝ hex կամ base64։',
    ru: 'По одной в строке, в hex или base64.',
  },
  'explain.findings': {
    en: 'What was found',
    hy: 'Ինչ է պարզվել',
    ru: 'Что выяснилось',
  },
  'explain.nothing': {
    en: 'Nothing to compare. Add what your code computed, or the headers that it received.',
    hy: 'Համեմատելու բան չկա։ Ավելացրեք ձեր կոդի հաշվածը կամ ստացված վերնագրերը։',
    ru: 'Сравнивать нечего. Добавьте то, что вычислил ваш код, или полученные заголовки.',
  },
  'explain.expected': {
    en: 'The right headers',
    hy: 'Ճիշտ վերնագրերը',
    ru: 'Правильные заголовки',
  },
  'explain.as_given': {
    en: 'As received.',
    hy: 'Ինչպես ստացվել է։',
    ru: 'Совпадает с полученным.',
  },
  'explain.differs': {
    en: 'Differs from what was received:',
    hy: 'Տարբերվում է ստացվածից՝',
    ru: 'Отличается от полученного:',
  },
  'explain.signed': {
    en: 'What {header} signs',
    hy: 'Ինչ է ստորագրում {header}-ը',
    ru: 'Что подписывает {header}',
  },
  'explain.mistake': {
    en: 'Wrong:',
    hy: 'Սխալ՝',
    ru: 'Ошибка:',
  },
  'explain.note': {
    en: 'Note:',
    hy: 'Նշում՝',
    ru: 'Примечание:',
  },
  'finding.key_whole': {
    en: 'The key was the whole text of the secret.',
    hy: 'Որպես բանալի վերցվել է գաղտնի բանալու ամբողջ տեքստը։',
    ru: 'Ключом был весь текст секрета.',
  },
  'finding.key_decoded': {
    en: 'The key was the decoded part after whsec_.',
    hy: 'Որպես բանալի վերցվել է whsec_-ից հետո եղած ապակոդավորված մասը։',
    ru: 'Ключом была декодированная часть после whsec_.',
  },
  'finding.key_prefix_cut': {
    en: 'The key was the part after whsec_, not decoded.',
    hy: 'Որպես բանալի վերցվել է whsec_-ից հետո եղած մասը՝ առանց ապակոդավորման։',
    ru: 'Ключом была часть после whsec_ без декодирования.',
  },
  'finding.other_secret': {
    en: 'Another secret of yours was used.',
    hy: 'Օգտագործվել է ձեր մեկ այլ գաղտնի բանալի։',
    ru: 'Использован другой ваш секрет.',
  },
  'finding.timestamp_ms': {
    en: 'The timestamp was in milliseconds.',
    hy: 'Ժամանակի նշումը միլիվայրկյաններով էր։',
    ru: 'Метка времени была в миллисекундах.',
  },
  'finding.timestamp_missing': {
    en: 'The timestamp was not signed.',
    hy: 'Ժամանակի նշումը չի ստորագրվել։',
    ru: 'Метка времени не подписана.',
  },
  'finding.body_differs': {
    en: 'Another body was signed than the one that was sent.',
    hy: 'Ստորագրվել է ոչ այն մարմինը, որն ուղարկվել է։',
    ru: 'Подписано не то тело, которое было отправлено.',
  },
  'finding.encoding': {
    en: 'The signature is written in another encoding.',
    hy: 'Ստորագրությունը գրված է այլ կոդավորմամբ։',
    ru: 'Подпись записана в другой кодировке.',
  },
  'finding.prefix': {
    en: 'The prefix of the signature differs.',
    hy: 'Ստորագրության նախածանցը տարբերվում է։',
    ru: 'Префикс подписи отличается.',
  },
  'finding.value_malformed': {
    en: 'The value is not a signature.',
    hy: 'Արժեքը ստորագրություն չէ։',
    ru: 'Значение не является подписью.',
  },
  'finding.other_form': {
    en: 'This is the signature of the other header.',
    hy: 'Սա մյուս վերնագրի ստորագրությունն է։',
    ru: 'Это подпись из другого заголовка.',
  },
  'finding.fits': {
    en: 'The signature is right.',
    hy: 'Ստորագրությունը ճիշտ է։',
    ru: 'Подпись верна.',
  },
  'finding.unexplained': {
    en: 'None of the usual mistakes leads to this value.',
    hy: 'Սովորական սխալներից ոչ մեկը չի տալիս այս արժեքը։',
    ru: 'Ни одна из обычных ошибок не даёт этого значения.',
  },
  'finding.clock': {
    en: 'A clock differs from the timestamp by more than 5 minutes.',
    hy: 'Ժամացույցը ժամանակի նշումից տարբերվում է ավելի քան 5 րոպեով։',
    ru: 'Часы расходятся с меткой времени больше чем на 5 минут.',
  },
  'finding.headers_not_kept': {
    en: 'The headers of this attempt were not kept.',
    hy: 'Այս փորձի վերնագրերը չեն պահպանվել։',
    ru: 'Заголовки этой попытки не сохранены.',
  },
} as const satisfies Texts<Locale>;
