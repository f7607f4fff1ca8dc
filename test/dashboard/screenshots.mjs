/**
 * `npm run screenshots -- --lang en,hy --width 360 --colour dark --only webhooks --to folder`.
 * Without options: all pages in English, in both widths and colours, into `screenshots/`.
 * `npm run screenshots -- --for docs --to docs` takes the documentation's pictures.
 */
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startVitest } from 'vitest/node';

const { values } = parseArgs({
  options: {
    lang: { type: 'string', default: 'en' },
    width: { type: 'string', default: '1280,360' },
    colour: { type: 'string', default: 'light,dark' },
    only: { type: 'string', default: '' },
    to: { type: 'string', default: 'screenshots' },
    for: { type: 'string', default: 'people' },
  },
});

const vitest = await startVitest('test', [], {
  watch: false,
  include: [`test/dashboard/${values.for === 'docs' ? 'pictures' : 'screenshots'}.ts`],
  provide: {
    screenshots: {
      folder: path.resolve(values.to),
      locales: values.lang.split(','),
      widths: values.width.split(',').map(Number),
      colours: values.colour.split(','),
      only: values.only,
    },
  },
});
await vitest.close();
