/** Everything that the worker of the `payments` queue runs. */
export { payment } from './payment.ts';
export { refund } from './refund.ts';
export { replay } from './replay.ts';
export { sweep } from './sweep.ts';
