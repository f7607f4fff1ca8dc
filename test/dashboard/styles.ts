/** Finds rules of style sheets that no page uses, and declarations that stand in two files. */
import { readFileSync, readdirSync } from 'node:fs';
import path from 'node:path';
import type { Page } from 'playwright-core';

const FOLDER = path.resolve(import.meta.dirname, '../../dashboard/assets');

/** The selectors of parts that a script shows for a moment. */
const PASSING = ['[data-done]::after'];

/** Functions of the browser: all selectors of a sheet, each alternative by itself. */
const SELECTORS = `
  const alternatives = (selector) => {
    const found = /:is\\(([^()]*)\\)/.exec(selector);
    if (!found) return [selector];
    return found[1].split(',').flatMap((each) =>
      alternatives(selector.replace(found[0], () => each.trim())));
  };
  const outside = (text) => text.split(/,(?![^(]*\\))/).map((each) => each.trim());
  const selectorsIn = (rules, media = '') => [...rules].flatMap((rule) => {
    if (rule.selectorText === undefined) {
      return selectorsIn(rule.cssRules, rule.conditionText ?? rule.media.mediaText);
    }
    const names = outside(rule.selectorText).flatMap(alternatives);
    return names.map((selector) => ({ selector, media, properties: [...rule.style] }));
  });
  /** Without states that a pointer or a keyboard makes, and without generated parts. */
  const lasting = (selector) => selector
    .replace(/::?(before|after|backdrop|hover|focus-visible|focus)/g, '')
    .replace(':not(:empty)', '');
`;

/** Returns the selectors that match something on the page, and the classes without a rule. */
const USE = `(roots) => {
  ${SELECTORS}
  const all = [...document.styleSheets].flatMap(({ cssRules }) => selectorsIn(cssRules));
  const names = [...new Set(all.map(({ selector }) => selector))];
  const used = names.filter((name) => {
    const selector = lasting(name);
    return selector === '' || roots.some((root) => root.querySelector(selector));
  });
  const text = names.join(' ');
  const classes = roots.flatMap((root) =>
    [...root.querySelectorAll('[class]')].flatMap((one) => [...one.classList]));
  const ruled = (name) => new RegExp('\\\\.' + name + '(?![\\\\w-])').test(text);
  return { names, used, bare: [...new Set(classes)].filter((name) => !ruled(name)) };
}`;

interface Use {
  names: string[];
  used: string[];
  bare: string[];
}

/** Collects what pages use of the style sheet. */
export function watchStyles(page: Page) {
  const names = new Set<string>();
  const used = new Set(PASSING);
  const bare = new Set<string>();
  const add = (use: Use): void => {
    for (const name of use.names) names.add(name);
    for (const name of use.used) used.add(name);
    for (const name of use.bare) bare.add(name);
  };
  return {
    /** Looks at the open page. */
    look: async () => add(await page.evaluate<Use>(`(${USE})([document])`)),
    /** Looks at the page that a form of the open page leads to. */
    async submit(to: string, form: Record<string, string>) {
      const script = `(async () => {
        const csrf = document.querySelector('[name=csrf]').value;
        const body = new URLSearchParams({ csrf, ...${JSON.stringify(form)} });
        const response = await fetch('${to}', { method: 'POST', body });
        const page = new DOMParser().parseFromString(await response.text(), 'text/html');
        return { status: response.status, ...(${USE})([page]) };
      })()`;
      const { status, ...use } = (await page.evaluate(script)) as Use & { status: number };
      add(use);
      return status;
    },
    unused: () => [...names].filter((name) => !used.has(name)),
    /** The classes without a rule, except the statuses that have the neutral colour. */
    bare: () => [...bare].filter((name) => !/^(?:badge|bar|finding)-/.test(name)),
    count: () => names.size,
  };
}

/** Returns what more than one of our files declares: the same property for the same selector. */
export async function declaredTwice(page: Page): Promise<string[]> {
  const files = readdirSync(FOLDER).filter((file) => file.endsWith('.css'));
  const texts = files.map((file) => readFileSync(path.join(FOLDER, file), 'utf8'));
  const script = `((texts) => {
    ${SELECTORS}
    return texts.map((text) => {
      const sheet = new CSSStyleSheet();
      sheet.replaceSync(text);
      return selectorsIn(sheet.cssRules).flatMap(({ media, selector, properties }) =>
        properties.map((property) => media + ' ' + selector + ' ' + property));
    });
  })(${JSON.stringify(texts)})`;
  const selectors = (await page.evaluate(script)) as string[][];
  const once = selectors.map((names) => [...new Set(names)]).flat();
  return once.filter((name, index) => once.indexOf(name) !== index);
}
