/** The texts of bank transfers. */

const EN = {
  'transfer.heading': 'Pay by bank transfer',
  'transfer.about':
    'You will see the bank details and a payment reference. Then send the money from your own bank.',
  'transfer.start': 'Show the bank details',
  'transfer.instructions': 'Send {amount} from your bank',
  'transfer.text':
    'Enter the payment reference exactly as it is here, so that we recognise your payment. This page updates by itself when the money arrives. You may close it and open the link again.',
  'transfer.bank': 'Bank',
  'transfer.account': 'Account',
  'transfer.reference': 'Payment reference',
  'transfer.time_left':
    'Time left for the money to arrive: {time}. Money that arrives later is sent back.',
  'transfer.no_money': 'This bank is not real. Do not send it any money.',
  'transfer.check': 'Check whether the money has arrived',
  'transfer.sandbox': 'Open the sandbox bank',
  'transfer.back': 'Pay another way',
  'transfer.back_hint':
    'Choose this only if you have not sent the money yet. Money that you have sent will be sent back.',
  'transfer.turned_back':
    'You chose not to pay by bank transfer. Do not use the earlier bank details: money sent with them is sent back.',
  'transfer.returned':
    'The bank could not accept the transfer and sent the money back. Check the amount and try again.',
  'transfer.waiting': 'Waiting for your transfer',
  'transfer.waiting_text':
    'This page updates by itself when the money arrives. You may close it: the payment will not be lost.',
  'transfer.refused_text':
    'To cancel it, first choose to pay another way, on the page with the bank details.',
  'transfer.leaving': 'Stopping the transfer',
  'transfer.leaving_text':
    'The bank details are being closed. This page updates by itself. If the money had already arrived, you will see that here.',
  'transfer.silent': 'The time to pay has run out',
  'transfer.silent_text':
    'We are asking the bank whether your transfer arrived in time. If it did not, the payment ends, and money that arrives later is sent back.',
  'transfer.expired_text':
    'This payment can no longer be made. If you have already sent the money, the bank sends it back.',
  'transfer.choose': 'What happens to the transfer?',
  'transfer.error_outcome': 'Choose what happens to the transfer.',
  'transfer.decide': 'Let it happen',
  'transfer.to_details': 'Back to the bank details',
  'transfer.group_arrives': 'The money arrives',
  'transfer.group_returned': 'The money is sent back',
  'transfer.group_never': 'The money does not arrive in time',
  'transfer.approve': 'It arrives now',
  'transfer.approve_after_5s': 'It arrives after 5 seconds',
  'transfer.approve_after_30s': 'It arrives after 30 seconds',
  'transfer.wrong_amount': 'The amount is wrong, so the bank sends it back',
  'transfer.approve_after_timeout': 'It arrives only after the time to pay has run out',
  'transfer.never_answer': 'It never arrives',
} as const;

type Key = keyof typeof EN;

const HY: Readonly<Record<Key, string>> = {
  'transfer.heading': 'Վճարում բանկային փոխանցմամբ',
  'transfer.about':
    'Դուք կտեսնեք բանկային տվյալները և վճարման նպատակը։ Այնուհետև գումարը փոխանցեք ձեր բանկից։',
  'transfer.start': 'Ցույց տալ բանկային տվյալները',
  'transfer.instructions': 'Փոխանցեք {amount} ձեր բանկից',
  'transfer.text':
    'Վճարման նպատակը մուտքագրեք ճիշտ այնպես, ինչպես նշված է այստեղ, որպեսզի մենք ճանաչենք ձեր վճարումը։ Երբ գումարը ստացվի, էջն ինքնաբերաբար կթարմացվի։ Կարող եք նաև փակել այն և հետո կրկին բացել հղումը։',
  'transfer.bank': 'Բանկ',
  'transfer.account': 'Հաշվեհամար',
  'transfer.reference': 'Վճարման նպատակ',
  'transfer.time_left':
    'Գումարը ստանալու համար մնացել է {time}։ Ավելի ուշ ստացված գումարը հետ կուղարկվի։',
  'transfer.no_money': 'Այս բանկն իրական չէ։ Գումար մի՛ փոխանցեք։',
  'transfer.check': 'Ստուգել՝ ստացվե՞լ է գումարը',
  'transfer.sandbox': 'Բացել փորձնական բանկը',
  'transfer.back': 'Վճարել այլ եղանակով',
  'transfer.back_hint':
    'Ընտրեք սա միայն այն դեպքում, եթե գումարը դեռ չեք ուղարկել։ Արդեն ուղարկված գումարը կվերադարձվի ձեզ։',
  'transfer.turned_back':
    'Դուք հրաժարվել եք բանկային փոխանցումից։ Մի՛ օգտագործեք նախկին բանկային տվյալները․ դրանցով ուղարկված գումարը կվերադարձվի։',
  'transfer.returned':
    'Բանկը չի ընդունել փոխանցումը և վերադարձրել է գումարը։ Ստուգեք գումարի չափը և կրկին փորձեք։',
  'transfer.waiting': 'Սպասում ենք ձեր փոխանցմանը',
  'transfer.waiting_text':
    'Երբ գումարը ստացվի, էջն ինքնաբերաբար կթարմացվի։ Կարող եք նաև փակել այն, վճարումը չի կորչի։',
  'transfer.refused_text':
    'Չեղարկելու համար նախ բանկային տվյալների էջում ընտրեք «Վճարել այլ եղանակով»։',
  'transfer.leaving': 'Փոխանցումը չեղարկվում է',
  'transfer.leaving_text':
    'Այս բանկային տվյալներն այլևս չեն գործի։ Էջն ինքնաբերաբար կթարմացվի։ Եթե գումարն արդեն ստացվել է, դա կտեսնեք այստեղ։',
  'transfer.silent': 'Վճարման ժամանակը սպառվել է',
  'transfer.silent_text':
    'Մենք բանկից ճշտում ենք՝ արդյոք ձեր փոխանցումը ժամանակին ստացվել է։ Եթե ոչ, վճարումը կավարտվի, և ավելի ուշ ստացված գումարը կվերադարձվի։',
  'transfer.expired_text':
    'Այս վճարումն այլևս հնարավոր չէ կատարել։ Եթե գումարն արդեն ուղարկել եք, բանկը կվերադարձնի այն։',
  'transfer.choose': 'Ի՞նչ է լինելու փոխանցման հետ',
  'transfer.error_outcome': 'Ընտրեք, թե ինչ է լինելու փոխանցման հետ։',
  'transfer.decide': 'Հաստատել ընտրությունը',
  'transfer.to_details': 'Վերադառնալ բանկային տվյալներին',
  'transfer.group_arrives': 'Գումարը ստացվում է',
  'transfer.group_returned': 'Գումարը վերադարձվում է',
  'transfer.group_never': 'Գումարը ժամանակին չի ստացվում',
  'transfer.approve': 'Ստացվում է հիմա',
  'transfer.approve_after_5s': 'Ստացվում է 5 վայրկյանից',
  'transfer.approve_after_30s': 'Ստացվում է 30 վայրկյանից',
  'transfer.wrong_amount': 'Գումարի չափը սխալ է, ուստի բանկը վերադարձնում է այն',
  'transfer.approve_after_timeout': 'Ստացվում է միայն վճարման ժամանակը սպառվելուց հետո',
  'transfer.never_answer': 'Երբեք չի ստացվում',
};

