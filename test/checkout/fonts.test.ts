import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { fileURLToPath } from 'node:url';
import type { Page, Route } from 'playwright-core';
import subsetFont from 'subset-font';
import { describe, expect, it } from 'vitest';
import { CURRENCIES, localAmount } from '../../domain/money.ts';
import { LOCALES } from '../../domain/merchant.ts';
import type { Payment } from '../../domain/payment.ts';
import { fontFiles } from '../../ui/fontfiles.ts';
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests } from '../support/close.ts';
import { PROJECT } from '../support/servers/programs.ts';
import { testServers } from '../support/run.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openBench, paymentIn } from './harness.ts';
import { SLOW, readShift, visit, watchShifts } from './visit.ts';

/** All bytes of the page, its style sheet and its scripts, as they are sent, with headers. */
const MAX_BYTES = 30 * 1024;
const MAX_BYTES_WITH_FONTS = 60 * 1024;
/** The page, its style sheet, a script, and a font. */
const MAX_REQUESTS = 4;

const bench = closeAfterTests(await openBench('fonts'));
const folder = await mkdtemp(path.join(tmpdir(), 'tollgate-fonts-'));
closeAfterTests({ close: async () => rm(folder, { recursive: true }) });

/** Starts a browser whose only font has one letter. Without any font, it would not start. */
async function openFontless() {
  const latin = await readFile(fileURLToPath(fontFiles()['latin.woff2'].from[0]));
  await writeFile(
    path.join(folder, 'x.ttf'),
    await subsetFont(latin, 'x', { targetFormat: 'sfnt' }),
  );
  const file = path.join(folder, 'fonts.conf');
  const places = `<dir>${folder}</dir><cachedir>${folder}</cachedir>`;
  await writeFile(file, `<fontconfig>${places}</fontconfig>`);
  return closeAfterTests(await openBrowser({ FONTCONFIG_FILE: file }));
}

const addressOf = ({ checkout_token: token }: Payment, locale: string) =>
  `${bench.origin}/c/${token}?lang=${locale}`;

/** Returns how many glyphs of an element are from fonts of the page, and from the machine's. */
async function glyphsOf(page: Page, selector: string) {
  const client = await page.context().newCDPSession(page);
  await client.send('DOM.enable');
  await client.send('CSS.enable');
  const { root } = await client.send('DOM.getDocument');
  const { nodeId } = await client.send('DOM.querySelector', { nodeId: root.nodeId, selector });
  const { fonts } = await client.send('CSS.getPlatformFontsForNode', { nodeId });
  const count = (isOwn: boolean) =>
    fonts
      .filter(({ isCustomFont }) => isCustomFont === isOwn)
      .reduce((sum, { glyphCount }) => sum + glyphCount, 0);
  return { own: count(true), foreign: count(false) };
}

/**
 * Returns those of the characters that the page draws as it draws a character that no font has: as
 * a box, or not at all.
 */
async function boxesAmong(page: Page, text: string): Promise<string[]> {
  const characters = [...new Set(text.replaceAll(/\s/g, ''))];
  return page.evaluate(async (all) => {
    const { fontFamily, fontWeight } = getComputedStyle(document.querySelector('.amount')!);
    const font = `${fontWeight} 40px ${fontFamily}`;
    await document.fonts.load(font, all.join(''));
    const draw = (character: string) => {
      const canvas = document.createElement('canvas');
      const context = canvas.getContext('2d')!;
      context.font = font;
      context.fillText(character, 10, 60);
      return canvas.toDataURL();
    };
    const box = draw('\u{10fffd}');
    return all.filter((each) => draw(each) === box);
  }, characters);
}

describe('a browser whose machine has no fonts', async () => {
  const browser = await openFontless();
  const page = await browser.newPage();

  it.each(LOCALES.flatMap((locale) => [[locale, 'open'] as const, [locale, 'completed'] as const]))(
    'shows every currency and letter without a box (%s, %s)',
    async (locale, state) => {
      const payment = await bench.put(paymentIn(state));
      await page.goto(addressOf(payment, locale));
      const text = (await page.textContent('body'))!;
      const amounts = CURRENCIES.map(({ code }) => localAmount(123_456_789, code, locale)).join('');
      await page.evaluate((shown) => {
        document.querySelector('.amount')!.textContent = shown;
      }, amounts);
      await page.evaluate(async () => document.fonts.ready);
      expect(await boxesAmong(page, text + amounts)).toEqual([]);
      expect(await glyphsOf(page, '.amount')).toEqual({ own: amounts.length, foreign: 0 });
      expect(await boxesAmong(page, '\u1200')).toEqual(['\u1200']);
    },
  );

  it.each(LOCALES)('loads less than 60 KiB (%s)', async (locale) => {
    const payment = await bench.put(makePayment());
    const { bytes } = await visit(browser, addressOf(payment, locale));
    expect([...bytes.keys()]).toContain('/assets/latin.woff2');
    expect(sum(bytes.values())).toBeLessThan(MAX_BYTES_WITH_FONTS);
  });
});

