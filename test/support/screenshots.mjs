/**
 * `npm run screenshots -- --of checkout --lang en,hy --width 360 --colour dark --only bank --to folder`.
 * Without options: all pages of the dashboard in English and of the checkout in all languages, in
 * their widths and both colours, into `screenshots/`. Its `index.html` shows all of them.
 * `npm run screenshots -- --for docs --to docs` takes the documentation's pictures.
 */
import { readdirSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values } = parseArgs({
  options: {
    of: { type: 'string', default: 'dashboard,checkout' },
    lang: { type: 'string' },
    width: { type: 'string' },
    colour: { type: 'string', default: 'light,dark' },
    only: { type: 'string', default: '' },
    to: { type: 'string', default: 'screenshots' },
    for: { type: 'string', default: 'people' },
  },
});

const folder = path.resolve(values.to);
const isForDocs = values.for === 'docs';
const vitest = await startVitest('test', [], {
  watch: false,
  include: isForDocs
    ? ['test/dashboard/pictures.ts']
    : values.of.split(',').map((room) => `test/${room}/screenshots.ts`),
  provide: {
    screenshots: {
      folder,
      locales: values.lang?.split(','),
      widths: values.width?.split(',').map(Number),
      colours: values.colour.split(','),
      only: values.only,
    },
  },
});
await vitest.close();
if (!isForDocs) writeFileSync(path.join(folder, 'index.html'), indexOf(folder));

/**
 * Returns a page with all pictures of a folder, one row for each page and language.
 * @param {string} from
 */
function indexOf(from) {
  /** @type {Map<string, string[]>} */
  const rows = new Map();
  for (const file of readdirSync(from).filter((name) => name.endsWith('.png'))) {
    const row = /^(.*)-(?:\d+-\w+|open)\.png$/.exec(file)?.[1] ?? file;
    rows.set(row, [...(rows.get(row) ?? []), file]);
  }
  const shown = [...rows].map(([row, files]) => {
    const pictures = files.map(
      (file) => `<a href="${file}" title="${file}"><img src="${file}" loading="lazy" alt=""></a>`,
    );
    return `<h2>${row}</h2>\n<p>${pictures.join('\n')}</p>`;
  });
  const style = 'img { height: 22rem; border: 1px solid #999 } body { font-family: sans-serif }';
  const head = `<meta charset="utf-8"><title>Pages</title><style>${style}</style>`;
  return `<!doctype html>\n${head}\n${shown.join('\n')}\n`;
}
