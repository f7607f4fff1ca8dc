/** The guides: Markdown files beside this one, in the order in which they are read. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderMarkdown, titleOf } from './markdown.ts';
import type { MarkdownOptions } from './markdown.ts';

/** The names of the files, which are the anchors of the page too. */
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
  'limits',
  'test-mode',
  'versioning',
  'live',
] as const;

const FOLDER = path.join(import.meta.dirname, 'guides');
/** What the guides write for the service's address; the page shows the real one. */
const EXAMPLE_URL = 'http://localhost:8080';

export interface Guide {
  readonly slug: string;
  readonly title: string;
  readonly html: string;
}

/** The guide of that name as HTML, with `apiUrl` in its examples. */
export function readGuide(
  slug: string,
  { apiUrl, linkOf }: { apiUrl: string; linkOf: MarkdownOptions['linkOf'] },
): Guide {
  const text = readFileSync(path.join(FOLDER, `${slug}.md`), 'utf8');
  const told = text.replaceAll(EXAMPLE_URL, apiUrl);
  const html = renderMarkdown(told, { slug, linkOf, readFile });
  return { slug, title: titleOf(told), html };
}

/** A file that a guide shows, named from the guide's folder. */
function readFile(name: string): string {
  return readFileSync(path.join(FOLDER, name), 'utf8');
}
