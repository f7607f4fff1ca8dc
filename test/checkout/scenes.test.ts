/** Every page in each state has the texts of the catalogue, in its own language, and no others. */
import { describe, expect, it } from 'vitest';
import { HTMLElement, NodeType } from 'node-html-parser';
import type { Node } from 'node-html-parser';
import { groupDigits } from '../../checkout/brands.ts';
import { LANGUAGE_NAMES, TEXTS } from '../../checkout/text.ts';
import type { TextKey } from '../../checkout/text.ts';
import { CHOICES, HARD_CODES, TEST_CARDS, TRANSFER_OUTCOMES } from '../../domain/bank.ts';
import { LOCALES } from '../../domain/merchant.ts';
import type { Locale } from '../../domain/merchant.ts';
import { lastReference } from '../../domain/method.ts';
import { localAmount } from '../../domain/money.ts';
import type { Payment } from '../../domain/payment.ts';
import { closeAfterTests } from '../support/close.ts';
import { SCENES } from './scenes.ts';
import { NAMES, openStage } from './stage.ts';

const KEYS = Object.keys(TEXTS.en) as TextKey[];
/** Attributes whose value people read or hear. */
const SPOKEN = ['aria-label', 'aria-description', 'alt', 'title', 'placeholder'];
/** No page shows these: a decline for good ends the payment, and forms offer known methods only. */
const UNSHOWN: TextKey[] = [
  ...HARD_CODES.map((code) => `failure.${code}` as const),
  'error.method',
];

/** Returns the pattern of a text, whatever fills its placeholders. */
function patternOf(text: string): RegExp {
  const [, forms = ''] = /^\{\w+, plural,(.*)\}$/.exec(text) ?? [];
  const plurals = [...forms.matchAll(/\{([^{}]*)\}/g)].map(([, form = '']) => form);
  const escaped = (plurals.length > 0 ? plurals : [text]).map((each) =>
    each.replaceAll(/[.*+?^$()|[\]\\]/g, String.raw`\$&`).replaceAll(/\{\w+\}|#/g, '.{1,40}'),
  );
  return new RegExp(`^(?:${escaped.join('|')})$`);
}

const PATTERNS = Object.fromEntries(
  LOCALES.map((locale) => [locale, KEYS.map((key) => [key, patternOf(TEXTS[locale][key])])]),
) as Record<Locale, [TextKey, RegExp][]>;

/** Returns all that people read on a page, or hear. */
function readAll(root: HTMLElement): string[] {
  const texts: string[] = [];
  const walk = (node: Node): void => {
    // The format of the language, not a text of ours.
    if (node instanceof HTMLElement && node.hasAttribute('data-local')) return;
    if (node.nodeType === NodeType.TEXT_NODE) texts.push(node.text.trim());
    for (const child of node.childNodes) walk(child);
  };
  walk(root);
  for (const name of SPOKEN) {
    for (const one of root.querySelectorAll(`[${name}]`)) texts.push(one.getAttribute(name) ?? '');
  }
  return texts.filter((text) => text !== '' && !text.startsWith('<!'));
}

/** Returns the texts that do not come from the catalogue: names, amounts, cards. */
function givenTexts(payment: Payment, locale: Locale): Set<string | null> {
  const amountOf = (amount: number) => localAmount(amount, payment.currency, locale);
  const amounts = [payment.amount, payment.amount_refunded].map(amountOf);
  const cards = TEST_CARDS.map(({ number }) => groupDigits(number));
  const own = [...amounts, payment.description, payment.order_id, 'SANDBOX-0001'];
  return new Set([
    ...own,
    ...cards,
    ...CHOICES,
    ...TRANSFER_OUTCOMES,
    'Visa •••• 4242',
    'Visa •••• 0002',
    lastReference(payment),
    payment._id,
    ...Object.values(NAMES),
    ...Object.values(LANGUAGE_NAMES),
  ]);
}

const stage = closeAfterTests(await openStage('scenes'));
const used: Record<Locale, Set<TextKey>> = { hy: new Set(), en: new Set(), ru: new Set() };

/** Returns true if the text is given, or one of the catalogue, which is then used. */
function isKnown(text: string, locale: Locale, given: ReadonlySet<string | null>): boolean {
  const keys = PATTERNS[locale].filter(([, pattern]) => pattern.test(text)).map(([key]) => key);
  for (const key of keys) used[locale].add(key);
  return keys.length > 0 || given.has(text);
}

/** Returns true if the text consists of known ones, such as a title of two parts. */
function isComposed(text: string, locale: Locale, given: ReadonlySet<string | null>): boolean {
  if (isKnown(text, locale, given)) return true;
  const joints = [...text.matchAll(/ · | /g)];
  return joints.some(({ index, 0: joint }) => {
    const tail = text.slice(index + joint.length);
    return isKnown(text.slice(0, index), locale, given) && isComposed(tail, locale, given);
  });
}

describe('the texts of every page', () => {
  it.each(SCENES.map((scene) => [scene.name, scene] as const))(
    'are in its language, and in the catalogue: %s',
    async (_, scene) => {
      const check = async (locale: Locale): Promise<void> => {
        const { status, root, payment } = await stage.visit(scene, locale);
        const view = root.querySelector('main')?.getAttribute('data-view');
        const lang = root.querySelector('html')?.getAttribute('lang');
        expect([status, view, lang]).toEqual([scene.status, scene.view, locale]);
        expect(root.querySelectorAll('h1')).toHaveLength(1);
        const given = givenTexts(payment, locale);
        const texts = readAll(root);
        expect(texts.length).toBeGreaterThan(5);
        expect(texts.filter((text) => !isComposed(text, locale, given))).toEqual([]);
      };
      await Promise.all(LOCALES.map(check));
    },
  );

  it.each(LOCALES)('are all of the catalogue in %s', (locale) => {
    const unused = KEYS.filter((key) => !used[locale].has(key));
    expect(unused.toSorted()).toEqual(UNSHOWN.toSorted());
  });
});
