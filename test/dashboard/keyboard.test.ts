import { describe, expect, it } from 'vitest';
import { openVisit } from './visit.ts';

const visit = await openVisit('dashboard-keyboard');
const { page, url, open } = visit;

/** Presses keys one after another. */
async function press(...keys: readonly string[]): Promise<void> {
  for (const key of keys) await page.keyboard.press(key);
}

/** Returns the number of the row that has the focus, from 0; -1 if none has. */
async function rowNumber(): Promise<unknown> {
  return page.evaluate(`[...document.querySelectorAll('#main .rows tbody tr')]
    .indexOf(document.activeElement)`);
}

const isOpen = async () => page.locator('#shortcuts').evaluate((list) => list.matches('[open]'));

describe('the shortcuts', () => {
  it('move in a table, and stop at its ends', async () => {
    await open('/team');
    const count = await page.locator('#main .rows tbody tr').count();
    await press('j');
    expect(await rowNumber()).toBe(0);
    await press('j', 'ArrowDown', 'k');
    expect(await rowNumber()).toBe(1);
    await press('ArrowUp', 'k', 'k');
    expect(await rowNumber()).toBe(0);
    for (let i = 0; i <= count; i += 1) await press('j');
    expect(await rowNumber()).toBe(count - 1);
    expect(count).toBeGreaterThan(3);
  });

  it('open the first link of the row with Enter', async () => {
    await open('/team');
    await page.evaluate(`document.querySelector('#main .rows tbody tr:nth-child(2) td')
      .insertAdjacentHTML('beforeend', '<a href="/account">one</a> <a href="/keys">two</a>')`);
    await press('j', 'j', 'Enter');
    await page.waitForURL(`${url}/account`);
  });

  it('leave the arrows to the page outside of tables', async () => {
    await open('/team');
    await press('ArrowDown');
    expect(await rowNumber()).toBe(-1);
  });

  it('go to a page of the menu with g and its letter', async () => {
    await open('/');
    await press('g');
    expect(await page.locator('.said').textContent()).toBe('Go to: press the letter of a page');
    await press('t');
    await page.waitForURL(`${url}/team`);
    await press('g', 'h');
    await page.waitForURL(`${url}/`);
  });

  it('use the place of a letter in other alphabets', async () => {
    await open('/team', 'ru');
    await page.evaluate(`document.body.dispatchEvent(
      new KeyboardEvent('keydown', { key: 'о', code: 'KeyJ', bubbles: true }))`);
    expect(await rowNumber()).toBe(0);
  });

  it('focus the search box with a slash', async () => {
    await open('/team');
    await page.evaluate(`document.querySelector('#main')
      .insertAdjacentHTML('beforeend', '<input type="search" id="q" aria-label="q">')`);
    await press('/');
    expect(await page.locator(':focus').getAttribute('id')).toBe('q');
    await press('j', '/', '?');
    expect(await page.locator('#q').inputValue()).toBe('j/?');
    expect(await isOpen()).toBe(false);
  });

  it('do nothing in a field, or with a modifier', async () => {
    await open('/team');
    await page.locator('#email').focus();
    await press('j', '?');
    expect(await page.locator('#email').inputValue()).toBe('j?');
    await page.locator('#email').evaluate((field) => field.blur());
    await press('Control+j', 'Alt+j', 'Meta+j');
    expect(await rowNumber()).toBe(-1);
    expect(await isOpen()).toBe(false);
  });

  it('are listed after a question mark, each page once, and Escape closes the list', async () => {
    await open('/team', 'en');
    await press('?');
    expect(await isOpen()).toBe(true);
    const lines = await page.locator('#shortcuts dt').allTextContents();
    expect(lines).toContain('g t');
    expect(new Set(lines).size).toBe(lines.length);
    const menu = await page.locator('.side nav a').count();
    expect(lines.filter((line) => line.startsWith('g '))).toHaveLength(menu);
    await press('j');
    expect(await rowNumber()).toBe(-1);
    await press('Escape');
    expect(await isOpen()).toBe(false);
  });

  it('can be turned off, and on again with the button', async () => {
    await open('/team');
    await press('?');
    await page.locator('#shortcuts input').uncheck();
    await press('Escape', 'j', '?');
    expect(await rowNumber()).toBe(-1);
    expect(await isOpen()).toBe(false);
    await open('/team');
    await press('j');
    expect(await rowNumber()).toBe(-1);
    await page.locator('[data-keys]').click();
    await page.locator('#shortcuts input').check();
    await press('Escape', 'j');
    expect(await rowNumber()).toBe(0);
  });
});

describe('the button beside an event', () => {
  it('copies the exact bytes that receivers get', async () => {
    const permissions = ['clipboard-read', 'clipboard-write'];
    await page.context().grantPermissions(permissions, { origin: new URL(url).origin });
    await open(`/developers/events/${visit.ids.event}`);
    await page.click('main summary');
    await page.click('main details [data-copy]');
    await page.waitForSelector('main details [data-done]');
    const { body } = (await visit.mongo.events.findOne({ _id: visit.ids.event }))!;
    expect(await page.evaluate(async () => navigator.clipboard.readText())).toBe(body);
  });
});

describe('a page without a script', () => {
  it('has the same content, and no button that would do nothing', async () => {
    const context = await page.context().browser()!.newContext({ javaScriptEnabled: false });
    await context.addCookies(await page.context().cookies());
    const plain = await context.newPage();
    await plain.goto(`${url}/keys`);
    expect(await plain.locator('.rows tbody tr').count()).toBe(5);
    expect(await plain.locator('[data-keys]').isVisible()).toBe(false);
    expect(await plain.locator('#shortcuts').isVisible()).toBe(false);
    await plain.setViewportSize({ width: 360, height: 740 });
    expect(await plain.evaluate('document.documentElement.scrollWidth')).toBe(360);
    await context.close();
  });
});

describe('a table on a phone', () => {
  it('is a list that names each value, and still a table for screen readers', async () => {
    await page.setViewportSize({ width: 360, height: 740 });
    await open('/keys', 'en');
    const cell = page.locator('.rows tbody tr').first().locator('td').nth(4);
    const shown = await cell.evaluate((one) => getComputedStyle(one, '::before').content);
    expect(shown).toBe('"State"');
    expect(await page.getByRole('table').count()).toBe(1);
    expect(await page.getByRole('columnheader').count()).toBe(6);
    expect(await page.getByRole('row').count()).toBe(6);
    const scrolls = '(one) => one.scrollWidth > one.clientWidth';
    expect(await page.evaluate(`(${scrolls})(document.querySelector('.rows'))`)).toBe(false);
  });
});
