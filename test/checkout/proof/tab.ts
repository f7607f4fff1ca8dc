/** A tab without a browser: opens pages by HTTP, and submits their forms with all their fields. */
import { strict as assert } from 'node:assert';
import { parse } from 'node-html-parser';
import type { HTMLElement } from 'node-html-parser';
import { HANG_MS } from '../../support/merchant.ts';
import { untilAccepted } from '../../support/retry.ts';

export interface Page {
  readonly url: string;
  readonly status: number;
  readonly view: string;
  /** Returns the form of that id. Throws if the page has none. */
  form(id: string): Form;
}

export interface Form {
  readonly action: string;
  /** The hidden fields. */
  readonly fields: Readonly<Record<string, string>>;
}

/** The response to a form: a redirect, or a page. */
export interface Reply {
  readonly status: number;
  /** The address of the redirect; empty for a page. */
  readonly to: string;
  /** The view of the page; empty for a redirect. */
  readonly view: string;
}

/** Opens an address, and follows redirects as browsers do. */
export async function open(url: string): Promise<Page> {
  const response = await untilAccepted(async () =>
    fetch(url, { signal: AbortSignal.timeout(HANG_MS) }),
  );
  const root = parse(await response.text());
  return {
    url: response.url,
    status: response.status,
    view: viewOf(root),
    form: (id) => formOf(root, id, response.url),
  };
}

/** Submits a form once. Follows no redirect. */
export async function submit(
  { action, fields: hidden }: Form,
  fields: Readonly<Record<string, string>> = {},
): Promise<Reply> {
  const response = await fetch(action, {
    method: 'POST',
    headers: { 'Sec-Fetch-Site': 'same-origin' },
    body: new URLSearchParams({ ...hidden, ...fields }),
    redirect: 'manual',
    signal: AbortSignal.timeout(HANG_MS),
  });
  const { status } = response;
  const location = response.headers.get('location');
  const text = await response.text();
  if (location !== null) return { status, to: new URL(location, action).href, view: '' };
  return { status, to: '', view: viewOf(parse(text)) };
}

/** Submits a form, again while the service is unavailable. */
export const submitUntilTaken = async (form: Form, fields: Readonly<Record<string, string>> = {}) =>
  untilAccepted(async () => submit(form, fields));

/** Returns the page that a reply shows or leads to. */
export async function viewAfter({ to, view }: Reply): Promise<string> {
  return to === '' ? view : (await open(to)).view;
}

const viewOf = (root: HTMLElement): string =>
  root.querySelector('main')?.getAttribute('data-view') ?? '';

function formOf(root: HTMLElement, id: string, url: string): Form {
  const form = root.querySelector(`#${id}`);
  assert(form, `${url} has no form ${id}`);
  const hidden = form
    .querySelectorAll('input[type="hidden"]')
    .map((input) => [input.getAttribute('name') ?? '', input.getAttribute('value') ?? ''] as const);
  const action = new URL(form.getAttribute('action') ?? '', url).href;
  return { action, fields: Object.fromEntries(hidden) };
}