const RU: Readonly<Record<Key, string>> = {
  'transfer.heading': 'Оплата банковским переводом',
  'transfer.about':
    'Вы увидите реквизиты и назначение платежа. Затем переведите деньги через свой банк.',
  'transfer.start': 'Показать реквизиты',
  'transfer.instructions': 'Переведите {amount} через свой банк',
  'transfer.text':
    'Укажите назначение платежа точно так, как здесь: по нему мы узнаем ваш платёж. Когда деньги придут, страница обновится сама. Её можно закрыть и потом снова открыть по ссылке.',
  'transfer.bank': 'Банк',
  'transfer.account': 'Номер счёта',
  'transfer.reference': 'Назначение платежа',
  'transfer.time_left':
    'Деньги должны прийти вовремя, осталось: {time}. Деньги, которые придут позже, будут возвращены.',
  'transfer.no_money': 'Этого банка не существует. Не переводите деньги.',
  'transfer.check': 'Проверить, пришли ли деньги',
  'transfer.sandbox': 'Открыть тестовый банк',
  'transfer.back': 'Оплатить другим способом',
  'transfer.back_hint':
    'Только если вы ещё не отправили деньги. Уже отправленные деньги вернутся к вам.',
  'transfer.turned_back':
    'Вы отказались от банковского перевода. Не используйте прежние реквизиты: деньги, отправленные по ним, будут возвращены.',
  'transfer.returned':
    'Банк не принял перевод и вернул деньги. Проверьте сумму и попробуйте ещё раз.',
  'transfer.waiting': 'Ждём ваш перевод',
  'transfer.waiting_text':
    'Когда деньги придут, страница обновится сама. Её можно и закрыть: платёж не потеряется.',
  'transfer.refused_text':
    'Чтобы отменить платёж, сначала выберите «Оплатить другим способом» на странице с реквизитами.',
  'transfer.leaving': 'Перевод отменяется',
  'transfer.leaving_text':
    'Эти реквизиты закрываются. Страница обновится сама. Если деньги уже пришли, вы увидите это здесь.',
  'transfer.silent': 'Время на оплату истекло',
  'transfer.silent_text':
    'Мы узнаём в банке, пришёл ли ваш перевод вовремя. Если нет, платёж завершится, а деньги, которые придут позже, будут возвращены.',
  'transfer.expired_text':
    'Провести этот платёж уже нельзя. Если вы уже отправили деньги, банк их вернёт.',
  'transfer.choose': 'Что произойдёт с переводом?',
  'transfer.error_outcome': 'Выберите, что произойдёт с переводом.',
  'transfer.decide': 'Подтвердить выбор',
  'transfer.to_details': 'Вернуться к реквизитам',
  'transfer.group_arrives': 'Деньги приходят',
  'transfer.group_returned': 'Деньги возвращаются',
  'transfer.group_never': 'Деньги не приходят вовремя',
  'transfer.approve': 'Приходят сейчас',
  'transfer.approve_after_5s': 'Приходят через 5 секунд',
  'transfer.approve_after_30s': 'Приходят через 30 секунд',
  'transfer.wrong_amount': 'Сумма неверна, и банк возвращает деньги',
  'transfer.approve_after_timeout': 'Приходят только после того, как время на оплату истекло',
  'transfer.never_answer': 'Не приходят никогда',
};

export const TRANSFER_TEXTS = { en: EN, hy: HY, ru: RU };
