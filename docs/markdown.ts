/** Renders the guides and descriptions, which are Markdown, as HTML of the page. */
import { Marked } from 'marked';
import type { RendererObject, Tokens } from 'marked';
import { codeHtml, escapeHtml } from './code.ts';

interface MarkdownOptions {
  /** The guide's name: its anchor, and the prefix of the anchors of its headings. */
  readonly slug: string;
  /** Returns the anchor of the operation, event or error that a piece of code names. */
  readonly linkOf: (code: string) => string | undefined;
  /** Returns the text of a file of code. Its name is relative to the guide. */
  readonly readFile: (name: string) => string;
}

const LANGUAGES: Readonly<Record<string, string>> = { mjs: 'js', py: 'python', php: 'php' };
const CODE_FILE = /^\.\.\/receivers\/[\w.]+\.(mjs|py|php)$/;
const GUIDE_LINK = /^([\w-]+)\.md(?:#(.+))?$/;

/** Returns the HTML of a guide. HTML inside the guide is shown as text. */
export function renderMarkdown(text: string, options: MarkdownOptions): string {
  const marked = new Marked({ renderer: makeRenderer(options), async: false });
  return marked.parse(text, { async: false });
}

/** Returns the HTML of a description, which has no headings and shows no files. */
export function renderText(text: string, linkOf: MarkdownOptions['linkOf']): string {
  return renderMarkdown(text, { slug: '', linkOf, readFile: () => '' });
}

function makeRenderer({ slug, linkOf, readFile }: MarkdownOptions): RendererObject {
  return {
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth, text }) {
      const words = text.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
      const id = depth === 1 ? slug : `${slug}-${words.replaceAll(/^-|-$/g, '')}`;
      // The page has the only heading of the first level.
      const tag = `h${depth + 1}`;
      return `<${tag} id="${id}">${this.parser.parseInline(tokens)}</${tag}>\n`;
    },
    paragraph({ tokens }) {
      const [only] = tokens;
      const { href = '', text = '' } = (only?.type === 'link' ? only : {}) as Partial<Tokens.Link>;
      const [, extension] = CODE_FILE.exec(href) ?? [];
      if (tokens.length > 1 || extension === undefined) {
        return `<p>${this.parser.parseInline(tokens)}</p>\n`;
      }
      const code = preformatted(readFile(href), LANGUAGES[extension]);
      return `<details><summary>${escapeHtml(text)}</summary>${code}</details>\n`;
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

function preformatted(text: string, language = ''): string {
  return `<pre tabindex="0"><code>${codeHtml(text, language)}</code></pre>\n`;
}

/** Turns `webhooks.md#retries` into `#webhooks-retries`. Other links stay as they are. */
function pageLink(href: string): string {
  const [, guide, part] = GUIDE_LINK.exec(href) ?? [];
  if (guide === undefined) return href;
  return part === undefined ? `#${guide}` : `#${guide}-${part}`;
}
