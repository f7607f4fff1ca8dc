/** Pictures of pages, as `npm run screenshots` asks for them. */
import { mkdir } from 'node:fs/promises';
import path from 'node:path';
import type { Page } from 'playwright-core';
import { inject } from 'vitest';
import type { Locale } from '../../domain/merchant.ts';

interface Wanted {
  readonly locales: readonly Locale[];
  /** In pixels. */
  readonly widths: readonly number[];
}

declare module 'vitest' {
  interface ProvidedContext {
    readonly screenshots: Partial<Wanted> & {
      readonly folder: string;
      readonly colours: readonly ('light' | 'dark')[];
      /** Part of the names of the pages. */
      readonly only: string;
    };
  }
}

const HEIGHT = 900;
const OPEN_FOLDS = "document.querySelectorAll('details').forEach((one) => (one.open = true))";

/** Makes the folder. Returns what is wanted, and a function that takes pictures of an open page. */
export async function openAlbum(byDefault: Wanted) {
  const { folder, colours, only, locales, widths: chosen } = inject('screenshots');
  await mkdir(folder, { recursive: true });
  const widths = chosen ?? byDefault.widths;
  const take = async (page: Page, name: string): Promise<void> => {
    await page.screenshot({ path: path.join(folder, `${name}.png`), fullPage: true });
  };
  return {
    only,
    locales: locales ?? byDefault.locales,
    /** Takes pictures in each width and colour, and one with everything folded out. */
    async take(page: Page, name: string): Promise<void> {
      for (const width of widths) {
        for (const colorScheme of colours) {
          await page.setViewportSize({ width, height: HEIGHT });
          await page.emulateMedia({ colorScheme });
          await take(page, `${name}-${width}-${colorScheme}`);
        }
      }
      if ((await page.locator('details').count()) === 0) return;
      await page.setViewportSize({ width: widths[0] ?? HEIGHT, height: HEIGHT });
      await page.evaluate(OPEN_FOLDS);
      await take(page, `${name}-open`);
    },
  };
}
