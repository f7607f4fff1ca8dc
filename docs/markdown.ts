/**
 * Our own Markdown as HTML: anchors on headings, links between guides that lead inside of the page,
 * names of the interface that link to their reference, and files of code shown as they are.
 */
import { Marked } from 'marked';
import type { RendererObject, Tokens } from 'marked';
import { codeHtml, escapeHtml } from './code.ts';

export interface MarkdownOptions {
  /** The guide's name: its anchor, and the beginning of those of its headings. */
  readonly slug: string;
  /** The anchor of what a piece of code names, such as an operation or an error; or undefined. */
  readonly linkOf: (code: string) => string | undefined;
  /** The text of a file of code, named from the guide. */
  readonly readFile: (name: string) => string;
}

/** The page has the first heading; a guide's own begin one below it. */
const DEEPER = 1;
const LANGUAGES: Readonly<Record<string, string>> = { mjs: 'js', py: 'python', php: 'php' };
const CODE_FILE = /^\.\.\/receivers\/[\w.]+\.(mjs|py|php)$/;
const GUIDE_LINK = /^([\w-]+)\.md(?:#(.+))?$/;

/** The HTML of a guide. Whatever is HTML in it is shown as text. */
export function renderMarkdown(text: string, options: MarkdownOptions): string {
  const marked = new Marked({ renderer: makeRenderer(options), async: false });
  return marked.parse(text, { async: false });
}

/** The HTML of a description: paragraphs and lists, without headings of its own. */
export function renderText(text: string, linkOf: MarkdownOptions['linkOf']): string {
  return renderMarkdown(text, { slug: '', linkOf, readFile: () => '' });
}

/** The words of the first heading. */
export function titleOf(text: string): string {
  return /^# (.+)$/m.exec(text)?.[1] ?? '';
}

/** The part of an anchor that stands for a heading's words. */
function anchorOf(words: string): string {
  return words
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^-|-$/g, '');
}

function makeRenderer({ slug, linkOf, readFile }: MarkdownOptions): RendererObject {
  return {
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth, text }) {
      const id = depth === 1 ? slug : `${slug}-${anchorOf(text)}`;
      const level = depth + DEEPER;
      return `<h${level} id="${id}">${this.parser.parseInline(tokens)}</h${level}>\n`;
    },
    paragraph(token) {
      const file = shownFile(token);
      if (!file) return `<p>${this.parser.parseInline(token.tokens)}</p>\n`;
      return fold(file.text, preformatted(readFile(file.href), languageOf(file.href)));
    },
    code: ({ text, lang }) => preformatted(text, lang),
    codespan({ text }) {
      const code = `<code>${escapeHtml(text)}</code>`;
      const anchor = linkOf(text);
      return anchor === undefined ? code : `<a href="#${anchor}">${code}</a>`;
    },
    link({ href, tokens }) {
      return `<a href="${escapeHtml(pageLink(href))}">${this.parser.parseInline(tokens)}</a>`;
    },
    checkbox: () => '',
    table(token) {
      const cells = (row: Tokens.TableCell[], [open, close]: readonly [string, string]): string =>
        row.map((cell) => open + this.parser.parseInline(cell.tokens) + close).join('');
      const head = cells(token.header, ['<th scope="col">', '</th>']);
      const rows = token.rows.map((row) => `<tr>${cells(row, ['<td>', '</td>'])}</tr>`).join('');
      const table = `<table><thead><tr>${head}</tr></thead><tbody>${rows}</tbody></table>`;
      return `<div class="table" tabindex="0">${table}</div>\n`;
    },
  };
}

/** The link that is a whole paragraph, when it leads to a file of code. */
function shownFile({ tokens }: Tokens.Paragraph): Tokens.Link | undefined {
  const [only] = tokens;
  if (tokens.length !== 1 || only?.type !== 'link') return undefined;
  return CODE_FILE.test(only['href'] as string) ? (only as Tokens.Link) : undefined;
}

function languageOf(file: string): string {
  return LANGUAGES[CODE_FILE.exec(file)?.[1] ?? ''] ?? '';
}

function fold(title: string, html: string): string {
  return `<details class="file"><summary>${escapeHtml(title)}</summary>${html}</details>\n`;
}

function preformatted(text: string, language = ''): string {
  return `<pre tabindex="0"><code>${codeHtml(text, language)}</code></pre>\n`;
}

/** `webhooks.md#retries` becomes `#webhooks-retries`; an error's anchor is its code. */
function pageLink(href: string): string {
  const [, guide, part] = GUIDE_LINK.exec(href) ?? [];
  if (guide === undefined) return href;
  return part === undefined ? `#${guide}` : `#${guide}-${part}`;
}
