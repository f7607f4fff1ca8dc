/** Compares the markup of a payment page with what this version of Tollgate writes. */
import { colourSheet } from '../checkout/colour.ts';
import { isReadable, readColour } from '../domain/colour.ts';
import { parseUrl } from '../domain/url.ts';
import { toIntegrity } from './inventory.ts';
import type { KnownFile } from './inventory.ts';
import { readMarkup } from './markup.ts';
import type { Tag } from './markup.ts';

export interface Difference {
  /** For programs: `script`, `style`, `header`, `markup` and so on. */
  readonly kind: string;
  /** For people, in one line. */
  readonly text: string;
}

/** A file that the page loads, with the hash that it must have. */
export interface Loaded {
  readonly name: string;
  readonly type: string;
  readonly url: URL;
  /** SHA-384 in base64url. */
  readonly hash: string;
}

export interface PageFindings {
  readonly differences: readonly Difference[];
  /** The files to fetch and to compare. */
  readonly loaded: readonly Loaded[];
}

export interface Place {
  /** The address of the page, after redirects. */
  readonly url: URL;
  /** The path before every address of the checkout, or ''. */
  readonly base: string;
  readonly inventory: readonly KnownFile[];
}

/** Elements that the pages never have: they run or load something, or change what others mean. */
const FORBIDDEN = new Set(
  ['base', 'style', 'iframe', 'frame', 'frameset', 'object', 'embed', 'applet', 'portal'].concat([
    'template',
    'foreignobject',
    'math',
    'video',
    'audio',
    'source',
    'track',
    'dialog',
  ]),
);
/** Attributes with addresses that a page loads or sends to. */
const LOADING = [
  'src',
  'xlink:href',
  'srcset',
  'data',
  'poster',
  'background',
  'manifest',
  'ping',
  'srcdoc',
];

/** Returns the differences of a page, and the files that it loads. */
export function comparePage(html: string, place: Place): PageFindings {
  const { tags, unreadable } = readMarkup(html);
  const loaded: Loaded[] = [];
  const differences = unreadable.map((text) => differ('markup', 'is not written so', text));
  const hasForm = tags.some(({ name }) => name === 'form');
  for (const tag of tags) {
    differences.push(...attributeFaults(tag));
    const found = judge(tag, place, hasForm);
    if (found && 'text' in found) differences.push(found);
    else if (found) loaded.push(found);
  }
  return { differences, loaded };
}

const differ = (kind: string, fault: string, shown: string): Difference => ({
  kind,
  text: `${kind}: ${shown} ${fault}`,
});

function attributeFaults({ name, attributes }: Tag): Difference[] {
  return [...attributes.keys()].flatMap((key) => {
    if (key.startsWith('on')) return [differ('event handler', 'was added', `<${name} ${key}>`)];
    if (key === 'referrerpolicy') return [differ('referrer policy', 'was added', `<${name}>`)];
    if (key === 'style') return [differ('inline style', 'was added', `<${name}>`)];
    return [];
  });
}

/** Judges one element. Returns a difference, the file that it loads, or nothing. */
function judge(tag: Tag, place: Place, hasForm: boolean): Difference | Loaded | undefined {
  const { name, attributes } = tag;
  const of = (key: string): string => attributes.get(key) ?? '';
  if (FORBIDDEN.has(name)) return differ('element', 'was added', `<${name}>`);
  if (name === 'script') return judgeScript(tag, place);
  if (name === 'link') return judgeLink(tag, place);
  if (name === 'meta' && /^referrer$/i.test(of('name'))) {
    return differ('meta', 'was added', 'name=referrer');
  }
  if (name === 'form' && of('method') !== 'post') {
    return differ('form', 'shows its fields in an address', `method="${of('method')}"`);
  }
  if (name === 'meta' && attributes.has('http-equiv')) {
    const isOurs = of('http-equiv') === 'refresh' && !hasForm;
    return isOurs ? undefined : differ('meta', 'was added', `http-equiv=${of('http-equiv')}`);
  }
  if (name === 'img' && isLogo(of('src'), place)) return undefined;
  const loading = LOADING.find((key) => attributes.has(key));
  if (loading) return differ('address', 'is unknown', `<${name} ${loading}="${of(loading)}">`);
  for (const key of ['action', 'formaction']) {
    if (attributes.has(key) && !isPage(of(key), place)) {
      return differ('form', 'leads elsewhere', `${key}="${of(key)}"`);
    }
  }
  const href = attributes.get('href');
  const isPlain = href === undefined || /^https?:$/.test(parseUrl(href, place.url)?.protocol ?? '');
  return isPlain ? undefined : differ('link', 'is no web address', `href="${href}"`);
}

function judgeScript(tag: Tag, place: Place): Difference | Loaded {
  const src = tag.attributes.get('src');
  if (tag.text !== '' || src === undefined) {
    return differ('inline script', 'was added', JSON.stringify(tag.text.slice(0, 60)));
  }
  return judgeFile({ kind: 'script', type: 'text/javascript', address: src }, tag, place);
}

function judgeLink(tag: Tag, place: Place): Difference | Loaded {
  const [rel, address] = [tag.attributes.get('rel') ?? '', tag.attributes.get('href') ?? ''];
  if (rel === 'stylesheet') {
    return judgeFile({ kind: 'style sheet', type: 'text/css', address }, tag, place);
  }
  const known = fileAt(address, place);
  const isOurs = rel === 'icon' || (rel === 'preload' && tag.attributes.get('as') === 'font');
  return isOurs && known ? known : differ('link', 'was added', `rel="${rel}" href="${address}"`);
}

interface Reference {
  readonly kind: string;
  readonly type: string;
  readonly address: string;
}

function judgeFile({ kind, type, address }: Reference, tag: Tag, place: Place) {
  const url = parseUrl(address, place.url);
  if (url?.origin !== place.url.origin) return differ(kind, 'is from a foreign origin', address);
  const file = fileAt(address, place);
  if (!file) return differ(kind, 'is not in the inventory of this version', address);
  if (file.type !== type) return differ(kind, `is of the type ${file.type}`, address);
  const integrity = tag.attributes.get('integrity');
  const expected = toIntegrity(file.hash);
  if (integrity === expected) return file;
  const fault = `has the integrity ${integrity ?? '(none)'} instead of ${expected}`;
  return differ(kind, fault, address);
}

/** Returns the file of the inventory, or a merchant's colour, if it has exactly that address. */
function fileAt(address: string, place: Place): Loaded | undefined {
  const url = parseUrl(address, place.url);
  const known = place.inventory.find((each) => each.address === address);
  if (url && known) return { ...known, url };
  const colour = readColour(`#${/\/colours\/([\da-f]{6})\?v=/.exec(address)?.[1] ?? ''}`);
  if (!url || colour === undefined || !isReadable(colour)) return undefined;
  const own = colourSheet({ addresses: place }, colour);
  const [, hash = ''] = own.split('?v=');
  return own === address ? { name: `colour ${colour}`, type: 'text/css', url, hash } : undefined;
}

function isLogo(address: string, { url, base }: Place): boolean {
  const { origin, pathname } = parseUrl(address, url) ?? {};
  const isOurs = pathname?.startsWith(`${base}/logos/`) ?? false;
  return origin === url.origin && isOurs && /\/logos\/[\da-f]{64}$/.test(address);
}

function isPage(address: string, { url, base }: Place): boolean {
  const { origin, pathname = '' } = parseUrl(address, url) ?? {};
  const isOurs = ['/c/', '/bank/'].some((kind) => pathname.startsWith(base + kind));
  return origin === url.origin && isOurs;
}
