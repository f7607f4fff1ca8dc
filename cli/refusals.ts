import { Refusal } from '../operations/refusal.ts';

/** Returns the refusal of an option's value. */
export const invalid = (param: string, message: string): Refusal =>
  new Refusal('parameter_invalid', { message, param });

/** Returns the refusal of a command that lacks an option. */
export const missing = (param: string, message: string): Refusal =>
  new Refusal('parameter_missing', { message, param });

/** Returns the refusal of an operator's command in a merchant's project. */
export const elsewhere = (command: string): Refusal =>
  invalid(
    'command',
    `tollgate ${command} is for operators. Run it where Tollgate is installed, in its folder: ` +
      `npx tollgate ${command}. With Docker: docker compose run --rm tollgate ${command}.`,
  );
