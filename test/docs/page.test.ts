/** The pages as text: their anchors, links, sizes, Markdown and index. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import { gzipSync } from 'node:zlib';
import { describe, expect, it } from 'vitest';
import { codeHtml } from '../../docs/code.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import { CATALOGUE } from '../../operations/refusal.ts';
import { PROJECT } from '../support/servers/programs.ts';
import anchors from './anchors.json' with { type: 'json' };
import { API_URL, makeFiles, makeReference } from './reference.ts';

/** The largest page as it is sent, in bytes. */
const MAX_PAGE_BYTES = 60 * 1_024;

const files = makeFiles();
const reference = makeReference();
const pages = files.filter(({ type }) => type.startsWith('text/html'));
const markdown = files.filter(({ type }) => type.startsWith('text/markdown'));

const textAt = (address: string): string => files.find((file) => file.path === address)?.text ?? '';
const idsIn = (html: string): string[] =>
  Array.from(html.matchAll(/\sid="([^"]*)"/g), ([, id = '']) => id);
const linksIn = (html: string): string[] =>
  Array.from(html.matchAll(/\shref="([^"]*)"/g), ([, href = '']) => href);

const next = (page: string): string => /rel="next" href="([^"]*)"/.exec(textAt(page))?.[1] ?? '';

/** Every address that a link may have. */
const places = new Set(
  pages.flatMap(({ path: page, text }) => [page, ...idsIn(text).map((id) => `${page}#${id}`)]),
);
const wholePages = pages.map(({ text }) => text).join('\n');

describe('the anchors', () => {
  it('are never lost: those of the page that was the only one, and where they lead', () => {
    const lost = Object.values(anchors).filter((place) => !places.has(place));
    expect(lost).toEqual([]);
    expect(Object.keys(anchors).length).toBeGreaterThan(120);
  });

  it('of the first page lead to the same places as ever', () => {
    const overview = textAt('/docs');
    const items = Array.from(
      overview.matchAll(/<li id="([^"]+)"><a href="([^"]+)"/g),
      ([, id = '', href = '']) => [id, href] as const,
    );
    const known: Readonly<Record<string, string>> = anchors;
    const moved = items.filter(([id]) => known[id] !== undefined);
    expect(moved.filter(([id, href]) => known[id] !== href)).toEqual([]);
    expect(moved.length).toBeGreaterThan(75);
  });

  it('exist for every error, operation and event', () => {
    const wanted = [
      ...Object.keys(CATALOGUE).map((code) => `/docs/errors#${code}`),
      ...EVENT_TYPES.map((type) => `/docs/events#${type}`),
      ...reference.operations.map(({ id, tags }) => {
        return `/docs/api/${tags?.[0]?.toLowerCase().replace(' ', '-')}#${id}`;
      }),
      ...reference.objects.map((name) => reference.objectHref(name)),
      ...reference.commands.map(({ name }) => `/docs/commands#${name.replaceAll(' ', '-')}`),
    ];
    expect(wanted.filter((place) => !places.has(place))).toEqual([]);
  });

  it.each(pages)('are unique on $path', ({ text }) => {
    const ids = idsIn(text);
    expect(ids.filter((id, index) => ids.indexOf(id) !== index)).toEqual([]);
  });
});

describe('the links', () => {
  const links = pages.flatMap(({ path: page, text }) =>
    linksIn(text).map((href) => (href.startsWith('#') ? page + href : href)),
  );

  it('within the documentation lead to a page and an anchor', () => {
    const inner = links.filter((href) => href.startsWith('/docs') && href !== '/docs/llms.txt');
    expect(inner.filter((href) => !places.has(href))).toEqual([]);
    expect(inner.length).toBeGreaterThan(1_000);
  });

  it('lead to these other places only', () => {
    const outer = new Set(links.filter((href) => !/^(?:\/docs|data:image\/svg\+xml,)/.test(href)));
    expect([...outer].toSorted()).toEqual([
      '/openapi.json',
      'http://localhost:8233',
      'https://opentelemetry.io/docs/specs/otel/configuration/sdk-environment-variables/',
      'https://shop.localhost',
      'https://www.rfc-editor.org/rfc/rfc9457',
      'https://www.standardwebhooks.com',
      'https://www.w3.org/TR/trace-context/',
    ]);
  });

  it('lead to every page from every page, and to the one before and after', () => {
    const list = pages.map((page) => page.path).filter((page) => page !== '/docs/not-found');
    for (const { text } of pages) {
      expect(list.filter((page) => !linksIn(text).includes(page))).toEqual([]);
    }
    const read = ['/docs'];
    while (next(read.at(-1) ?? '') !== '') read.push(next(read.at(-1) ?? ''));
    expect(read).toEqual(list);
  });

  it('have the path of the API before them, if it has one', () => {
    const { pageHref } = makeReference(`${API_URL}/pay`);
    expect(pageHref('events', 'refund.failed')).toBe('/pay/docs/events#refund.failed');
  });
});

