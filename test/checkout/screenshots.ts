/** Writes a picture of every page in each state into a folder. `npm run screenshots` runs this. */
import { it } from 'vitest';
import { LOCALES } from '../../domain/merchant.ts';
import { openAlbum } from '../support/album.ts';
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests } from '../support/close.ts';
import { SCENES } from './scenes.ts';
import { openStage, openViewer } from './stage.ts';

const album = await openAlbum({ locales: LOCALES, widths: [320, 360, 1280] });
const [stage, browser] = await Promise.all([
  openStage('checkout-screenshots').then(closeAfterTests),
  openBrowser().then(closeAfterTests),
]);
const page = await openViewer(browser);

const wanted = SCENES.filter(({ name, isVariant }) => !isVariant && name.includes(album.only));
it.each(wanted.map((scene) => [scene.name, scene] as const))('%s', async (name, scene) => {
  for (const locale of album.locales) {
    await stage.show(page, scene, locale);
    await album.take(page, `checkout-${name}-${locale}`);
  }
});
