/** Writes a picture of every page into a folder. `npm run screenshots` runs this. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import { inject, it } from 'vitest';
import { addressOf, openVisit, pageRoutes } from './visit.ts';

declare module 'vitest' {
  interface ProvidedContext {
    readonly screenshots: {
      readonly folder: string;
      readonly locales: readonly ('en' | 'hy' | 'ru')[];
      readonly widths: readonly number[];
      readonly colours: readonly ('light' | 'dark')[];
      /** Part of the paths of the pages. */
      readonly only: string;
    };
  }
}

const { folder, locales, widths, colours, only } = inject('screenshots');
const HEIGHT = 900;
const OPEN_FOLDS = "document.querySelectorAll('details').forEach((one) => (one.open = true))";

const { page, ids, open } = await openVisit('dashboard-screenshots');
await mkdir(folder, { recursive: true });

it.each(pageRoutes().filter((route) => route.includes(only)))('%s', async (route) => {
  const name = route.slice(1).replaceAll(/\W+/g, '-') || 'home';
  for (const locale of locales) {
    await open(addressOf(route, ids), locale);
    for (const width of widths) {
      for (const colorScheme of colours) {
        await page.setViewportSize({ width, height: HEIGHT });
        await page.emulateMedia({ colorScheme });
        const file = path.join(folder, `${name}-${locale}-${width}-${colorScheme}`);
        await page.screenshot({ path: `${file}.png`, fullPage: true });
      }
    }
    if (await page.locator('details').count()) {
      await page.setViewportSize({ width: widths[0] ?? HEIGHT, height: HEIGHT });
      await page.evaluate(OPEN_FOLDS);
      await page.screenshot({
        path: path.join(folder, `${name}-${locale}-open.png`),
        fullPage: true,
      });
    }
  }
});
