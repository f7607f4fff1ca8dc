/** The guides and the operator's documents: Markdown files, in the order of the pages. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderMarkdown } from './markdown.ts';
import type { Reference } from './reference.ts';

/** The names of the files in `guides/`, and of their pages. */
export const GUIDES = [
  'quickstart',
  'client',
  'payment',
  'confirm',
  'webhooks',
  'reconcile',
  'idempotency',
  'refunds',
  'lists',
  'exports',
  'limits',
  'test-mode',
  'testing',
  'versioning',
  'live',
] as const;

/** The names of the files in this folder, and of their pages. */
export const MANUALS = ['production', 'operating', 'runbook', 'payment-page'] as const;

/** What a page is about, if its first sentence does not say it. */
const SUMMARIES: Readonly<Record<string, string>> = {
  payment: 'Its statuses, amounts, tries and times.',
  refunds: 'Return all of a payment, or a part of it.',
  limits: 'How many requests you can send, and how large they can be.',
  'test-mode': 'Test cards, outcomes, and the time that you need not wait for.',
  testing: 'Test your server by the API, and your pages in a browser.',
  versioning: 'What can change at any time, and what cannot.',
  live: 'What to check first.',
  production: 'From an empty machine to a running service.',
  operating: 'Probes, metrics, alerts, upgrades, backups, and everything else.',
  runbook: 'Hanging workflows, lost databases, and upgrades of both.',
  'payment-page': 'The inventory of its scripts, for PCI DSS.',
};

/** The guide at the top of the page of errors. */
const ERRORS = 'errors';
const PAGES: readonly string[] = [...GUIDES, ...MANUALS, ERRORS];

const FOLDER = path.join(import.meta.dirname, 'guides');
/** The address of the API in the guides' examples. The pages show the real one instead. */
const EXAMPLE_URL = 'http://localhost:8080';
/** A paragraph that is only a link to a file of code. */
const CODE_LINK = /^\[(.+)\]\((\.\.\/(?:receivers|browsers|clients)\/[\w-]+\.(\w+))\)$/gm;

export interface Guide {
  readonly slug: string;
  readonly title: string;
  readonly summary: string;
  readonly html: string;
  readonly markdown: string;
}

type Links = Pick<Reference, 'apiUrl' | 'linkOf' | 'pageHref'>;

/** Returns the guide as HTML and as Markdown. */
export function readGuide(slug: string, api: Links): Guide {
  const text = readFile(`${slug}.md`).replaceAll(EXAMPLE_URL, api.apiUrl);
  return pageFrom(text, slug, api);
}

/** Returns the operator's document. Its addresses are those of a new installation. */
export function readManual(slug: string, api: Links): Guide {
  return pageFrom(readFile(`../${slug}.md`), slug, api);
}

function pageFrom(text: string, slug: string, { linkOf, pageHref }: Links): Guide {
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? [];
  const pageLinkOf = (page: string, anchor: string): string | undefined =>
    PAGES.includes(page) ? pageHref(page, anchor) : undefined;
  const html = renderMarkdown(text, { linkOf, pageLinkOf, readFile });
  return { slug, title, summary: SUMMARIES[slug] ?? summaryOf(html), html, markdown: asPage(text) };
}

/** Returns the Markdown as it is served: with the files of code, and no links to other files. */
function asPage(text: string): string {
  return text
    .replaceAll(CODE_LINK, (_, name: string, file: string, language: string) => {
      return `${name}:\n\n\`\`\`${language}\n${readFile(file).trimEnd()}\n\`\`\``;
    })
    .replaceAll(/\[([^\]]+)\]\(\.\.\/README\.md[^)]*\)/g, '$1');
}

/** Returns the first sentence of a page's first paragraph, as text. */
export function summaryOf(html: string): string {
  const [, paragraph = ''] = /<p>([^]*?)<\/p>/.exec(html) ?? [];
  const text = textOf(paragraph);
  return /^.+?[.:](?= |$)/.exec(text)?.[0].replace(/:$/, '.') ?? text;
}

const ENTITIES: Readonly<Record<string, string>> = {
  '&lt;': '<',
  '&gt;': '>',
  '&quot;': '"',
  '&#39;': "'",
  '&amp;': '&',
};

/** Returns the text of HTML that we rendered ourselves. */
export function textOf(html: string): string {
  const text = html.replaceAll(/<[^>]*>/g, '').replaceAll(/&(?:lt|gt|quot|#39|amp);/g, (one) => {
    return ENTITIES[one] ?? one;
  });
  return text.replaceAll(/\s+/g, ' ').trim();
}

function readFile(name: string): string {
  return readFileSync(path.join(FOLDER, name), 'utf8');
}
