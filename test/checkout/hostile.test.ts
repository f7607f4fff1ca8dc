/** A merchant's texts in a browser: as the merchant wrote them, and without any effect. */
import { describe, expect, it } from 'vitest';
import { mintId } from '../../store/mint.ts';
import { openBrowser } from '../support/browser.ts';
import { closeAfterTests } from '../support/close.ts';
import { makePayment } from '../support/rows/payment.ts';
import { openBench, paymentIn } from './harness.ts';
import { HOSTILE } from './hostiletexts.ts';

const bench = closeAfterTests(await openBench('hostile'));
const browser = closeAfterTests(await openBrowser());
const FIELDS = ['payee', 'description', 'order'] as const;
/** The limits of the API and the settings, in characters. */
const LIMITS = { payee: 100, description: 255, order: 128 };

const part = (text: string, length: number): string =>
  Buffer.from(text.slice(0, length)).toString().replaceAll('\ufffd', '');

/** Three texts for the three fields of each page. Each text is in one of them. */
const PAGES = Array.from({ length: Math.ceil(HOSTILE.length / 3) }, (_, page) => {
  const of = (n: number): string => HOSTILE[(page * 3 + ((n + page) % 3)) % HOSTILE.length]!;
  const [payee, description, order] = FIELDS.map((field, n) => part(of(n), LIMITS[field]));
  return { payee: payee!, description: description!, order: order! };
});

interface Layout {
  readonly width: number;
  readonly headings: number;
  readonly isPayable: boolean;
  readonly texts: readonly (string | null)[];
  readonly isolation: readonly (string | undefined)[];
}

/** Reads the page within the browser. */
function readLayout(button: string): Layout {
  const pay = document.querySelector(button)!;
  pay.scrollIntoView({ block: 'center' });
  const { x, y, width, height } = pay.getBoundingClientRect();
  const top = document.elementFromPoint(x + width / 2, y + height / 2);
  const rows = ['payee', 'description', 'order'].map((id) => document.querySelector(`#${id}`));
  return {
    width: document.documentElement.scrollWidth,
    headings: document.querySelectorAll('h1').length,
    isPayable: pay.contains(top) && height >= 24,
    texts: rows.map((row) => row?.textContent ?? null),
    isolation: rows.map((row) => {
      if (!row) return undefined;
      const { unicodeBidi, overflowY } = getComputedStyle(row);
      return `${unicodeBidi} ${overflowY}`;
    }),
  };
}

/** Opens the page at 320 pixels. Fails if it runs, loads or reports anything. */
async function read(path: string, button: string): Promise<Layout> {
  const page = await browser.newPage({ viewport: { width: 320, height: 640 } });
  const faults: string[] = [];
  page.on('dialog', (dialog) => {
    faults.push(`dialog ${dialog.message()}`);
    void dialog.dismiss();
  });
  page.on('pageerror', ({ message }) => faults.push(message));
  page.on('console', (message) => faults.push(message.text()));
  page.on('request', (request) => {
    if (!request.url().startsWith(bench.origin)) faults.push(request.url());
  });
  await page.goto(bench.origin + path);
  const layout = await page.evaluate(readLayout, button);
  await page.close();
  expect(faults).toEqual([]);
  return layout;
}

/** Returns the text as the parser of HTML normalizes it. */
const parsed = (text: string): string => text.replaceAll(/\r\n?/g, '\n');

/** Inserts a merchant. Returns its id. */
async function merchantNamed(name: string): Promise<string> {
  const _id = mintId('merchant');
  await bench.mongo.merchants.insertOne({ _id, name, locale: 'en', created_at: new Date() });
  return _id;
}

describe('the texts of a merchant', () => {
  it('are more than sixty', () => {
    expect(new Set(HOSTILE).size).toBeGreaterThanOrEqual(60);
  });

  it('are shown as written, isolated, and leave the page usable at 320 pixels', async () => {
    for (const { payee, description, order } of PAGES) {
      const merchant_id = await merchantNamed(payee);
      const texts = { description, order_id: order, metadata: { a: description } };
      const payment = await bench.put(makePayment({ merchant_id, ...texts }));
      const layout = await read(`/c/${payment.checkout_token}`, '#pay');
      const given = [payee, description, order];
      expect({ given, layout }).toEqual({
        given,
        layout: {
          width: 320,
          headings: 1,
          isPayable: true,
          texts: given.map(parsed),
          isolation: given.map(() => 'isolate clip'),
        },
      });
    }
    expect(bench.lines.filter((line) => line.includes('security policy'))).toEqual([]);
  });

  it('leave the page of the bank usable too', async () => {
    for (const payee of [PAGES[0]!.payee, 'W'.repeat(100), `Z${'\u0301\u0489\u20dd'.repeat(33)}`]) {
      const merchant_id = await merchantNamed(payee);
      const payment = await bench.put(paymentIn('at_bank', { merchant_id }));
      const { width, headings, isPayable } = await read(bench.bankPath(payment), '#decide');
      expect({ width, headings, isPayable }).toEqual({ width: 320, headings: 1, isPayable: true });
    }
  });
});
