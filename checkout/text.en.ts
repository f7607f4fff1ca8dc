/** The texts of pages in English. The other languages have exactly these keys. */

export const EN = {
  'test.banner': 'Test mode. You will not be charged.',
  'page.title': 'Payment',
  'page.skip': 'Skip to the content',
  'page.language': 'Language',
  'page.made_by': 'Powered by Tollgate',

  'summary.to': 'Payment to',
  'summary.amount': 'Amount to pay',
  'summary.total': 'Amount',
  'summary.about': 'For',
  'summary.order': 'Order',

  'method.choose': 'Payment method',
  'method.card': 'Card',
  'method.bank_transfer': 'Bank transfer',

  'form.heading': 'Pay by card',
  'form.card_number': 'Card number',
  'form.expiry': 'Expiry date',
  'form.expiry_hint': 'MM/YY',
  'form.cvc': 'Security code (CVC)',
  'form.cvc_hint': '3 or 4 digits',
  'form.pay': 'Pay {amount}',
  'form.cancel': 'Cancel the payment',
  'form.time_left': 'Time left to pay: {time}',
  'form.pay_by': 'Pay by:',
  'form.attempts_left':
    '{count, plural, one {You have # attempt left.} other {You have # attempts left.}}',
  'form.declined': 'The payment did not go through',
  'form.not_charged': 'Nothing was charged.',
  'form.turned_back':
    'You returned from the bank without confirming the payment. Nothing was charged.',
  'form.test_cards': 'Test cards',
  'form.test_cards_hint':
    'Any future expiry date will do, and any security code: 4 digits for American Express, 3 for the others.',

  'error.heading': 'Please check the form',
  'error.method': 'Choose one of the payment methods on this page.',
  'error.card_missing': 'Enter the card number.',
  'error.card_number': 'Check the card number: a digit seems to be missing or wrong.',
  'error.card_refused':
    'This is test mode, which does not accept real cards. Use one of the test cards listed below.',
  'error.expiry': 'Enter the expiry date as month and year, for example 12/30.',
  'error.expiry_past': 'This date is in the past. Check it, or use another card.',
  'error.expiry_far': 'The year is too far ahead. Check the expiry date.',
  'error.cvc': 'Enter the security code: 3 or 4 digits.',
  'error.cvc_3': 'Enter the security code: the 3 digits on the back of the card.',
  'error.cvc_4': 'Enter the security code: the 4 digits on the front of the card.',
  'error.outcome': 'Choose how the bank should respond.',
  'error.code': 'Enter the 6 digits of the code.',
  'error.code_wrong':
    '{count, plural, one {The code is wrong. You can enter it # more time.} other {The code is wrong. You can enter it # more times.}}',

  'failure.card_declined': 'The bank declined the payment. Try another card.',
  'failure.insufficient_funds': 'There is not enough money on the card. Try another card.',
  'failure.expired_card': 'The card has expired. Try another card.',
  'failure.incorrect_cvc': 'The security code is incorrect. Check it and try again.',
  'failure.authentication_failed': 'The bank could not confirm that it was you. Try again.',
  'failure.limit_exceeded': 'The amount exceeds the card’s limit. Try another card.',
  'failure.issuer_unavailable':
    'The bank that issued the card cannot be reached. Try again a little later.',
  'failure.processing_error': 'The bank could not process the payment. Try again.',
  'failure.bank_timeout':
    'The bank did not respond in time, so this attempt was canceled. You can try again.',
  'failure.suspected_fraud':
    'The bank did not approve the payment. Contact your bank or choose another way to pay.',
  'failure.lost_or_stolen':
    'The bank did not approve the payment. Contact your bank or choose another way to pay.',

  'cancel.heading': 'Cancel this payment?',
  'cancel.text': 'Nothing will be charged. The payment cannot be resumed afterwards.',
  'cancel.yes': 'Yes, cancel the payment',
  'cancel.no': 'No, go back',
  'cancel.refused': 'The payment is with the bank',
  'cancel.refused_text':
    'It cannot be canceled here right now. If the bank has not decided yet, you can go back from its page without paying.',
  'cancel.onward': 'Continue',

  'waiting.heading': 'Waiting for the bank',
  'waiting.text':
    'The bank is processing your payment. This page updates by itself. You may close it: the payment will not be lost.',
  'leaving.heading': 'Leaving the bank',
  'leaving.text':
    'This attempt is being canceled at the bank. This page updates by itself. If the bank had already approved the payment, you will see that here.',
  'silent.heading': 'The bank has not responded yet',
  'silent.text':
    'This is taking longer than usual. Check again: if the bank still has not responded, this attempt will be canceled and you can pay again.',
  'silent.check': 'Check again',

  'completed.heading': 'Payment completed',
  'completed.text': 'Thank you. Your payment of {amount} has been received.',
  'completed.returning': 'You will be taken back to the shop in {seconds} seconds.',
  'completed.stay': 'Stay here and print the receipt',
  'failed.heading': 'Payment not completed',
  'failed.no_attempts':
    'There are no attempts left for this payment. To try again, return to the shop.',
  'failed.text': 'Nothing was charged.',
  'canceled.heading': 'Payment canceled',
  'canceled.text':
    'Nothing was charged. If you still want to pay, return to the shop and start again.',
  'expired.heading': 'The time to pay has run out',
  'expired.text': 'Nothing was charged. To pay, return to the shop and start again.',
  'finished.return': 'Return to the shop',
  'finished.past':
    'This payment ended more than a day ago, so its details are no longer shown here. Ask the shop about your order.',
  'receipt.date': 'Date',
  'receipt.card': 'Card',
  'receipt.refunded': 'Refunded',
  'receipt.payment': 'Payment ID',

  'notice.not_found': 'Page not found',
  'notice.not_found_text': 'There is nothing at this address. Check the link you were given.',
  'notice.method': 'This page cannot be opened this way',
  'notice.method_text': 'Open the link you were given again.',
  'notice.form': 'The form could not be read',
  'notice.form_text': 'Go back and fill in the form again.',
  'notice.too_many': 'Please wait a minute',
  'notice.too_many_text':
    'Too many wrong links were opened from your network. Wait a minute, check the link you were given, and open it again.',
  'notice.unavailable': 'Please try again in a moment',
  'notice.unavailable_text':
    'The service cannot be reached right now. Nothing is lost and nothing was charged twice.',
  'notice.fault': 'Something went wrong on our side',
  'notice.fault_text': 'We have recorded the fault. Nothing is lost. Please try again.',
  'notice.again': 'Try again',

  'bank.name': 'Moonstone Sandbox Bank',
  'bank.banner': 'Test bank: no money moves.',
  'bank.no_money': 'This bank is not real. Whatever you choose, no card is charged.',
  'bank.heading': 'Confirm the payment',
  'bank.payee': 'Payee',
  'bank.card': 'Card',
  'bank.choose': 'How should the bank respond?',
  'bank.decline': 'Decline: {outcome}',
  'bank.all': 'All responses',
  'bank.send': 'Send the response',
  'bank.group_approve': 'Approve',
  'bank.group_decline': 'Decline; the customer may try again',
  'bank.group_end': 'Decline for good',
  'bank.group_late': 'Respond later',
  'bank.group_silent': 'Do not respond in time',
  'bank.group_leave': 'Leave the bank',
  'bank.time_left': 'The bank has {time} left. To skip the wait, use tollgate advance.',
  'bank.then': 'Status: {status}. Event: {event}.',
  'bank.then_code': 'After the right code, status: {status}. Event: {event}.',
  'bank.then_later': 'Status: processing, then {status}. Event: {event}.',
  'bank.then_back': 'Status: {status}. No event; the attempt does not count.',
  'bank.then_reversed': 'The late approval is reversed.',

  'outcome.approve': 'Approve at once',
  'outcome.approve_3ds': 'Ask for a confirmation code first (3-D Secure)',
  'outcome.insufficient_funds': 'Not enough money on the card',
  'outcome.card_declined': 'Card declined without a reason',
  'outcome.expired_card': 'Card has expired',
  'outcome.incorrect_cvc': 'Security code is incorrect',
  'outcome.limit_exceeded': 'The amount exceeds the card’s limit',
  'outcome.issuer_unavailable': 'Issuing bank cannot be reached',
  'outcome.suspected_fraud': 'Fraud suspected',
  'outcome.lost_or_stolen': 'Card reported lost or stolen',
  'outcome.approve_after_5s': 'Approve after 5 seconds',
  'outcome.approve_after_30s': 'Approve after 30 seconds',
  'outcome.decline_after_30s': 'Decline after 30 seconds',
  'outcome.approve_after_timeout': 'Approve only after the shop has given up waiting',
  'outcome.never_answer': 'Never respond',
  'outcome.turn_back': 'Go back without paying',

  'late.heading': 'This attempt is over',
  late_turned_back:
    'You went back to the payment page, perhaps in another tab, so this attempt was canceled. Your choice came too late, and nothing is charged for this attempt.',
  late_timed_out:
    'The time for this attempt ran out, so it was canceled. Your choice came too late, and nothing is charged for this attempt.',
  late_decided:
    'The bank has already decided on this attempt, and a later one has begun. Your choice changed nothing.',
  'late.onward': 'See the payment',

  'code.heading': 'Confirm that it is you',
  'code.text':
    'A real bank would now send a code to your phone. Here, enter {code}. After three wrong codes the attempt is declined.',
  'code.label': 'Confirmation code',
  'code.send': 'Confirm',
  'code.back': 'Go back without paying',
} as const;

export type TextKey = keyof typeof EN;
