/** A customer's browser without JavaScript: it opens pages and submits their forms. */
import { parse } from 'node-html-parser';
import type { HTMLElement } from 'node-html-parser';

export interface Page {
  readonly url: string;
  readonly root: HTMLElement;
  /** The name of what the page shows, for example `form`, `bank` or `completed`. */
  readonly view: string;
}

/** Opens a page, following redirects. Throws if there is no page of Tollgate. */
export async function openPage(url: string, signal: AbortSignal): Promise<Page> {
  return load(url, { signal });
}

/**
 * Fills in the form that has all of these fields, and submits it with its other values. Returns the
 * next page. Throws if the page has no such form.
 */
export async function submitForm(
  { url, root, view }: Page,
  fields: Readonly<Record<string, string>>,
  signal: AbortSignal,
): Promise<Page> {
  const form = root.querySelectorAll('form').find((each) => hasFields(each, Object.keys(fields)));
  if (!form) throw new Error(`The page "${view}" has no form with ${Object.keys(fields).join()}.`);
  const body = new URLSearchParams({ ...presetValues(form), ...fields });
  const action = new URL(form.getAttribute('action') ?? '', url);
  return load(action, { method: 'POST', body, signal });
}

/** Loads a page. The message of an error has the reason, but not the path, which is a secret. */
async function load(url: string | URL, options: RequestInit): Promise<Page> {
  const response = await fetch(url, options).catch((error: unknown) => {
    const { code, message } = ((error as Error).cause ?? error) as NodeJS.ErrnoException;
    const { origin } = new URL(url);
    throw new Error(`The page at ${origin} could not be loaded (${code ?? message}).`, {
      cause: error,
    });
  });
  return pageOf(response);
}

async function pageOf(response: Response): Promise<Page> {
  const text = await response.text();
  const root = parse(text);
  const view = root.querySelector('[data-view]')?.getAttribute('data-view');
  const { pathname } = new URL(response.url);
  const [, place] = pathname.split('/');
  if (response.ok && view !== undefined) return { url: response.url, root, view };
  throw new Error(`The page /${place}/... returned ${response.status} with another page.`);
}

const inputsOf = (form: HTMLElement): HTMLElement[] => form.querySelectorAll('input[name]');

function hasFields(form: HTMLElement, names: readonly string[]): boolean {
  const present = new Set(inputsOf(form).map((input) => input.getAttribute('name')));
  return names.every((name) => present.has(name));
}

/** Returns the values that the form has before anybody fills it in. */
function presetValues(form: HTMLElement): Record<string, string> {
  const sent = inputsOf(form).filter(
    (input) =>
      !['radio', 'checkbox'].includes(input.getAttribute('type') ?? '') ||
      input.hasAttribute('checked'),
  );
  const pairs = sent.map((input) => [
    input.getAttribute('name') ?? '',
    input.getAttribute('value') ?? '',
  ]);
  return Object.fromEntries(pairs) as Record<string, string>;
}
