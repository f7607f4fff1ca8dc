/**
 * The documentation: pages of HTML, each also as Markdown, and the index of the search. Pages load
 * nothing from other servers. Their style and their script are inline.
 */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { Document, renderDocument } from '../ui/document.tsx';
import { readClients } from './clients.ts';
import { Contents } from './contents.tsx';
import { makeOverview } from './overview.tsx';
import { makePages } from './pages.tsx';
import type { DocsPage, PageGroup } from './pages.tsx';
import { readReference } from './reference.ts';
import type { DocsOptions, Reference } from './reference.ts';
import { makeSearchIndex } from './search.ts';

export interface DocsFile {
  /** Where it is served, as in `/docs/quickstart`. */
  readonly path: string;
  readonly type: string;
  readonly text: string;
}

/** The icon of the checkout pages. It is inline, because the API serves no files. */
const ICON = `data:image/svg+xml,${encodeURIComponent(
  '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 32 32"><rect width="32" height="32" rx="7" fill="#1f4fd1"/><path d="M7 11h18v3H18v11h-4V14H7z" fill="#fff"/></svg>',
)}`;

const STYLES = ['../ui/reset.css', 'page.css'];
const SCRIPTS = ['moved', 'key', 'languages', 'copy', 'search', 'contents'];

const HTML = 'text/html; charset=utf-8';
const PLAIN = 'text/plain; charset=utf-8';
const MARKDOWN = 'text/markdown; charset=utf-8';

const read = (file: string): string => readFileSync(path.join(import.meta.dirname, file), 'utf8');

/** A page for addresses that have none. */
const MISSING: DocsPage = {
  slug: 'not-found',
  title: 'No such page',
  summary: 'The address has no page.',
  html: '<p>This address has no page. The list of pages has them all, and the search finds them.</p>',
  markdown: '# No such page\n',
};

/** Returns every file of the documentation. Its server must allow inline code by hash. */
export function renderDocs(options: DocsOptions): DocsFile[] {
  const api = readReference(options);
  const others = makePages(api);
  const overview = makeOverview(api, others);
  const [first, ...rest] = others;
  const groups = [
    { title: first?.title ?? '', pages: [overview, ...(first?.pages ?? [])] },
    ...rest,
  ];
  const pages = groups.flatMap((group) => group.pages);
  const css = STYLES.map(read).join('');
  // In blocks, so that their names do not clash.
  const script = SCRIPTS.map((name) => `{\n${read(`scripts/${name}.js`)}}\n`).join('');
  const site = { api, groups, pages, css, script };
  const index = JSON.stringify(makeSearchIndex(api, pages));
  return [
    ...[...pages, MISSING].map((page) => {
      return { path: fileOf(page.slug), type: HTML, text: renderPage(site, page) };
    }),
    ...pages.map(({ slug, markdown }) => {
      const text = `${markdown.trimEnd()}\n`;
      return { path: `${fileOf(slug || 'index')}.md`, type: MARKDOWN, text };
    }),
    { path: '/docs/llms.txt', type: PLAIN, text: `${overview.markdown}\n` },
    ...Object.entries(readClients()).map(([file, text]) => ({ path: file, type: PLAIN, text })),
    { path: '/docs/search.json', type: 'application/json; charset=utf-8', text: index },
  ];
}

const fileOf = (slug: string): string => `/docs${slug && `/${slug}`}`;

interface Site {
  readonly api: Reference;
  readonly groups: readonly PageGroup[];
  readonly pages: readonly DocsPage[];
  readonly css: string;
  readonly script: string;
}

function renderPage(site: Site, page: DocsPage): string {
  const { api, css, script } = site;
  const { info } = api.document;
  const head = (
    <>
      <meta name="color-scheme" content="light dark" />
      <meta name="description" content={page.summary} />
      <style dangerouslySetInnerHTML={{ __html: css }} />
      <script type="module" dangerouslySetInnerHTML={{ __html: script }} />
    </>
  );
  const name = `${info.title} documentation`;
  const title = page.slug === '' ? name : `${page.title} · ${name}`;
  return renderDocument(
    <Document locale="en" title={title} styles={[]} icon={ICON} head={head}>
      <Page site={site} page={page} />
    </Document>,
  );
}

function Page({ site: { api, groups, pages }, page }: { site: Site; page: DocsPage }) {
  return (
    <>
      <a class="skip" href="#content">
        Skip to the content
      </a>
      <header class="top">
        <a class="brand" href={api.pageHref('')}>
          Tollgate
        </a>
        <Search api={api} />
        <a class="top-openapi" href={api.pageHref('').replace(/docs$/, 'openapi.json')}>
          OpenAPI
        </a>
        <a class="top-menu" href="#contents">
          Menu
        </a>
      </header>
      <div class="frame">
        <Contents api={api} groups={groups} current={page} />
        <main id="content" tabIndex={-1}>
          <h1>{page.slug === '' ? api.document.info.title : page.title}</h1>
          {page.html.includes('$KEY') && <OwnKey />}
          <article class={page.html.includes('class="entry"') ? undefined : 'guide'}>
            <div dangerouslySetInnerHTML={{ __html: page.html }} />
          </article>
          <Neighbours api={api} pages={pages} page={page} />
        </main>
      </div>
    </>
  );
}

/** The search, which needs the script. */
function Search({ api }: { api: Reference }) {
  return (
    <div class="search" hidden>
      <input
        id="search"
        type="search"
        role="combobox"
        placeholder="Search ( / )"
        autocomplete="off"
        spellcheck={false}
        aria-label="Search the documentation"
        aria-controls="found"
        aria-expanded={false}
        aria-autocomplete="list"
        data-index={api.pageHref('search.json')}
      />
      <ul id="found" role="listbox" aria-label="Search results" hidden />
      <p class="search-status" role="status" />
    </div>
  );
}

/** The field for the reader's test key, which needs the script. */
function OwnKey() {
  return (
    <div class="own-key" hidden>
      <label for="own-key">Your test key, for the examples</label>
      <input
        id="own-key"
        placeholder="sk_test_..."
        autocomplete="off"
        spellcheck={false}
        aria-describedby="own-key-hint"
      />
      <p id="own-key-hint">It stays in this browser tab until you close it, and is never sent.</p>
    </div>
  );
}

/** Links to the pages before and after this one. */
function Neighbours({ api, pages, page }: Pick<Site, 'api' | 'pages'> & { page: DocsPage }) {
  const at = pages.indexOf(page);
  const [previous, next] = at === -1 ? [] : [pages[at - 1], pages[at + 1]];
  if (!previous && !next) return null;
  return (
    <nav class="neighbours" aria-label="Previous and next page">
      {previous && (
        <a rel="prev" href={api.pageHref(previous.slug)}>
          <span>Previous</span> {previous.title}
        </a>
      )}
      {next && (
        <a rel="next" href={api.pageHref(next.slug)}>
          <span>Next</span> {next.title}
        </a>
      )}
    </nav>
  );
}
