import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { describe, expect, it } from 'vitest';
import { LOCALES } from '../../domain/merchant.ts';
import { setLogo } from '../../operations/logo.ts';
import { ACTOR } from '../support/audit.ts';
import { makePng } from '../support/pictures.ts';
import { PASSWORD } from './harness.ts';
import { declaredTwice, watchStyles } from './styles.ts';
import { addressOf, openVisit, pageRoutes } from './visit.ts';

/** All bytes of a page with its style, script and icon. */
const MAX_BYTES = 60 * 1024;
const WIDE = { width: 1280, height: 900 };
const PHONE = { width: 360, height: 740 };

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const CONTRAST = "{ runOnly: ['color-contrast'] }";
const ALL_RULES = '{}';

const ZONE = 'Asia/Yerevan';
const TIME = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: ZONE,
  timeZoneName: 'short',
} as const;
/** The forms of a time in Armenian: to the minute, and to the second. */
const ARMENIAN = [
  new Intl.DateTimeFormat('hy', TIME),
  new Intl.DateTimeFormat('hy', { ...TIME, second: '2-digit' }),
];

const OPEN_FOLDS = "document.querySelectorAll('details').forEach((one) => (one.open = true))";

/** Returns what is wider than the screen; nothing if the page fits. */
const TOO_WIDE = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const main = document.querySelector('#main');
  const mayScroll = clientWidth > 640 || main.scrollWidth <= main.clientWidth;
  if (scrollWidth <= clientWidth && mayScroll) return [];
  const all = [...document.querySelectorAll('body *')];
  const wide = all.filter((one) =>
    one.getBoundingClientRect().right > clientWidth + 1 &&
    !one.closest('.side ul, .scroll, .wide, thead'));
  return ['the page', ...wide.slice(0, 3).map((one) => one.outerHTML.slice(0, 120))];
})()`;

const visit = await openVisit('dashboard-pages');
const { page, url, ids } = visit;
await page.setViewportSize(WIDE);
const styles = watchStyles(page);

/** Returns the faults that axe finds, each with one element. Fails if axe checked nothing. */
async function faults(rules: string): Promise<string[]> {
  const result = await page.evaluate(`axe.run(document, ${rules}).then(
    ({ violations, passes }) => ({
      found: violations.map(({ id, nodes }) => id + ': ' + nodes[0].html),
      seen: passes.length,
    }))`);
  const { found, seen } = result as { found: string[]; seen: number };
  expect(seen).toBeGreaterThan(0);
  return found;
}

/** Returns the faults of the page in dark colours. Its structure is the same as in light ones. */
async function darkFaults(): Promise<string[]> {
  await page.emulateMedia({ colorScheme: 'dark' });
  const dark = await faults(CONTRAST);
  await page.emulateMedia({ colorScheme: 'light' });
  return dark;
}

/** Returns the parts that do not fit a screen or a phone. */
async function tooWide(): Promise<unknown[]> {
  const parts = [await page.evaluate(TOO_WIDE)];
  await page.setViewportSize(PHONE);
  parts.push(await page.evaluate(TOO_WIDE));
  await page.setViewportSize(WIDE);
  return parts.flat();
}

const PAGES = pageRoutes().map((route) => [addressOf(route, ids), 200] as const);
/** Pages that show a fault in their filters. */
const REFUSED = [
  ['/developers/requests?id=x&status=5xx', 200],
  ['/exports?kind=payments&from=wrong', 422],
] as const;

const sizes = new Map<string, Promise<number>>();

/** Returns the bytes of a file. Fetches each file once. */
async function sizeOf(file: string): Promise<number> {
  const fetched = async () => (await (await page.request.get(url + file)).body()).length;
  const size = sizes.get(file) ?? fetched();
  sizes.set(file, size);
  return size;
}

describe.each([...PAGES, ...REFUSED])('%s', (address, status) => {
  it.each(LOCALES)('has no fault and fits a phone: %s', async (locale) => {
    expect(await visit.open(address, locale)).toBe(status);
    expect(page.url()).toBe(url + address);
    expect(await page.getAttribute('html', 'lang')).toBe(locale);
    expect(await page.locator('h1').count()).toBe(1);
    await page.evaluate(OPEN_FOLDS);
    if (locale === 'en') await styles.look();
    await page.evaluate(AXE);
    expect(await faults(ALL_RULES)).toEqual([]);
    // Colours are the same in all languages.
    if (locale === 'en') expect(await darkFaults()).toEqual([]);
    expect(await tooWide()).toEqual([]);
    // Chromium reports the status of a refused form, and a date that is none.
    if (status === 200) expect(visit.complaints).toEqual([]);
  });

  it('is small, and can be painted once its style has arrived', async () => {
    await visit.open(address);
    const own = visit.requested.map((each) => each.replace(url, ''));
    expect(own).toEqual([
      address,
      expect.stringMatching(/^\/assets\/dashboard\.css\?v=/),
      expect.stringMatching(/^\/assets\/dashboard\.js\?v=/),
    ]);
    const head = await page.locator('head').innerHTML();
    expect(head.match(/<link rel="stylesheet"/g)).toHaveLength(1);
    expect(head.match(/<script/g)).toHaveLength(1);
    expect(head).toMatch(/<script src="[^"]+" defer(?:="")?><\/script>/);
    const icon = await page.locator('link[rel="icon"]').getAttribute('href');
    const bytes = await Promise.all([...own, icon ?? ''].map(sizeOf));
    expect(Math.min(...bytes)).toBeGreaterThan(0);
    expect(bytes.reduce((sum, size) => sum + size, 0)).toBeLessThan(MAX_BYTES);
  });
});

describe('the account of a user who has to set up a second step', () => {
  it.each(LOCALES)('has no fault and fits a phone: %s', async (locale) => {
    const { merchants } = visit.mongo;
    await merchants.updateMany({}, { $set: { requires_second_step: true } });
    await visit.open('/team', locale);
    await merchants.updateMany({}, { $unset: { requires_second_step: true } });
    expect(page.url()).toBe(`${url}/account`);
    await page.evaluate(AXE);
    expect(await faults(ALL_RULES)).toEqual([]);
    expect(await darkFaults()).toEqual([]);
    expect(await tooWide()).toEqual([]);
  });
});

describe('the times of a page', () => {
  it.each(LOCALES)("are all in the reader's zone: %s", async (locale) => {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send('Emulation.setTimezoneOverride', { timezoneId: ZONE });
    await visit.open(addressOf('/payments/:id', ids), locale);
    const times = await page
      .locator('time')
      .evaluateAll((all) =>
        all.map((one) => [one.textContent, one.getAttribute('datetime') ?? '']),
      );
    await cdp.send('Emulation.setTimezoneOverride', { timezoneId: '' });
    expect(times.length).toBeGreaterThan(10);
    expect(times.filter(([text]) => !text?.endsWith(' GMT+4'))).toEqual([]);
    // Chromium does not know Armenian, and Node does.
    if (locale !== 'hy') return;
    const asInNode = times.map(([, at = '']) => ARMENIAN.map((form) => form.format(new Date(at))));
    expect(times.filter(([text], nth) => !asInNode[nth]?.includes(text ?? ''))).toEqual([]);
  });
});

describe('the style sheet', () => {
  it('has no rule that no page uses, and a rule for every class of a page', async () => {
    const { _id: merchant } = (await visit.mongo.merchants.findOne())!;
    await setLogo({ mongo: visit.mongo, actor: ACTOR }, { merchant, file: makePng() });
    const others = [
      '/settings',
      '/developers/requests?path=/v1/none',
      `/developers/events?after=${ids.event}`,
    ];
    for (const address of others) {
      await visit.open(address);
      await styles.look();
    }
    const password = PASSWORD;
    const stored = { delivery: ids.delivery, attempt: '1', computed: 'ab'.repeat(32) };
    expect(await styles.submit('/account/second-step', { password })).toBe(200);
    expect(await styles.submit('/settings', { name: '' })).toBe(422);
    expect(await styles.submit('/webhooks/explain', stored)).toBe(200);
    expect(await styles.submit('/webhooks/explain', {})).toBe(422);
    expect(await styles.submit('/keys', { name: 'Till 3', password })).toBe(200);
    expect(styles.count()).toBeGreaterThan(100);
    expect(styles.unused()).toEqual([]);
    expect(styles.bare()).toEqual([]);
  });

  it('declares nothing in two files', async () => {
    expect(await declaredTwice(page)).toEqual([]);
  });
});

describe('the addresses of pages', () => {
  it('are refused if the object of a parameter is unknown', () => {
    expect(() => addressOf('/parcels/:id', ids)).toThrow('seed its object');
  });

  it('are all visited', () => {
    expect(pageRoutes().length).toBeGreaterThan(5);
  });
});