describe('the pages', () => {
  it('show the limits of the keys and values of metadata', () => {
    const texts = ['keys of at most 40 characters', '[A-Za-z0-9_.-]', 'values of at most 500'];
    expect(texts.filter((text) => !wholePages.includes(text))).toEqual([]);
  });

  it('show the filter by metadata as a parameter for each key', () => {
    expect(wholePages).toContain('<code class="field-name">metadata.&lt;key></code>');
    expect(wholePages).not.toContain('^metadata');
  });

  it('show the limits of the keys and values of metadata', () => {
    const texts = ['keys of at most 40 characters', '[A-Za-z0-9_.-]', 'values of at most 500'];
    expect(texts.filter((text) => !textAt('/docs/api/payments').includes(text))).toEqual([]);
  });

  it('show every receiver byte for byte', () => {
    const folder = path.join(PROJECT, 'docs', 'receivers');
    const shown = readdirSync(folder).filter((file) => {
      const text = readFileSync(path.join(folder, file), 'utf8');
      const isInPage = wholePages.includes(`<code>${codeHtml(text, 'any')}</code>`);
      return isInPage && textAt('/docs/webhooks.md').includes(text.trimEnd());
    });
    expect(shown).toEqual(readdirSync(folder));
  });

  it('have the address of this API in every example for merchants', () => {
    expect(textAt('/docs/quickstart')).toContain(`curl ${API_URL}/v1/payments \\`);
    expect(textAt('/docs/quickstart.md')).toContain(`curl ${API_URL}/v1/payments \\`);
    const manuals = /^\/docs\/(?:production|operating|runbook|payment-page|commands)/;
    const own = files.filter(({ path: at }) => !manuals.test(at) && at !== '/docs/search.json');
    expect(own.filter(({ text }) => text.includes('localhost:8080'))).toEqual([]);
  });

  it('name every option of every command', () => {
    const flags = reference.commands.flatMap(({ options }) => options.map((one) => one.flags));
    const text = textAt('/docs/commands.md');
    expect(flags.filter((flag) => !text.includes(`\`${flag}\``))).toEqual([]);
    expect(flags.length).toBeGreaterThan(50);
  });

  it.each(pages)('have one style, one script and one main heading ($path)', ({ text }) => {
    const count = (pattern: RegExp): number => text.match(pattern)?.length ?? 0;
    expect([/<style/g, /<script/g, /<h1/g].map(count)).toEqual([1, 1, 1]);
    expect(text).not.toMatch(/\sstyle="|\son\w+="/);
  });

  it.each(pages)('are small: $path', ({ text }) => {
    expect(gzipSync(text).length).toBeLessThan(MAX_PAGE_BYTES);
  });
});

describe('the pages as Markdown', () => {
  it('are as many as the pages, and llms.txt names them all', () => {
    const addresses = markdown.map((file) => file.path).filter((at) => at !== '/docs/index.md');
    expect(markdown).toHaveLength(pages.length - 1);
    const list = textAt('/docs/llms.txt');
    expect(addresses.filter((at) => !list.includes(`](${API_URL}${at})`))).toEqual([]);
    expect(list).toMatch(/^# Tollgate API\n\n/);
  });

  it('lead to each other only', () => {
    const known = new Set(markdown.map((file) => file.path));
    const wrong = markdown.flatMap(({ path: page, text }) =>
      Array.from(
        text.matchAll(/\]\(([^)]+\.md)(?:#[^)]*)?\)/g),
        ([, href = '']) => new URL(href, API_URL + page).pathname,
      ).filter((at) => !known.has(at)),
    );
    expect(wrong).toEqual([]);
  });

  it('have every event with its whole body', () => {
    const text = textAt('/docs/events.md');
    const bodies = Array.from(text.matchAll(/```json\n([^]*?)```/g), ([, body = '']) => {
      return (JSON.parse(body) as { type: string }).type;
    });
    expect(bodies).toEqual(EVENT_TYPES);
  });
});
