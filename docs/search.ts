/** The index of the search: one entry for each page, section, field, error and command. */
import { textOf } from './guides.ts';
import type { DocsPage } from './pages.tsx';
import type { Reference } from './reference.ts';
import { introductionOf, sectionsOf } from './sections.ts';

/** An entry: its title, its place, its address, and its text. The script reads them by position. */
export type SearchEntry = readonly [title: string, place: string, href: string, text: string];

/** The text of a section that can be found, in characters. Whole sections are much shorter. */
const MAX_TEXT = 1_500;
/** The text of a field. */
const MAX_FIELD_TEXT = 160;

const FIELD = /<li(?: id="([^"]*)")?>(?:<div>|<a [^>]*>)?<code class="field-name">([^]*?)<\/code>/g;
const LISTED = /<ul class="(?:fields|responses)">[^]*/;

/** Returns the entries of all pages. */
export function makeSearchIndex(api: Reference, pages: readonly DocsPage[]): SearchEntry[] {
  return pages.flatMap((page) => [
    [page.title, '', api.pageHref(page.slug), wordsOf(introductionOf(page.html)) || page.summary],
    ...sectionsOf(page.html).flatMap(({ anchor, title, html }): SearchEntry[] => {
      const href = api.pageHref(page.slug, anchor);
      const fields = page.slug === '' ? [] : fieldsIn(html);
      return [
        [title, page.title, href, wordsOf(html)],
        ...fields.map(({ name, id, text }): SearchEntry => {
          const at = id === undefined ? href : api.pageHref(page.slug, id);
          return [name, title === page.title ? title : `${page.title}: ${title}`, at, text];
        }),
      ];
    }),
  ]);
}

/** Returns the text without code, whose words would be found everywhere. */
function wordsOf(html: string): string {
  const bare = html.replaceAll(/<pre[^]*?<\/pre>/g, '').replace(LISTED, '');
  return textOf(bare.replaceAll(/<\/(?:p|td|th|li|div|h3)>/g, '$& ')).slice(0, MAX_TEXT);
}

/** Returns the fields, errors and options of a section. A name that comes twice counts once. */
function fieldsIn(html: string) {
  const found = [...html.matchAll(FIELD)];
  const fields = found.map(({ 0: whole, 1: id, 2: name = '', index }, at) => {
    const rest = html.slice(index + whole.length, found[at + 1]?.index).split('<summary>')[0] ?? '';
    const text = textOf(rest.replaceAll(/<\/(?:div|span|p|li|a)>/g, '$& '));
    return { name: textOf(name), id, text: text.slice(0, MAX_FIELD_TEXT) };
  });
  return fields.filter(({ name }, at) => fields.findIndex((one) => one.name === name) === at);
}
