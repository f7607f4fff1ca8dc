/** The workflows of the `payments` queue. */
export { payment } from './payment.ts';
export { refund } from './refund.ts';
export { replay } from './replay.ts';
export { sweep } from './sweep.ts';
