/** The objects of the API, and names for parts of them. */
import type { Event } from './objects/event.ts';

export type * from './objects/currency.ts';
export type * from './objects/error.ts';
export type * from './objects/event.ts';
export type * from './objects/payment.ts';
export type * from './objects/refund.ts';

export type EventType = Event['type'];
