/** Writes a picture of every page into a folder. `npm run screenshots` runs this. */
import { it } from 'vitest';
import { openAlbum } from '../support/album.ts';
import { addressOf, openVisit, pageRoutes } from './visit.ts';

const album = await openAlbum({ locales: ['en'], widths: [1280, 360] });
const { page, ids, open } = await openVisit('dashboard-screenshots');

it.each(pageRoutes().filter((route) => route.includes(album.only)))('%s', async (route) => {
  const name = route.slice(1).replaceAll(/\W+/g, '-') || 'home';
  for (const locale of album.locales) {
    await open(addressOf(route, ids), locale);
    await album.take(page, `${name}-${locale}`);
  }
});