const sum = (all: Iterable<number>): number => [...all].reduce((total, each) => total + each, 0);

describe('the first visit', async () => {
  const browser = closeAfterTests(await openBrowser());

  it.each([
    ['en', 'AMD', []],
    ['ru', 'AMD', ['dram.woff2']],
    ['hy', 'GEL', ['signs.woff2']],
    ['hy', 'USD', []],
  ] as const)('is light, and loads only the fonts it needs (%s, %s)', async (...row) => {
    const [locale, currency, expected] = row;
    const payment = await bench.put(makePayment({ currency }));
    const address = addressOf(payment, locale);
    const { bytes, causes, blocking, shift } = await visit(browser, address);
    const paths = [...bytes.keys()];
    const fonts = paths.filter((each) => each.endsWith('.woff2'));
    expect(fonts).toEqual(expected.map((name) => `/assets/${name}`));
    expect(paths.every((each) => each.startsWith('/'))).toBe(true);
    expect(paths.length).toBeLessThanOrEqual(MAX_REQUESTS);
    expect(blocking).toEqual(['/assets/checkout.css']);
    expect([...causes]).toEqual(['parser']);
    expect(shift).toBe(0);
    const all = sum(bytes.values());
    expect(all - sum(fonts.map((each) => bytes.get(each)!))).toBeLessThan(MAX_BYTES);
    expect(all).toBeLessThan(MAX_BYTES_WITH_FONTS);
    expect(bytes.size).toBeGreaterThanOrEqual(2 + expected.length);
  });

  it('is the same on a slow line', async () => {
    const payment = await bench.put(makePayment());
    const address = addressOf(payment, 'hy');
    const [fast, slow] = await Promise.all([
      visit(browser, address),
      visit(browser, address, SLOW),
    ]);
    expect(new Set(slow.bytes.keys())).toEqual(new Set(fast.bytes.keys()));
    expect([slow.blocking, slow.shift]).toEqual([fast.blocking, 0]);
  });

  it('moves nothing when the sign comes after the text', async () => {
    const payment = await bench.put(makePayment());
    const page = await browser.newPage();
    await page.addInitScript(watchShifts);
    const held: Route[] = [];
    await page.route('**/*.woff2?*', (route) => void held.push(route));
    await page.goto(addressOf(payment, 'hy'), { waitUntil: 'commit' });
    await page.waitForFunction(
      () => performance.getEntriesByName('first-contentful-paint').length > 0,
    );
    const places = async () =>
      page.evaluate(() =>
        [...document.querySelectorAll('main *')].map((each) => {
          const { left, top, height } = each.getBoundingClientRect();
          return [left, top, height];
        }),
      );
    const early = await places();
    expect(await page.evaluate(() => document.fonts.check("16px 'Tollgate Signs'", '֏'))).toBe(
      false,
    );
    expect(held).toHaveLength(1);
    await held[0]!.continue();
    await page.waitForFunction(() => document.fonts.check("16px 'Tollgate Signs'", '֏'));
    expect(await places()).toEqual(early);
    expect(await readShift(page)).toBe(0);
    await page.close();
  });
});

describe('the fonts', () => {
  it('are not compressed again, and stay in caches', async () => {
    const payment = await bench.put(makePayment());
    const { text } = await bench.call(`/c/${payment.checkout_token}?lang=hy`);
    const [, address] = /<link rel="preload" as="font" [^>]*href="([^"]*)"/.exec(text)!;
    const { headers } = await bench.call(address!, { headers: { 'Accept-Encoding': 'gzip' } });
    const sent = ['content-type', 'content-encoding', 'cache-control'].map((each) =>
      headers.get(each),
    );
    expect(sent).toEqual(['font/woff2', null, expect.stringMatching(/immutable$/)]);
    const css = await bench.call('/assets/checkout.css');
    expect(css.text).toContain(`url('..${address}')`);
  });

  it('are the same in the built programs', async () => {
    const built = testServers().programs;
    for (const { from } of Object.values(fontFiles())) {
      const file = fileURLToPath(from[0]);
      const copy = await readFile(path.join(built, path.relative(PROJECT, file)));
      expect(copy.equals(await readFile(file))).toBe(true);
    }
  });
});
