/** The guides: Markdown files, in the order of the page. */
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { renderMarkdown } from './markdown.ts';
import type { Reference } from './reference.ts';

/** The names of the files, and their anchors on the page. */
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
  'versioning',
  'live',
] as const;

const FOLDER = path.join(import.meta.dirname, 'guides');
/** The address of the API in the guides' examples. The page shows the real one instead. */
const EXAMPLE_URL = 'http://localhost:8080';

export type Guide = ReturnType<typeof readGuide>;

/** Returns the guide as HTML. */
export function readGuide(slug: string, { apiUrl, linkOf }: Pick<Reference, 'apiUrl' | 'linkOf'>) {
  const text = readFile(`${slug}.md`).replaceAll(EXAMPLE_URL, apiUrl);
  const [, title = ''] = /^# (.+)$/m.exec(text) ?? [];
  return { slug, title, html: renderMarkdown(text, { slug, linkOf, readFile }) };
}

function readFile(name: string): string {
  return readFileSync(path.join(FOLDER, name), 'utf8');
}
