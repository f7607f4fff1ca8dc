/** Renders the guides and descriptions, which are Markdown, as HTML of the pages. */
import { Marked } from 'marked';
import type { RendererObject, Token, Tokens } from 'marked';
import { codeHtml, escapeHtml } from './code.ts';

export interface MarkdownOptions {
  /** Returns the link to the operation, event, error or command that a piece of code names. */
  readonly linkOf: (code: string) => string | undefined;
  /** Returns the link to another Markdown file, or undefined if it has no page. */
  readonly pageLinkOf: (page: string, anchor: string) => string | undefined;
  /** Returns the text of a file of code. Its name is relative to the guide. */
  readonly readFile: (name: string) => string;
}

const LANGUAGES: Readonly<Record<string, string>> = { mjs: 'js', py: 'python', php: 'php' };
const CODE_FILE = /^\.\.\/(?:receivers|browsers|clients)\/[\w.-]+\.(mjs|py|php)$/;
const PAGE_LINK = /^(?:\.\.\/)?([\w-]+)\.md(?:#(.+))?$/;

/** The languages of examples that readers can choose between, by the name in a fence. */
const EXAMPLES: Readonly<Record<string, string>> = {
  sh: 'curl',
  js: 'JavaScript',
  ts: 'TypeScript',
  python: 'Python',
  php: 'PHP',
};

/** Returns the HTML of a guide without its title. HTML inside the guide is shown as text. */
export function renderMarkdown(text: string, options: MarkdownOptions): string {
  const marked = new Marked({
    renderer: makeRenderer(options),
    hooks: { processAllTokens: (tokens) => groupExamples(tokens) },
    extensions: [{ name: 'examples', renderer: ({ tokens = [] }) => examplesHtml(tokens) }],
    async: false,
  });
  return marked.parse(text, { async: false });
}

/** Returns the HTML of a description, which has no headings, files and links to pages. */
export function renderText(text: string, linkOf: MarkdownOptions['linkOf']): string {
  return renderMarkdown(text, { linkOf, pageLinkOf: () => undefined, readFile: () => '' });
}

/** Returns the anchor of a heading. */
export function anchorOf(heading: string): string {
  const words = heading.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-');
  return words.replaceAll(/^-|-$/g, '');
}

function makeRenderer({ linkOf, pageLinkOf, readFile }: MarkdownOptions): RendererObject {
  return {
    html: ({ text }) => escapeHtml(text),
    heading({ tokens, depth, text }) {
      // The page shows the title itself.
      if (depth === 1) return '';
      const content = this.parser.parseInline(tokens);
      return `<h${depth} id="${anchorOf(text)}">${content}</h${depth}>\n`;
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
      const href = linkOf(text);
      return href === undefined ? code : `<a href="${href}">${code}</a>`;
    },
    link({ href, tokens }) {
      const content = this.parser.parseInline(tokens);
      const [, page, anchor = ''] = PAGE_LINK.exec(href) ?? [];
      const target = page === undefined ? href : pageLinkOf(page, anchor);
      return target === undefined ? content : `<a href="${escapeHtml(target)}">${content}</a>`;
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
  const code = `<pre tabindex="0"><code>${codeHtml(text, language)}</code></pre>`;
  return `<div class="code">${code}</div>\n`;
}

const languageOf = (token: Token | undefined): string | undefined =>
  token?.type === 'code' && EXAMPLES[(token as Tokens.Code).lang ?? ''] !== undefined
    ? (token as Tokens.Code).lang
    : undefined;

/** Returns the examples of a group, or the token itself if it is an example. */
function examplesIn(token: Token | undefined): Token[] | undefined {
  if (token?.type === 'examples') return token.tokens;
  return token && languageOf(token) !== undefined ? [token] : undefined;
}

/** Joins consecutive examples in different languages to one token of the type `examples`. */
function groupExamples(tokens: Token[]): Token[] {
  const grouped: Token[] = [];
  for (const token of tokens) {
    const language = languageOf(token);
    const index = grouped.findLastIndex(({ type }) => type !== 'space');
    const before = grouped[index];
    const examples = examplesIn(before);
    if (language !== undefined && examples?.every((one) => languageOf(one) !== language)) {
      const raw = `${before?.raw ?? ''}\n${token.raw}`;
      grouped.splice(index, grouped.length, {
        type: 'examples',
        raw,
        tokens: [...examples, token],
      });
    } else grouped.push(token);
  }
  return grouped;
}

/** Returns examples one below the other. A script makes a choice of them. */
function examplesHtml(tokens: readonly Token[]): string {
  const figures = (tokens as Tokens.Code[]).map(({ text, lang = '' }) => {
    const caption = `<figcaption>${EXAMPLES[lang] ?? lang}</figcaption>`;
    return `<figure data-language="${lang}">${caption}${preformatted(text, lang)}</figure>`;
  });
  return `<div class="examples">${figures.join('')}</div>\n`;
}
