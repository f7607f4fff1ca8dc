/** The files of the fonts. `npm run build` makes them; from source, the first start does. */
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import { FONTS, FONT_NAMES, WEIGHTS } from './fonts.ts';
import type { FontName } from './fonts.ts';

interface FontFile {
  readonly type: 'font/woff2';
  /** The address of the one file. */
  readonly from: readonly [string];
}

/** Returns the file of each font. Makes those that are missing, which takes seconds. */
export function fontFiles(): Readonly<Record<FontName, FontFile>> {
  const folder = fontFolder();
  const files = FONT_NAMES.map((name) => [name, new URL(name, folder).href] as const);
  if (files.some(([, file]) => !existsSync(new URL(file)))) {
    const maker = fileURLToPath(new URL('makefonts.ts', import.meta.url));
    // Node finds tsx from there, wherever this program was started.
    const cwd = path.dirname(maker);
    execFileSync(process.execPath, ['--import', 'tsx', maker, fileURLToPath(folder)], { cwd });
  }
  const type = 'font/woff2';
  return Object.fromEntries(
    files.map(([name, file]) => [name, { type, from: [file] } as const] as const),
  ) as Record<FontName, FontFile>;
}

/** Returns the folder of the fonts. Its name changes with everything that they are made from. */
function fontFolder(): URL {
  const manifest = readFileSync(new URL('../package.json', import.meta.url), 'utf8');
  const { devDependencies } = JSON.parse(manifest) as { devDependencies: object };
  const recipe = JSON.stringify([FONTS, WEIGHTS, devDependencies]);
  const hash = createHash('sha256').update(recipe).digest('hex').slice(0, 16);
  return new URL(`fonts/${hash}/`, import.meta.url);
}
