/** Scripts that a browser runs on a page: what does not fit, and what the keyboard reaches. */

/** Returns the texts that are cut off, overlap or leave the screen; nothing if all fit. */
export const MISFITS = `(() => {
  const { scrollWidth, clientWidth } = document.documentElement;
  const faults = scrollWidth > clientWidth ? ['the page is wider than the screen'] : [];
  const boxes = [];
  const nodes = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  for (let node = nodes.nextNode(); node; node = nodes.nextNode()) {
    const parent = node.parentElement;
    if (node.data.trim() === '' || !parent.checkVisibility()) continue;
    const range = document.createRange();
    range.selectNodeContents(node);
    const text = node.data.trim().slice(0, 40);
    for (const box of range.getClientRects()) {
      if (box.bottom + scrollY <= 0 || box.width <= 1) continue;
      boxes.push({ box, parent, text });
      if (box.left < -1 || box.right > clientWidth + 1) faults.push('outside: ' + text);
    }
  }
  for (const one of new Set(boxes.map(({ parent }) => parent))) {
    const { display, overflow } = getComputedStyle(one);
    if (display !== 'inline' && one.scrollWidth > one.clientWidth) {
      faults.push('wider than its box: ' + one.textContent.slice(0, 40));
    }
    if (overflow !== 'visible' && one.scrollHeight > one.clientHeight) {
      faults.push('higher than its box: ' + one.textContent.slice(0, 40));
    }
  }
  boxes.forEach((a, index) => {
    for (const b of boxes.slice(index + 1)) {
      if (a.parent === b.parent) continue;
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      // The boxes of two lines may touch: a font is higher than its letters.
      const isOver = wide > 1 && high > 0.4 * Math.min(a.box.height, b.box.height);
      if (isOver) faults.push('overlap: ' + a.text + ' / ' + b.text);
    }
  });
  return faults;
})()`;

/** The spacing of WCAG 1.4.12, which a reader may set. */
export const SPACED = `(() => {
  const sheet = new CSSStyleSheet();
  sheet.replaceSync('* { line-height: 1.5 !important; letter-spacing: 0.12em !important;'
    + ' word-spacing: 0.16em !important } p { margin-bottom: 2em !important }');
  document.adoptedStyleSheets = [sheet];
})()`;
export const UNSPACED = 'document.adoptedStyleSheets = []';

/** Returns the number of moving parts. */
export const MOVING =
  "document.getAnimations().filter(({ playState }) => playState === 'running').length";

const STOPS = `[...document.querySelectorAll(
  'a[href], button, input, select, textarea, summary, [tabindex="0"]')].filter((one) => {
    if (one.type === 'hidden' || one.disabled || !one.checkVisibility()) return false;
    const group = one.type === 'radio' ? [...document.getElementsByName(one.name)] : [one];
    return one === (group.find(({ checked }) => checked) ?? group[0]);
  })`;

/** Moves the focus before the first stop. Returns what the tab key has to reach, in order. */
export const BEGIN = `(() => {
  document.body.tabIndex = -1;
  document.body.focus();
  document.body.removeAttribute('tabindex');
  scrollTo(0, 0);
  return ${STOPS}.map((one) => one.id || one.textContent.trim());
})()`;

/** Returns the part with the focus, and what is wrong with how its focus is seen. */
export const FOCUSED = `(async () => {
  // The page scrolls to it before its next frame.
  await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
  const one = document.activeElement;
  const { outlineStyle, outlineWidth } = getComputedStyle(one);
  const { top, bottom } = one.getBoundingClientRect();
  const faults = [];
  if (outlineStyle === 'none' || parseFloat(outlineWidth) < 2) faults.push('has no outline');
  // Browsers scroll by whole pixels, which may leave a part of one outside.
  const visible = Math.min(bottom, innerHeight) - Math.max(top, 0);
  if (visible < 0.9 * (bottom - top)) faults.push('is outside the screen');
  return { name: one.id || one.textContent.trim(), faults };
})()`;
