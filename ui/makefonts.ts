/** Makes the fonts of pages from packages of Noto Sans: `node --import tsx ui/makefonts.ts folder`. */
import { mkdir, readFile, rename, writeFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import path from 'node:path';
import subsetFont from 'subset-font';
import { FONTS, FONT_NAMES, WEIGHTS, charactersOf } from './fonts.ts';

const { resolve } = createRequire(import.meta.url);
const [, , folder = ''] = process.argv;
await mkdir(folder, { recursive: true });
for (const name of FONT_NAMES) {
  const whole = await readFile(resolve(`@fontsource-variable/${FONTS[name].source}`));
  const options = { targetFormat: 'woff2', variationAxes: { wght: WEIGHTS } } as const;
  const bytes = await subsetFont(whole, charactersOf(name), options);
  // Several programs may start at once, and none may read half a file.
  const part = path.join(folder, `${name}.${process.pid}`);
  await writeFile(part, bytes);
  await rename(part, path.join(folder, name));
}
