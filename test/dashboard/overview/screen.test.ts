/** The overview and the exports in Chromium: widths, light and dark, and what axe-core finds. */
import { afterAll, describe, expect, it } from 'vitest';
import axe from 'axe-core';
import { insertHistory, makeHistory } from '../../support/history.ts';
import { openBrowser } from '../../support/browser.ts';
import { makeEndpoint } from '../../support/rows/endpoint.ts';
import { openGround } from '../harness.ts';

const DAY_MS = 24 * 60 * 60 * 1000;

const ground = await openGround('dashboard-screen');
const { mongo, tenant, url } = ground;
const toMs = Date.now();
const history = makeHistory([tenant], { fromMs: toMs - 29 * DAY_MS, toMs, count: 80 });
await insertHistory(mongo, history);
await mongo.endpoints.insertOne(makeEndpoint({ m: tenant, failing_since: new Date() }));
const { cookies } = await ground.signIn('owner');
const chromium = await openBrowser();
afterAll(async () => chromium.close());

describe.each(['/', '/exports?kind=payments&from=wrong'])('%s in a browser', (path) => {
  it.each([
    [360, 'light'],
    [360, 'dark'],
    [1_280, 'light'],
    [1_280, 'dark'],
  ] as const)('fits the screen, and is accessible: %i px, %s', async (width, colorScheme) => {
    const context = await chromium.newContext({
      viewport: { width, height: 900 },
      colorScheme,
    });
    await context.addCookies([...cookies].map(([name, value]) => ({ name, value, url })));
    const page = await context.newPage();
    await page.goto(url + path);
    for (const details of await page.locator('summary').all()) await details.click();
    const scrollWidth = await page.evaluate('document.documentElement.scrollWidth');
    expect(scrollWidth).toBeLessThanOrEqual(width);
    await page.evaluate(axe.source);
    const found = (await page.evaluate('axe.run()')) as {
      violations: { id: string; nodes: { html: string }[] }[];
    };
    expect(found.violations.map(({ id, nodes }) => [id, nodes[0]?.html])).toEqual([]);
    await context.close();
  });
});
