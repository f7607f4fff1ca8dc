/** Shows scenes: over HTTP, and in a browser. */
import { parse } from 'node-html-parser';
import type { HTMLElement } from 'node-html-parser';
import type { Browser, Page } from 'playwright-core';
import { tenantOf } from '../../domain/merchant.ts';
import type { Locale } from '../../domain/merchant.ts';
import type { Payment } from '../../domain/payment.ts';
import { setLogo } from '../../operations/logo.ts';
import { mintId } from '../../store/mint.ts';
import type { Mongo } from '../../store/mongo.ts';
import { ACTOR } from '../support/audit.ts';
import { makePng } from '../support/pictures.ts';
import { openBench } from './harness.ts';
import type { Stager, Submission } from './plot.ts';
import type { Scene } from './scenes.ts';

/** The names of the merchants. */
export const NAMES: Readonly<Record<Stager, string>> = {
  plain: 'Nairi Books',
  branded: 'Ararat Tea House',
  wordy: 'The Society for the Preservation of Armenian Manuscripts and Illuminated Bookbinding',
};
const COLOUR = '#0a5c36';
/** The logo is as wide as pages show any. */
const LOGO = makePng({ width: 600, height: 100, grey: 90 });
/** A limit that the second unknown address exceeds, in a window longer than a run. */
const FEW = { perSecond: 0.000_1, burst: 1 };

interface Shown {
  readonly status: number;
  readonly root: HTMLElement;
  readonly payment: Payment;
}

export interface Stage {
  /** Shows the scene over HTTP. Every scene has a payment of its own. */
  visit(scene: Scene, locale: Locale): Promise<Shown>;
  /** Shows the scene in a browser. Returns the status of the last response. */
  show(page: Page, scene: Scene, locale: Locale): Promise<number>;
  close(): Promise<void>;
}

/** Serves the checkout with the merchants of all scenes. */
export async function openStage(file: string): Promise<Stage> {
  const [bench, crowded] = await Promise.all([
    openBench(file),
    openBench(`${file}-crowded`, { limits: { anonymous: FEW } }),
  ]);
  await crowded.call('/c/nobody');
  const merchants = await insertMerchants(bench.mongo);
  const prepare = async (scene: Scene, locale: Locale) => {
    const merchant_id = merchants[scene.merchant];
    const m = tenantOf(merchant_id, 'test');
    const payment = await bench.put({ ...scene.payment(), merchant_id, m });
    const { origin } = scene.isCrowded ? crowded : bench;
    const path = scene.path(payment, bench);
    return { payment, url: `${origin}${path}${path.includes('?') ? '&' : '?'}lang=${locale}` };
  };
  return {
    async visit(scene, locale) {
      const { payment, url } = await prepare(scene, locale);
      const opened = await read(await fetch(url));
      const { submit } = scene;
      if (!submit) return { ...opened, payment };
      await submit.meanwhile?.(bench, payment);
      return { ...(await post(opened.root, submit, url)), payment };
    },
    async show(page, scene, locale) {
      const { payment, url } = await prepare(scene, locale);
      const opened = await page.goto(url);
      const { submit } = scene;
      if (!submit) return opened?.status() ?? 0;
      await submit.meanwhile?.(bench, payment);
      const loaded = page.waitForEvent('load');
      const [response] = await Promise.all([
        page.waitForResponse((each) => each.request().method() === 'POST'),
        page.evaluate(`(${SUBMIT})(${JSON.stringify(submit)})`),
      ]);
      await loaded;
      return response.status();
    },
    close: async () => {
      await Promise.all([bench.close(), crowded.close()]);
    },
  };
}

/** Opens a page that stays on the checkout: the shop, to which a finished page returns, is empty. */
export async function openViewer(browser: Browser): Promise<Page> {
  const page = await browser.newPage();
  await page.route('https://shop.example/**', async (route) => route.fulfill({ status: 204 }));
  return page;
}

async function insertMerchants(mongo: Mongo): Promise<Record<Stager, string>> {
  const ids = { plain: '', branded: '', wordy: '' };
  for (const name of Object.keys(ids) as Stager[]) {
    const _id = mintId('merchant');
    const colour = name === 'branded' ? { colour: COLOUR } : {};
    await mongo.merchants.insertOne({
      _id,
      name: NAMES[name],
      locale: 'en',
      created_at: new Date(),
      ...colour,
    });
    if (name === 'branded') await setLogo({ mongo, actor: ACTOR }, { merchant: _id, file: LOGO });
    ids[name] = _id;
  }
  return ids;
}

async function read(response: Response): Promise<Omit<Shown, 'payment'>> {
  const root = parse(await response.text(), { blockTextElements: { script: true, style: true } });
  return { status: response.status, root };
}

/** Submits the form of a page as a browser does, with its hidden fields. */
async function post(root: HTMLElement, { form, fields = {}, isPlain }: Submission, from: string) {
  const found = root.querySelector(`#${form}`);
  if (!found) throw new Error(`There is no form ${form} at ${from}.`);
  const hidden = found.querySelectorAll('input[type="hidden"]').map((input) => {
    const { name = '', value = '' } = input.attributes;
    return [name, value] as const;
  });
  const body = new URLSearchParams({ ...Object.fromEntries(hidden), ...fields });
  const url = new URL(found.getAttribute('action') ?? '', from);
  const type = isPlain ? { 'Content-Type': 'text/plain' } : {};
  const headers = { 'Sec-Fetch-Site': 'same-origin', ...type };
  return read(await fetch(url, { method: 'POST', headers, body, redirect: 'manual' }));
}

/** A function of the browser that does the same. Its fields may have values that no page offers. */
const SUBMIT = `({ form: id, fields = {}, isPlain }) => {
  const form = document.getElementById(id);
  if (isPlain) form.enctype = 'text/plain';
  for (const [name, value] of Object.entries(fields)) {
    const all = [...form.elements].filter((one) => one.name === name);
    const text = all.find(({ type }) => type === 'text' || type === 'hidden');
    if (text) text.value = value;
    else {
      for (const one of all) one.checked = false;
      const input = document.createElement('input');
      form.append(Object.assign(input, { type: 'hidden', name, value }));
    }
  }
  HTMLFormElement.prototype.submit.call(form);
}`;
