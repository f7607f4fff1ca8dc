/** Parts of variables that need no other room: lists and addresses. */
import { makeValidator } from 'envalid';

/** Returns the parts between commas, without spaces and empty ones. */
export const list = (text: string): string[] =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== '');

export const url = makeValidator((text) => {
  const parsed = URL.canParse(text) ? new URL(text) : undefined;
  const web = parsed?.protocol === 'http:' || parsed?.protocol === 'https:';
  if (!parsed || !web) throw new Error('must be an http or https URL');
  return parsed.href.replace(/\/+$/, '');
});
