/** Verifies a payment page as a customer gets it: its headers, markup, scripts and style sheets. */
import { hashOf } from '../http/assets.ts';
import { IDENTITY_PATH } from '../http/identity.ts';
import { VERSION } from '../version.ts';
import { NotReached, fetchAsBrowser } from './fetch.ts';
import type { Fetched } from './fetch.ts';
import { compareHeaders } from './headers.ts';
import { makeInventory } from './inventory.ts';
import type { KnownFile } from './inventory.ts';
import { comparePage } from './page.ts';
import type { Difference, Loaded } from './page.ts';

export interface Report {
  /** The page without its secrets, such as `https://pay.example/c/...`. */
  readonly page: string;
  readonly version: string;
  /** The version that the server names; null if it names none. */
  readonly server_version: string | null;
  readonly same: boolean;
  readonly differences: readonly Difference[];
  /** The inventory of this version, with the reason of each file. */
  readonly inventory: readonly KnownFile[];
}

/** The addresses of pages: the group is the path before them. */
const PAGE_PATH = /^(.*)\/(c|bank)\/[^/]/;
/** From the checkout to the bank is one. */
const MAX_REDIRECTS = 3;

/** Returns the path before the addresses of the checkout, or undefined if it is no page. */
export const baseOf = ({ pathname }: URL): string | undefined => PAGE_PATH.exec(pathname)?.[1];

/** Fetches the page and all that it loads. Throws `NotReached` if there is no page to verify. */
export async function verifyPage(address: URL): Promise<Report> {
  const base = baseOf(address) ?? '';
  const checkoutUrl = address.origin + base;
  const inventory = makeInventory(base);
  const serverVersion = await versionOf(checkoutUrl);
  const { url, page, redirect } = await openPage(address);
  const differences: Difference[] = [];
  if (serverVersion !== null && serverVersion !== VERSION) {
    const text = `The server is version ${serverVersion}, and this command ${VERSION}.`;
    differences.push({ kind: 'version', text });
  }
  if (redirect !== undefined) {
    differences.push({ kind: 'redirect', text: `The page redirects to ${redirect}` });
  } else {
    differences.push(...(await compareHeaders(page.headers, checkoutUrl)));
    const found = comparePage(page.body.toString(), { url, base, inventory });
    differences.push(...found.differences);
    const fonts = inventory
      .filter(({ type }) => type.startsWith('font/'))
      .map((file) => ({ ...file, url: new URL(file.address, url) }));
    for (const file of [...found.loaded, ...fonts]) differences.push(...(await compareFile(file)));
  }
  const lines = differences.map(({ kind, text }) => ({ kind, text: oneLine(text) }));
  const [, , kind] = PAGE_PATH.exec(url.pathname) ?? [];
  return {
    page: `${checkoutUrl}/${kind ?? 'c'}/...`,
    version: VERSION,
    server_version: serverVersion,
    same: lines.length === 0,
    differences: lines,
    inventory,
  };
}

interface Opened {
  readonly url: URL;
  readonly page: Fetched;
  /** The origin to which the page leads away. */
  readonly redirect?: string;
}

/** Opens the page and follows its redirects, as long as they stay on its origin. */
async function openPage(address: URL): Promise<Opened> {
  let url = address;
  for (let n = 0; n <= MAX_REDIRECTS; n += 1) {
    const page = await fetchAsBrowser(url, 'page');
    const { location } = page.headers;
    if (page.status === 200) return { url, page };
    if (page.status < 300 || page.status > 399 || location === undefined) {
      throw new NotReached(`${url.origin} responded with ${page.status}: there is no page.`);
    }
    url = new URL(location, url);
    if (url.origin !== address.origin) return { url: address, page, redirect: url.origin };
  }
  throw new NotReached(`${url.origin} redirects without an end.`);
}

/** Compares a file with its hash. Browsers would also refuse a script of another type. */
async function compareFile({ name, type, url, hash }: Loaded): Promise<Difference[]> {
  const kind = KINDS[type] ?? 'image';
  const { status, headers, body } = await fetchAsBrowser(url, kind);
  if (status !== 200) return [{ kind: 'file', text: `${name}: the response was ${status}` }];
  const given = headers['content-type'] ?? '(none)';
  const isTyped = given.split(';')[0]?.trim() === type;
  const own = hashOf(body);
  return [
    ...(own === hash
      ? []
      : [{ kind: 'file', text: `${name}: its bytes have SHA-384 ${own} instead of ${hash}` }]),
    ...(isTyped ? [] : [{ kind: 'file', text: `${name}: its type is ${given}, not ${type}` }]),
  ];
}

const KINDS: Readonly<Partial<Record<string, 'script' | 'style' | 'font'>>> = {
  'text/javascript': 'script',
  'text/css': 'style',
  'font/woff2': 'font',
};

/** Returns the version that the server names, or null: a proxy may hide it. */
async function versionOf(checkoutUrl: string): Promise<string | null> {
  const { status, body } = await fetchAsBrowser(new URL(checkoutUrl + IDENTITY_PATH), 'page');
  const [, version = null] = /"version":"([\w.+-]+)"/.exec(body.toString()) ?? [];
  return status === 200 ? version : null;
}

const MAX_LENGTH = 300;

/** Returns text from a page, which may be hostile, as one short line for a terminal. */
const oneLine = (text: string): string =>
  text.replaceAll(/[\p{C}\p{Zl}\p{Zp}]+/gu, ' ').slice(0, MAX_LENGTH);
