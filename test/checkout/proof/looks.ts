/** Looks at every page in each state, language and setting of a reader. */
import { readFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { afterAll, describe, expect, it } from 'vitest';
import type { Page } from 'playwright-core';
import { LOCALES } from '../../../domain/merchant.ts';
import { openBrowser } from '../../support/browser.ts';
import { closeAfterTests } from '../../support/close.ts';
import { SCENES } from '../scenes.ts';
import type { Scene } from '../scenes.ts';
import { openStage, openViewer } from '../stage.ts';
import { BEGIN, FOCUSED, MISFITS, MOVING, SPACED, UNSPACED } from './fit.ts';

const AXE = readFileSync(createRequire(import.meta.url).resolve('axe-core/axe.min.js'), 'utf8');
const HEIGHT = 800;
const COLOURS = ['light', 'dark'] as const;

interface Setting {
  readonly name: string;
  readonly width: number;
  readonly media?: Parameters<Page['emulateMedia']>[0];
  readonly isSpaced?: boolean;
}

const SETTINGS: readonly Setting[] = [
  { name: 'a wide screen', width: 1280 },
  { name: 'a phone', width: 360 },
  { name: 'the narrowest phone', width: 320 },
  { name: 'a zoom of 200 %', width: 640 },
  { name: 'spaced texts', width: 1280, isSpaced: true },
  { name: 'spaced texts on the narrowest phone', width: 320, isSpaced: true },
  { name: 'forced colours', width: 360, media: { forcedColors: 'active' } },
  { name: 'reduced motion', width: 360, media: { reducedMotion: 'reduce' } },
];
const USUAL = { forcedColors: 'none', reducedMotion: 'no-preference' } as const;

const [stage, browser] = await Promise.all([
  openStage('checkout-looks').then(closeAfterTests),
  openBrowser().then(closeAfterTests),
]);
const page = await openViewer(browser);
/** The scenes that are heard with what is around every page. */
const FRAMED = ['form', 'bank'];
/** What a screen reader reads out on each page. */
const heard: string[] = [];
const figures = { pages: 0, rulesPassed: 0, violations: 0, settings: 0, misfits: 0, stops: 0 };
afterAll(() => console.log('Looks at the checkout:', figures));

/** Returns the faults that axe finds. Fails if axe checked nothing. */
async function violations(): Promise<string[]> {
  const result = await page.evaluate(`axe.run(document).then(({ violations, passes }) => ({
    found: violations.map(({ id, nodes }) => id + ': ' + nodes[0].html),
    seen: passes.length,
  }))`);
  const { found, seen } = result as { found: string[]; seen: number };
  expect(seen).toBeGreaterThan(0);
  figures.rulesPassed += seen;
  figures.violations += found.length;
  return found;
}

/** Returns what does not fit, or moves, in that setting. */
async function misfits({ name, width, media, isSpaced }: Setting): Promise<string[]> {
  await page.setViewportSize({ width, height: HEIGHT });
  await page.emulateMedia({ ...USUAL, ...media });
  await page.evaluate(isSpaced ? SPACED : UNSPACED);
  const found = await page.evaluate<string[]>(MISFITS);
  const moving = media?.reducedMotion ? await page.evaluate<number>(MOVING) : 0;
  if (moving > 0) found.push(`${moving} parts move`);
  figures.settings += 1;
  figures.misfits += found.length;
  return found.map((fault) => `${name}: ${fault}`);
}

/** Presses the tab key until every part has had the focus. */
async function walkByKeyboard(): Promise<void> {
  const stops = await page.evaluate<string[]>(BEGIN);
  const reached: string[] = [];
  const faults: string[] = [];
  for (let i = 0; i < stops.length; i += 1) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate<{ name: string; faults: string[] }>(FOCUSED);
    reached.push(focused.name);
    faults.push(...focused.faults.map((fault) => `${focused.name} ${fault}`));
  }
  figures.stops += stops.length;
  expect(reached).toEqual(stops);
  expect(faults).toEqual([]);
}

async function show(scene: Scene, locale: (typeof LOCALES)[number]): Promise<void> {
  expect(await stage.show(page, scene, locale)).toBe(scene.status);
  expect(await page.getAttribute('main', 'data-view')).toBe(scene.view);
  expect(await page.getAttribute('html', 'lang')).toBe(locale);
  figures.pages += 1;
}

describe.each(SCENES.map((scene) => [scene.name, scene] as const))('%s', (_, scene) => {
  it.each(LOCALES)('has no fault in any colours, and fits every reader: %s', async (locale) => {
    await page.setViewportSize({ width: 1280, height: HEIGHT });
    await show(scene, locale);
    await page.evaluate(AXE);
    const faults: string[] = [];
    for (const colorScheme of COLOURS) {
      await page.emulateMedia({ ...USUAL, colorScheme });
      faults.push(...(await violations()).map((fault) => `${colorScheme}: ${fault}`));
    }
    for (const setting of SETTINGS) faults.push(...(await misfits(setting)));
    await page.emulateMedia({ ...USUAL, colorScheme: 'light' });
    expect(faults).toEqual([]);
  });

  it('is used by keyboard alone, and heard', async () => {
    await page.setViewportSize({ width: 360, height: HEIGHT });
    await show(scene, 'en');
    await walkByKeyboard();
    if (scene.isVariant) return;
    const part = FRAMED.includes(scene.name) ? 'body' : 'main';
    const spoken = await page.locator(part).ariaSnapshot();
    // Addresses, times and ids differ in each run. Nobody hears the addresses.
    const text = spoken
      .replaceAll(/:?\n *- \/url: .*/g, '')
      .replaceAll(/\w+ \d+, \d{4} at \d\d:\d\d UTC/g, 'a time')
      .replaceAll(/pay_\w+/g, 'pay_...')
      .replaceAll(/TG-\w{4}-\w{4}/g, 'TG-...');
    heard.push(`## ${scene.name}: ${await page.title()}\n\n${text}\n`);
  });
});

it('is heard as it was reviewed', async () => {
  await expect(heard.join('\n')).toMatchFileSnapshot('./heard.txt');
});
