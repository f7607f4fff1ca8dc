/** The texts of pages in English. The other languages have exactly these keys. */

export const EN = {
  'test.banner': 'This is a test. No money moves.',
  'page.title': 'Payment',
  'page.skip': 'Skip to the content',
  'page.language': 'Language',
  'page.made_by': 'Payment page by Tollgate',

  'summary.to': 'Payment to',
  'summary.amount': 'Amount to pay',
  'summary.total': 'Amount',
  'summary.about': 'For',
  'summary.order': 'Order',

  'form.heading': 'Pay by card',
  'form.card_number': 'Card number',
  'form.expiry': 'Expiry date',
  'form.expiry_hint': 'MM/YY',
  'form.cvc': 'Security code',
  'form.cvc_hint': '3 or 4 digits',
  'form.pay': 'Pay {amount}',
  'form.cancel': 'Cancel the payment',
  'form.time_left': 'Time left to pay: {time}',
  'form.attempts_left':
    '{count, plural, one {You have # try left.} other {You have # tries left.}}',
  'form.declined': 'The payment did not go through',
  'form.turned_back': 'You came back from the bank before it decided. Nothing was charged.',
  'form.test_cards': 'Test cards',
  'form.test_cards_hint': 'Any expiry date and any security code will do.',

  'error.heading': 'Please check the form',
  'error.card_missing': 'Enter the card number.',
  'error.card_refused':
    'Only the test cards listed on this page are accepted. Do not enter a real card.',
  'error.expiry': 'Enter the expiry date as month and year, for example 12/30.',
  'error.cvc': 'Enter the security code: 3 or 4 digits.',
  'error.outcome': 'Choose what the bank should answer.',
  'error.code': 'Enter the code.',

  'failure.card_declined': 'The bank declined the card. Try another card.',
  'failure.insufficient_funds': 'There is not enough money on the card. Try another card.',
  'failure.expired_card': 'The card has expired. Try another card.',
  'failure.incorrect_cvc': 'The security code is incorrect. Check it and try again.',
  'failure.authentication_failed': 'The bank could not confirm that it was you. Try again.',
  'failure.limit_exceeded': 'The amount is above a limit of the card. Try another card.',
  'failure.issuer_unavailable':
    'The bank that issued the card cannot be reached. Try again a little later.',
  'failure.processing_error': 'The bank could not process the payment. Try again.',
  'failure.bank_timeout':
    'The bank did not answer in time, so this try was canceled there. You can try again.',
  'failure.suspected_fraud': 'The bank did not approve the payment.',
  'failure.lost_or_stolen': 'The bank did not approve the payment.',

  'cancel.heading': 'Cancel this payment?',
  'cancel.text': 'Nothing will be charged. The payment cannot be resumed afterwards.',
  'cancel.yes': 'Yes, cancel the payment',
  'cancel.no': 'No, go back',
  'cancel.refused': 'The payment is at the bank',
  'cancel.refused_text':
    'It cannot be canceled here right now. If the bank has not decided yet, you can turn back on its page.',
  'cancel.onward': 'Continue',

  'waiting.heading': 'Waiting for the bank',
  'waiting.text':
    'The bank is processing your payment. This page updates by itself. You can also close it: the payment is not lost.',
  'leaving.heading': 'Leaving the bank',
  'leaving.text':
    'This try is being canceled at the bank. This page updates by itself. If the bank had already approved the payment, you will see that here.',
  'silent.heading': 'The bank has not answered yet',
  'silent.text':
    'It is taking longer than usual, so we ask the bank once more. If it still does not answer, this try is canceled there and you can try again. This page updates by itself, or you can check again now.',
  'silent.check': 'Check again',

  'completed.heading': 'Payment completed',
  'completed.text': 'Thank you. Your payment of {amount} has been received.',
  'completed.returning': 'You will be taken back to the shop in a few seconds.',
  'failed.heading': 'Payment not completed',
  'failed.text': 'The payment could not be completed. Nothing was charged.',
  'canceled.heading': 'Payment canceled',
  'canceled.text': 'The payment was canceled. Nothing was charged.',
  'expired.heading': 'The time to pay is over',
  'expired.text': 'This payment can no longer be made. Nothing was charged.',
  'finished.return': 'Return to the shop',
  'finished.past':
    'This payment ended more than a day ago, so its details are no longer shown here. Ask the shop about your order.',

  'notice.not_found': 'Page not found',
  'notice.not_found_text': 'There is nothing at this address. Check the link you were given.',
  'notice.method': 'This page cannot be opened',
  'notice.method_text': 'This address does not accept this kind of request.',
  'notice.form': 'The form could not be read',
  'notice.form_text': 'We did not recognise the form. Go back and fill it in again.',
  'notice.unavailable': 'Please try again in a moment',
  'notice.unavailable_text':
    'The service cannot be reached right now. Nothing is lost and nothing was charged twice.',
  'notice.fault': 'Something went wrong on our side',
  'notice.fault_text': 'We have recorded the fault. Nothing is lost. Please try again.',
  'notice.again': 'Try again',

  'bank.name': 'Moonstone Sandbox Bank',
  'bank.no_money':
    'This bank is made up. No money moves and no card is charged, whatever you choose.',
  'bank.heading': 'Confirm the payment',
  'bank.payee': 'Payee',
  'bank.card': 'Card',
  'bank.choose': 'What should the bank answer?',
  'bank.send': 'Send the answer',
  'bank.group_approve': 'Approve',
  'bank.group_decline': 'Decline; the customer may try again',
  'bank.group_end': 'Decline for good',
  'bank.group_late': 'Answer later',
  'bank.group_silent': 'Do not answer in time',
  'bank.group_leave': 'Leave the bank',

  'outcome.approve': 'Approve at once',
  'outcome.approve_3ds': 'Ask for a confirmation code first (3-D Secure)',
  'outcome.insufficient_funds': 'Not enough money on the card',
  'outcome.card_declined': 'Card declined without a reason',
  'outcome.expired_card': 'Card has expired',
  'outcome.incorrect_cvc': 'Security code is incorrect',
  'outcome.limit_exceeded': 'Amount is above a limit of the card',
  'outcome.issuer_unavailable': 'Issuing bank cannot be reached',
  'outcome.suspected_fraud': 'Fraud suspected',
  'outcome.lost_or_stolen': 'Card reported lost or stolen',
  'outcome.approve_after_5s': 'Approve after 5 seconds',
  'outcome.approve_after_30s': 'Approve after 30 seconds',
  'outcome.decline_after_30s': 'Decline after 30 seconds',
  'outcome.approve_after_timeout': 'Approve only after the shop has given up waiting',
  'outcome.never_answer': 'Never answer',
  'outcome.turn_back': 'Turn back to the payment page without a decision',

  'late.heading': 'This try is over',
  late_turned_back:
    'You went back to the payment page, perhaps in another tab, so this try was canceled. Your choice came too late, and nothing is charged for this try.',
  late_timed_out:
    'The time for this try ran out, so it was canceled. Your choice came too late, and nothing is charged for this try.',
  late_decided:
    'The bank has already decided on this try, and a later try has begun. Your choice changed nothing.',
  'late.onward': 'See the payment',

  'code.heading': 'Confirm that it is you',
  'code.text':
    'A real bank would now send a code to your phone. The code of this sandbox is {code}; any other code is refused.',
  'code.label': 'Confirmation code',
  'code.send': 'Confirm',
  'code.back': 'Turn back without paying',
} as const;

export type TextKey = keyof typeof EN;
