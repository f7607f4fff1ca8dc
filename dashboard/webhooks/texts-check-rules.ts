/** The rules that a receiver should follow, and how to mend one that does not. */
import type { Locale } from '../../domain/merchant.ts';
import type { Texts } from '../../ui/text.ts';

export const CHECK_RULES = {
  'check_rule.genuine': {
    en: 'A genuine delivery is accepted',
    hy: 'Իսկական առաքումն ընդունվում է',
    ru: 'Настоящая доставка принимается',
  },
  'check_fix.genuine': {
    en: 'Respond with 200. Check that the receiver has the secret of this endpoint, and verifies the raw body as it came. The page “Explain a signature” shows what is signed.',
    hy: 'Պատասխանեք 200։ Համոզվեք, որ մշակիչն օգտագործում է այս հասցեի գաղտնի բանալին և ստուգում է մարմինը ճիշտ այնպես, ինչպես ստացվել է։ «Բացատրել ստորագրությունը» էջը ցույց է տալիս, թե ինչ է ստորագրվում։',
    ru: 'Отвечайте 200. Убедитесь, что обработчик использует секрет этого адреса и проверяет тело в исходном виде. Страница «Объяснить подпись» показывает, что подписывается.',
  },
  'check_rule.wrong_secret': {
    en: 'A signature of another secret is refused',
    hy: 'Այլ բանալիով արված ստորագրությունը մերժվում է',
    ru: 'Подпись другим секретом отклоняется',
  },
  'check_fix.wrong_secret': {
    en: 'Anyone can send this, and mark orders as paid. Verify the signature, and respond with 401 if it does not fit.',
    hy: 'Դա կարող է ուղարկել ցանկացած մեկը և պատվերները վճարված դարձնել։ Ստուգեք ստորագրությունը և պատասխանեք 401, եթե այն չի համընկնում։',
    ru: 'Такой запрос может отправить кто угодно и сделать заказы оплаченными. Проверяйте подпись и отвечайте 401, если она не подходит.',
  },
  'check_rule.no_signature': {
    en: 'A request without its signature headers is refused',
    hy: 'Առանց ստորագրության վերնագրերի հարցումը մերժվում է',
    ru: 'Запрос без заголовков подписи отклоняется',
  },
  'check_fix.no_signature': {
    en: 'A request without a signature is never genuine. Respond with 401 if one of the headers is missing or empty.',
    hy: 'Առանց ստորագրության հարցումը երբեք իսկական չէ։ Պատասխանեք 401, եթե վերնագրերից որևէ մեկը բացակայում է կամ դատարկ է։',
    ru: 'Запрос без подписи не бывает настоящим. Отвечайте 401, если какого-то заголовка нет или он пуст.',
  },
  'check_rule.empty_key': {
    en: 'A signature that was made with an empty key is refused',
    hy: 'Դատարկ բանալիով արված ստորագրությունը մերժվում է',
    ru: 'Подпись с пустым ключом отклоняется',
  },
  'check_fix.empty_key': {
    en: 'Everyone knows an empty key. Stop the program at its start if the secret is not configured.',
    hy: 'Դատարկ բանալին բոլորը գիտեն։ Եթե գաղտնի բանալին կարգավորված չէ, ծրագիրը պետք է կանգնի մեկնարկի պահին։',
    ru: 'Пустой ключ известен всем. Если секрет не настроен, программа должна останавливаться при запуске.',
  },
  'check_rule.changed_body': {
    en: 'A body that was changed after signing is refused',
    hy: 'Ստորագրելուց հետո փոխված մարմինը մերժվում է',
    ru: 'Тело, изменённое после подписания, отклоняется',
  },
  'check_fix.changed_body': {
    en: 'Otherwise amounts can be changed on the way. Sign the whole raw body that you received, and compare with the header.',
    hy: 'Այլապես ճանապարհին կարելի է փոխել գումարները։ Ստորագրեք ստացված ամբողջ մարմինն առանց մշակման և համեմատեք վերնագրի հետ։',
    ru: 'Иначе суммы можно подменить в пути. Подпишите всё полученное тело без обработки и сравните с заголовком.',
  },
  'check_rule.cut_signature': {
    en: 'A signature that was cut short is refused',
    hy: 'Կրճատված ստորագրությունը մերժվում է',
    ru: 'Обрезанная подпись отклоняется',
  },
  'check_fix.cut_signature': {
    en: 'The start of a signature can be guessed in a few tries. Compare the lengths first, and then the whole signatures.',
    hy: 'Ստորագրության սկիզբը կարելի է գուշակել մի քանի փորձով։ Նախ համեմատեք երկարությունները, ապա՝ ամբողջ ստորագրությունները։',
    ru: 'Начало подписи можно угадать за несколько попыток. Сравнивайте сначала длину, затем подпись целиком.',
  },
  'check_rule.changed_id': {
    en: 'A changed webhook-id is refused',
    hy: 'Փոխված webhook-id-ն մերժվում է',
    ru: 'Изменённый webhook-id отклоняется',
  },
  'check_fix.changed_id': {
    en: 'A recorded request with another id would count as another event. webhook-signature covers id.timestamp.body: sign the webhook-id that you received.',
    hy: 'Պահպանված հարցումն այլ id-ով կհամարվեր այլ իրադարձություն։ webhook-signature-ը ներառում է id.timestamp.body․ ստորագրեք հենց ստացված webhook-id-ն։',
    ru: 'Записанный запрос с другим id сошёл бы за другое событие. webhook-signature охватывает id.timestamp.body: подписывайте полученный webhook-id.',
  },
  'check_rule.old': {
    en: 'An old signature is refused',
    hy: 'Հին ստորագրությունը մերժվում է',
    ru: 'Старая подпись отклоняется',
  },
  'check_fix.old': {
    en: 'Otherwise a recorded request can be sent again at any time. Refuse a timestamp of more than 300 seconds ago.',
    hy: 'Այլապես պահպանված հարցումը կարելի է կրկին ուղարկել ցանկացած պահի։ Մերժեք ավելի քան 300 վայրկյան վաղեմության ժամանակի նշումը։',
    ru: 'Иначе записанный запрос можно отправить снова в любой момент. Отклоняйте метку времени старше 300 секунд.',
  },
  'check_rule.other_timestamp': {
    en: 'An old signature with a fresh timestamp is refused',
    hy: 'Թարմ ժամանակի նշումով հին ստորագրությունը մերժվում է',
    ru: 'Старая подпись со свежей меткой времени отклоняется',
  },
  'check_fix.other_timestamp': {
    en: 'Anyone who recorded a request can add the other header. Read the time that the signature covers: Service-Timestamp for Service-Signature, webhook-timestamp for webhook-signature.',
    hy: 'Ով պահպանել է հարցումը, կարող է ավելացնել մյուս վերնագիրը։ Կարդացեք այն ժամանակը, որը ստորագրված է․ Service-Signature-ի համար՝ Service-Timestamp, webhook-signature-ի համար՝ webhook-timestamp։',
    ru: 'Тот, кто записал запрос, может добавить другой заголовок. Читайте время, которое подписано: Service-Timestamp для Service-Signature, webhook-timestamp для webhook-signature.',
  },
  'check_rule.future': {
    en: 'A signature from the future is refused',
    hy: 'Ապագայի ստորագրությունը մերժվում է',
    ru: 'Подпись из будущего отклоняется',
  },
  'check_fix.future': {
    en: 'It would stay valid for too long. Refuse a timestamp of more than 300 seconds ahead.',
    hy: 'Այն չափազանց երկար վավեր կմնար։ Մերժեք ժամանակի նշումը, որն ավելի քան 300 վայրկյանով առաջ է ներկայից։',
    ru: 'Она слишком долго оставалась бы действительной. Отклоняйте метку времени больше чем на 300 секунд вперёд.',
  },
  'check_rule.one_form': {
    en: 'Either form of the signature is enough',
    hy: 'Ստորագրության երկու ձևերից մեկը բավական է',
    ru: 'Достаточно одной из двух форм подписи',
  },
  'check_fix.one_form': {
    en: 'One signature that fits is proof. Do not require the other header, too.',
    hy: 'Մեկ համընկնող ստորագրությունն արդեն ապացույց է։ Մի պահանջեք նաև մյուս վերնագիրը։',
    ru: 'Одной подходящей подписи достаточно. Не требуйте ещё и второй заголовок.',
  },
  'check_rule.rotation': {
    en: 'One of several signatures is enough',
    hy: 'Մի քանի ստորագրություններից մեկը բավական է',
    ru: 'Достаточно одной подписи из нескольких',
  },
  'check_fix.rotation': {
    en: 'While a secret is replaced, a header has a signature for each valid secret. Split the header, and accept any signature that fits.',
    hy: 'Գաղտնի բանալին փոխարինելու ընթացքում վերնագրում կա մեկական ստորագրություն յուրաքանչյուր գործող բանալու համար։ Բաժանեք վերնագիրը և ընդունեք ցանկացած համընկնող ստորագրություն։',
    ru: 'Пока секрет заменяется, в заголовке есть подпись для каждого действующего секрета. Разделите заголовок и принимайте любую подходящую подпись.',
  },
  'check_rule.twice': {
    en: 'The same event is accepted again',
    hy: 'Նույն իրադարձությունը կրկին ընդունվում է',
    ru: 'То же событие принимается повторно',
  },
  'check_fix.twice': {
    en: 'A refused delivery is sent again for days. Respond with 200 to an event that you have handled already, and do nothing more.',
    hy: 'Մերժված առաքումը կրկին ուղարկվում է օրեր շարունակ։ Արդեն մշակված իրադարձությանը պատասխանեք 200 և այլևս ոչինչ մի արեք։',
    ru: 'Отклонённая доставка повторяется несколько дней. На уже обработанное событие отвечайте 200 и больше ничего не делайте.',
  },
  'check_rule.order': {
    en: 'Events are accepted in any order',
    hy: 'Իրադարձություններն ընդունվում են ցանկացած հերթականությամբ',
    ru: 'События принимаются в любом порядке',
  },
  'check_fix.order': {
    en: 'Retries change the order. Retrieve the payment and go by its status, whichever event arrives first.',
    hy: 'Կրկնվող փորձերը փոխում են հերթականությունը։ Ստացեք վճարումը և առաջնորդվեք դրա կարգավիճակով, անկախ նրանից, թե որ իրադարձությունն է առաջինը եկել։',
    ru: 'Из-за повторных попыток порядок меняется. Запросите платёж и действуйте по его статусу, какое бы событие ни пришло первым.',
  },
  'check_rule.unknown_type': {
    en: 'An event of an unknown type is accepted',
    hy: 'Անծանոթ տեսակի իրադարձությունն ընդունվում է',
    ru: 'Событие неизвестного типа принимается',
  },
  'check_fix.unknown_type': {
    en: 'New versions add types. Respond with 200 to a type that you do not know.',
    hy: 'Նոր տարբերակներում տեսակներ են ավելանում։ Անծանոթ տեսակին պատասխանեք 200։',
    ru: 'В новых версиях появляются новые типы. На неизвестный тип отвечайте 200.',
  },
  'check_rule.non_ascii': {
    en: 'Text in any script is accepted',
    hy: 'Ցանկացած գրով տեքստն ընդունվում է',
    ru: 'Текст на любом языке принимается',
  },
  'check_fix.non_ascii': {
    en: 'Customers write in every script. Sign the bytes as received: do not decode or parse them first.',
    hy: 'Գնորդները գրում են տարբեր լեզուներով։ Ստորագրեք բայթերը, ինչպես ստացվել են՝ առանց նախապես ապակոդավորելու կամ վերլուծելու։',
    ru: 'Покупатели пишут на разных языках. Подписывайте байты в том виде, в каком они получены: без декодирования и разбора.',
  },
  'check_rule.large': {
    en: 'A large body is accepted',
    hy: 'Մեծ մարմինն ընդունվում է',
    ru: 'Большое тело принимается',
  },
  'check_fix.large': {
    en: 'An event with much metadata is as large as this. Raise the limit on bodies to 1 MB.',
    hy: 'Շատ metadata ունեցող իրադարձությունն այսքան մեծ է։ Մարմնի չափի սահմանը դարձրեք 1 ՄԲ։',
    ru: 'Событие с большим объёмом metadata бывает таким. Увеличьте предел размера тела до 1 МБ.',
  },
  'check_rule.bytes': {
    en: 'The signature covers the bytes, not the parsed JSON',
    hy: 'Ստուգվում են բայթերը, ոչ թե վերլուծված JSON-ը',
    ru: 'Проверяются байты, а не разобранный JSON',
  },
  'check_fix.bytes': {
    en: 'JSON that was parsed and written again has other bytes, and a genuine delivery is refused. Sign the raw body.',
    hy: 'Վերլուծված և կրկին գրված JSON-ն ունի այլ բայթեր, և իսկական առաքումը մերժվում է։ Ստորագրեք չմշակված մարմինը։',
    ru: 'У разобранного и заново записанного JSON другие байты, и настоящая доставка отклоняется. Подписывайте исходное тело.',
  },
  'check_rule.method': {
    en: 'Other methods are refused',
    hy: 'Այլ մեթոդները մերժվում են',
    ru: 'Другие методы отклоняются',
  },
  'check_fix.method': {
    en: 'Deliveries are POSTs. Respond with 405 to the rest.',
    hy: 'Առաքումները POST են։ Մնացածին պատասխանեք 405։',
    ru: 'Доставки — это POST. На остальное отвечайте 405.',
  },
  'check_rule.time': {
    en: 'The receiver responds within 5 seconds',
    hy: 'Մշակիչը պատասխանում է 5 վայրկյանի ընթացքում',
    ru: 'Обработчик отвечает в течение 5 секунд',
  },
  'check_fix.time': {
    en: 'A delivery without a response in time has failed, and is sent again. Respond first, and put slow work into a queue.',
    hy: 'Եթե պատասխանը ժամանակին չի գալիս, առաքումը համարվում է ձախողված և կրկին ուղարկվում է։ Նախ պատասխանեք, իսկ դանդաղ աշխատանքը դրեք հերթի մեջ։',
    ru: 'Доставка без своевременного ответа считается неудачной и повторяется. Сначала отвечайте, а долгую работу ставьте в очередь.',
  },
} as const satisfies Texts<Locale>;
