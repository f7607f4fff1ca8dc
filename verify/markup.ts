/**
 * Reads the markup of a page as strictly as the checkout writes it. In its pages every `<` begins a
 * tag, and attributes have double quotes. So a browser cannot read a page in another way.
 */

export interface Tag {
  readonly name: string;
  /** Values without their entities, by the name in lower case. */
  readonly attributes: ReadonlyMap<string, string>;
  /** The text up to the next tag. */
  readonly text: string;
}

export interface Markup {
  /** All tags that open an element, in order. */
  readonly tags: readonly Tag[];
  /** The beginnings of what the checkout would not write. */
  readonly unreadable: readonly string[];
}

const DOCTYPE = '<!doctype html>';
const ATTRIBUTE = String.raw`\s+[^\s"'<>/=]+(?:="[^"<]*")?`;
const TAG = new RegExp(String.raw`<(/?)([a-zA-Z][\w-]*)((?:${ATTRIBUTE})*)\s*/?>`, 'y');
const ATTRIBUTES = /\s([^\s"'<>/=]+)(?:="([^"<]*)")?/g;
const ENTITIES: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"' };
const SHOWN_LENGTH = 60;

/** Reads a whole page. */
export function readMarkup(html: string): Markup {
  const tags: Tag[] = [];
  const unreadable: string[] = [];
  const isOurs = html.startsWith(DOCTYPE);
  if (!isOurs) unreadable.push(html.slice(0, SHOWN_LENGTH));
  let at = html.indexOf('<', isOurs ? DOCTYPE.length : 0);
  while (at >= 0) {
    TAG.lastIndex = at;
    const [whole, slash, name = '', rest = ''] = TAG.exec(html) ?? [];
    const end = at + (whole?.length ?? 1);
    const next = html.indexOf('<', end);
    const attributes = attributesOf(rest);
    if (whole === undefined || attributes === undefined) {
      unreadable.push(html.slice(at, at + SHOWN_LENGTH));
    } else if (slash === '') {
      const text = html.slice(end, next < 0 ? undefined : next);
      tags.push({ name: name.toLowerCase(), attributes, text });
    }
    at = next;
  }
  return { tags, unreadable };
}

/** Returns undefined if one is repeated, or has an entity that the checkout does not write. */
function attributesOf(rest: string): Map<string, string> | undefined {
  const attributes = new Map<string, string>();
  for (const [, name = '', value = ''] of rest.matchAll(ATTRIBUTES)) {
    const isPlain = !/&(?!(?:amp|lt|gt|quot);)/.test(value);
    if (!isPlain || attributes.has(name.toLowerCase())) return undefined;
    const text = value.replaceAll(/&(\w+);/g, (_, entity: string) => ENTITIES[entity] ?? '');
    attributes.set(name.toLowerCase(), text);
  }
  return attributes;
}
