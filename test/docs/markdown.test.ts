import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { describe, expect, it } from 'vitest';
import { codeHtml, escapeHtml } from '../../docs/code.ts';
import { curlFor } from '../../docs/curl.ts';
import { resolve } from '../../docs/document.ts';
import type { OpenApiDocument } from '../../docs/document.ts';
import { fieldsOf } from '../../docs/fields.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import { renderMarkdown, renderText } from '../../docs/markdown.ts';
import { makeReference } from './reference.ts';

const options = {
  linkOf: (code: string) => (code === 'known' ? '/docs/there' : undefined),
  pageLinkOf: (page: string, anchor: string) =>
    page === 'README' ? undefined : `/docs/${page}#${anchor}`,
  readFile: (name: string) => `content of <${name}>`,
};
const HOSTILE = '<img src=x onerror="alert(1)">';

const fence = (language: string): string => `\`\`\`${language}\ncode\n\`\`\`\n\n`;

/** Returns the groups, names and codes in the HTML of examples. */
const shown = (...languages: readonly string[]): string[] =>
  Array.from(
    renderMarkdown(languages.map(fence).join(''), options).matchAll(
      /class="examples"|<figcaption>(\w+)|<pre/g,
    ),
    ([whole, name]) => name ?? whole,
  );

describe('renderMarkdown', () => {
  it('gives headings an anchor, and leaves out the title', () => {
    const html = renderMarkdown('# One\n\n## Two, or `three`?\n', options);
    expect(html).toBe('<h2 id="two-or-three">Two, or <code>three</code>?</h2>\n');
  });

  it('shows HTML as text in every place', () => {
    const text = `${HOSTILE}\n\nIn ${HOSTILE} words, \`${HOSTILE}\`\n\n| ${HOSTILE} |\n| - |\n| a |\n`;
    const html = renderMarkdown(`${text}\n\`\`\`json\n"${HOSTILE}"\n\`\`\`\n`, options);
    expect(html).not.toContain('<img');
    expect(html.match(/&lt;img/g)).toHaveLength(5);
  });

  it('turns links between files into links between pages', () => {
    const text = '[b](other.md#part) [c](https://x.example) [d](../README.md#more)';
    const html = renderMarkdown(text, options);
    expect(html).toContain('href="/docs/other#part"');
    expect(html).toContain('href="https://x.example"');
    expect(html).toContain(' d</p>');
  });

  it('joins consecutive examples in different languages, each with its name', () => {
    const group = 'class="examples"';
    const all = [group, 'curl', '<pre', 'TypeScript', '<pre', 'Python', '<pre', 'PHP', '<pre'];
    expect(shown('sh', 'ts', 'python', 'php')).toEqual(all);
    expect(shown('sh', 'sh')).toEqual(['<pre', '<pre']);
    expect(shown('sh', 'json')).toEqual(['<pre', '<pre']);
    expect(shown('sh', 'js', 'sh')).toEqual([group, 'curl', '<pre', 'JavaScript', '<pre', '<pre']);
  });

  it('links code that has an anchor', () => {
    const html = renderText('`known` and `unknown`', options.linkOf);
    expect(html).toContain('<a href="/docs/there"><code>known</code></a> and <code>unknown</code>');
  });

  it('shows the file if a paragraph is only a link to it', () => {
    const html = renderMarkdown('[A file](../receivers/a.mjs)', options);
    expect(html).toContain('<summary>A file</summary>');
    expect(html).toContain('content of &lt;../receivers/a.mjs&gt;');
  });
});

const bare = (html: string): string => html.replaceAll(/<\/?span[^>]*>/g, '');

describe('codeHtml', () => {
  it.each(['json', 'sh', 'js', ''])('adds only colours (%s)', (language) => {
    const text = '// a "b" <c> & -1.5e3 true\n  # x\n{"a\\"<": [null, "t"], "b":1}';
    expect(bare(codeHtml(text, language))).toBe(escapeHtml(text));
  });

  it('colours keys, texts and values of JSON differently', () => {
    expect(codeHtml('{"a": "b", "c": 1}', 'json')).toBe(
      '{<span class="t-key">&quot;a&quot;</span>: <span class="t-text">&quot;b&quot;</span>, ' +
        '<span class="t-key">&quot;c&quot;</span>: <span class="t-value">1</span>}',
    );
  });
});

const empty: OpenApiDocument = { openapi: '3.1.1', info: { title: '', version: '' }, paths: {} };

describe('resolve', () => {
  it('throws if the target of a reference is missing', () => {
    expect(() => resolve(empty, { $ref: '#/components/schemas/None' })).toThrow(
      'The document has no #/components/schemas/None.',
    );
  });
});

const field = (schema: object) =>
  fieldsOf({ document: empty, objects: [] }, { properties: { one: schema } })[0];

describe('fieldsOf', () => {
  it.each([
    ['a type that can be null', { type: ['string', 'null'] }],
    ['a choice between it and null', { anyOf: [{ type: 'string' }, { type: 'null' }] }],
  ])('reads %s', (_, schema) => {
    expect(field(schema)).toMatchObject({ type: 'string', isNullable: true });
  });

  it('returns limits in words, and values', () => {
    const limited = { type: 'integer', minimum: 1, maximum: 99_999_999, default: 20 };
    expect(field(limited)?.limits).toEqual([
      'at least 1',
      'at most 99,999,999',
      '20 when left out',
    ]);
    expect(field({ enum: ['a', null] })?.values).toEqual(['a']);
    const many = { type: 'array', items: { type: 'string', enum: ['a', 'b'] } };
    expect(field(many)).toMatchObject({ type: 'array of strings', values: ['a', 'b'] });
  });

  it('reads the fields of inner objects, but only names those with their own entry', () => {
    const event = { $ref: '#/components/schemas/PaymentEvent' };
    const data = fieldsOf(makeReference(), event).find(({ name }) => name === 'data');
    expect(data?.children).toMatchObject([{ name: 'object', objectNames: ['Payment'] }]);
  });

  it('joins the different kinds of one object', () => {
    const fields = fieldsOf(makeReference(), { $ref: '#/components/schemas/Event' });
    expect(fields.find(({ name }) => name === 'type')?.values).toEqual(EVENT_TYPES);
    const data = fields.find(({ name }) => name === 'data');
    expect(data?.children[0]?.objectNames).toEqual(['Payment', 'Refund', 'WebhookEndpoint']);
  });
});

describe('curlFor', () => {
  it('quotes the body so that a shell passes it unchanged', async () => {
    const body = { text: `it's "${HOSTILE}" $HOME \`x\` \\` };
    const media = { examples: { one: { value: body } } };
    const operation = {
      id: 'x',
      method: 'POST',
      path: '/v1/x/{x_id}/do',
      requestBody: { content: { 'application/json': media } },
    };
    const command = curlFor({ ...empty, servers: [{ url: 'http://x' }] }, operation, { id: 'x_1' });
    const script = `curl() { printf '%s\\0' "$@"; }\n${command}`;
    const { stdout } = await promisify(execFile)('bash', ['-c', script]);
    const [url, ...args] = stdout.split('\0');
    expect(url).toBe('http://x/v1/x/x_1/do');
    expect(JSON.parse(args.at(-2) ?? '')).toEqual(body);
  });
});
