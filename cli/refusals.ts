import { Refusal } from '../operations/refusal.ts';

/** Returns the refusal of an option's value. */
export const invalid = (param: string, message: string): Refusal =>
  new Refusal('parameter_invalid', { message, param });

/** Returns the refusal of a command that lacks an option. */
export const missing = (param: string, message: string): Refusal =>
  new Refusal('parameter_missing', { message, param });
