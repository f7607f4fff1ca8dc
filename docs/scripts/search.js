// Searches the index, which is loaded when the box is first used. Works offline afterwards.
const MOST_FOUND = 12;
const box = document.querySelector('#search');
const found = document.querySelector('#found');
const status = document.querySelector('.search-status');
let loading;
let chosen = -1;

/** Names are found by their parts: `return_url` by "url", `payment.completed` by "completed". */
const wordsOf = (text) =>
  text
    .replaceAll(/([a-z])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean);

async function load() {
  const response = await fetch(box.dataset.index);
  if (!response.ok) throw new Error(`The index has the status ${response.status}.`);
  return (await response.json()).map(([title, place, href, text]) => {
    const words = wordsOf(title);
    return {
      title,
      place,
      href,
      text,
      words,
      name: words.join(' '),
      inText: ` ${wordsOf(text).join(' ')}`,
    };
  });
}

/** Returns how well an entry fits, or 0. Every word must begin a word of its title or text. */
function rank(entry, words) {
  let score = 0;
  for (const word of words) {
    if (entry.words.includes(word)) score += 12;
    else if (entry.words.some((each) => each.startsWith(word))) score += 8;
    else if (wordsOf(entry.place).some((each) => each.startsWith(word))) score += 3;
    else if (entry.inText.includes(` ${word}`)) score += 2;
    else return 0;
  }
  const asked = words.join(' ');
  if (entry.name === asked) score += 30;
  else if (entry.name.startsWith(asked)) score += 10;
  // Of two that fit, the page comes before its sections, and a short title before a long one.
  return score + (entry.place === '' ? 4 : 0) - entry.words.length / 10;
}

function find(entries, words) {
  if (words.length === 0) return [];
  return entries
    .map((entry) => ({ ...entry, score: rank(entry, words) }))
    .filter(({ score }) => score > 0)
    .toSorted((one, other) => other.score - one.score)
    .slice(0, MOST_FOUND);
}

/** The fewest letters of a word that may have an error. */
const LEAST_LETTERS = 4;

/** Returns true if one letter is replaced, left out or added, or two are swapped. */
function isNear(one, other) {
  let same = 0;
  while (same < one.length && one[same] === other[same]) same += 1;
  const [a, b] = [one.slice(same), other.slice(same)];
  const isSwapped = a[0] === b[1] && a[1] === b[0] && a.slice(2) === b.slice(2);
  return isSwapped || [b, b.slice(1)].includes(a.slice(1)) || a === b.slice(1);
}

/** Returns the words with those of the index in the place of words that it does not have. */
function correct(entries, words) {
  const titles = entries.flatMap((entry) => entry.words);
  const known = new Set([...titles, ...entries.flatMap((entry) => entry.inText.split(' '))]);
  return words.map((word) => {
    const isKnown = [...known].some((each) => each.startsWith(word));
    if (isKnown || word.length < LEAST_LETTERS) return word;
    return [...known].find((each) => isNear(word, each)) ?? word;
  });
}

const countOf = ({ length }) => (length === 1 ? '1 result' : `${length} results`);

/** Returns what is found, or else what is found for similar words, and says so. */
function resultsOf(entries, text) {
  const words = wordsOf(text);
  const exact = find(entries, words);
  if (exact.length > 0) return { results: exact, message: countOf(exact) };
  const corrected = correct(entries, words);
  const results = find(entries, corrected);
  const nothing = `Nothing found for "${text}".`;
  const similar = `${countOf(results)} for "${corrected.join(' ')}".`;
  return { results, message: results.length > 0 ? `${nothing} ${similar}` : nothing };
}

function makeOption({ title, place, href, text }, index) {
  const option = document.createElement('li');
  option.id = `found-${index}`;
  option.role = 'option';
  option.ariaSelected = 'false';
  // Not a link, because an option of a list box must not have anything to focus.
  option.dataset.href = href;
  for (const [kind, content] of Object.entries({
    title,
    place,
    text,
  })) {
    const part = document.createElement('span');
    part.className = `found-${kind}`;
    part.textContent = content;
    option.append(part, ' ');
  }
  return option;
}

function choose(index) {
  chosen = index;
  [...found.children].forEach((option, at) => (option.ariaSelected = String(at === index)));
  const option = found.children[index];
  if (option) box.setAttribute('aria-activedescendant', option.id);
  else box.removeAttribute('aria-activedescendant');
  option?.scrollIntoView({ block: 'nearest' });
}

function show(options, message) {
  found.replaceChildren(...options);
  found.hidden = options.length === 0;
  box.ariaExpanded = String(options.length > 0);
  status.textContent = message;
  choose(options.length > 0 ? 0 : -1);
}

async function search() {
  const text = box.value.trim();
  if (text === '') return show([], '');
  loading ??= load();
  try {
    const entries = await loading;
    // The reader may have typed more meanwhile.
    if (box.value.trim() !== text) return;
    const { results, message } = resultsOf(entries, text);
    show(results.map(makeOption), message);
  } catch {
    loading = undefined;
    show([], 'The search could not be loaded.');
  }
}

box.addEventListener('input', () => void search());
box.addEventListener('focus', () => {
  loading ??= load();
  loading.catch(() => (loading = undefined));
  if (box.value !== '') void search();
});
box.addEventListener('keydown', (event) => {
  const { length } = found.children;
  if (event.key === 'Escape') {
    box.value = '';
    show([], '');
  } else if (length > 0 && ['ArrowDown', 'ArrowUp'].includes(event.key)) {
    choose((chosen + (event.key === 'ArrowDown' ? 1 : -1) + length) % length);
  } else if (event.key === 'Enter') found.children[chosen]?.click();
  else return;
  event.preventDefault();
});
found.addEventListener('click', ({ target }) => {
  const option = target.closest('li');
  if (!option) return;
  box.value = '';
  show([], '');
  location.assign(option.dataset.href);
});
document.addEventListener('click', ({ target }) => {
  if (!target.closest('.search')) show([], '');
});
document.addEventListener('keydown', (event) => {
  const isTyping = event.target.closest('input, textarea, select, [contenteditable]');
  if (event.key !== '/' || isTyping || event.ctrlKey || event.metaKey || event.altKey) return;
  event.preventDefault();
  box.focus();
  box.select();
});
box.closest('[hidden]').hidden = false;
