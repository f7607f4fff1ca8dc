/** Takes the documentation's pictures: `npm run screenshots -- --for docs --to docs`. */
import { inject, it } from 'vitest';
import path from 'node:path';
import { makeCounter } from '../../activities/count.ts';
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests } from '../support/close.ts';
import { sealer } from '../support/rows/endpoint.ts';
import { insertSales, insertStory } from './bookshop.ts';
import { openGround } from './harness.ts';

const { folder } = inject('screenshots');
const WIDTH = 1_280;
const HEIGHTS = { dashboard: 900, timeline: 1_000 };

const [ground, browser] = await Promise.all([
  openGround('dashboard-pictures', { sealer }),
  openBrowser().then(closeAfterTests),
]);
const { mongo, tenant, merchant, url } = ground;
const { user, cookies } = await ground.signIn('owner');
await mongo.merchants.updateOne({ _id: merchant._id }, { $set: { name: 'Nairi Books' } });
const email = 'ani@nairi-books.example';
await mongo.users.updateOne({ _id: user._id }, { $set: { email, locale: 'en' } });
await insertSales(mongo, tenant);
const payment = await insertStory(mongo, tenant);
await makeCounter({ mongo })();

it.each([
  ['dashboard', '/'],
  ['timeline', `/payments/${payment}`],
] as const)('takes the picture %s', async (name, address) => {
  const viewport = { width: WIDTH, height: HEIGHTS[name] };
  const context = await browser.newContext({ viewport, colorScheme: 'light' });
  await context.addCookies([...cookies].map(([key, value]) => ({ name: key, value, url })));
  const page = await context.newPage();
  await page.goto(url + address);
  await page.screenshot({ path: path.join(folder, `${name}.png`) });
  await context.close();
});
