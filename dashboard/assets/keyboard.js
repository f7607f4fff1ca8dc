// Shortcuts for the keyboard. They can be turned off, because dictation software types letters.
{
  const ROW = '#main .rows tbody tr';
  const OFF = 'shortcuts-off';
  const CHOOSING_MS = 3000;
  const list = document.querySelector('#shortcuts');
  const said = document.querySelector('.said');
  const links = new Map(
    [...document.querySelectorAll('.side nav [data-key]')].map((link) => [link.dataset.key, link]),
  );
  let choosingUntil = 0;

  /** Shows a text and has it announced. */
  function say(text) {
    said.textContent = text;
    setTimeout(() => {
      if (said.textContent === text) said.textContent = '';
    }, CHOOSING_MS);
  }

  /** Returns the letter, wherever the reader's alphabet has it. */
  function letterOf({ key, code }) {
    if (/^[!-~]$/.test(key)) return key;
    return code.startsWith('Key') ? code.slice(3).toLowerCase() : key;
  }

  function search() {
    const box = document.querySelector('#main [type="search"]');
    if (box) box.select();
    else if (links.has('p')) location.assign(`${links.get('p').getAttribute('href')}#search`);
  }

  /** Moves the focus by one row. The first move goes to the first row. */
  function move(step) {
    const rows = [...document.querySelectorAll(ROW)].filter((row) => row.checkVisibility());
    const now = rows.indexOf(document.activeElement?.closest('tr'));
    const row = rows[now === -1 ? 0 : now + step];
    if (!row) return;
    row.tabIndex = -1;
    row.focus();
    row.scrollIntoView({ block: 'nearest' });
  }

  /** Does what the key stands for. Returns false if it stands for nothing. */
  function act(letter, target) {
    if (performance.now() < choosingUntil) {
      choosingUntil = 0;
      said.textContent = '';
      const link = links.get(letter);
      if (link) link.click();
      return link !== undefined;
    }
    if (letter === '?') list.showModal();
    else if (letter === '/') search();
    else if (letter === 'j' || (letter === 'ArrowDown' && target.matches(ROW))) move(1);
    else if (letter === 'k' || (letter === 'ArrowUp' && target.matches(ROW))) move(-1);
    else if (letter === 'Enter' && target.matches(ROW)) target.querySelector('a')?.click();
    else if (letter === 'g') {
      choosingUntil = performance.now() + CHOOSING_MS;
      say(list.dataset.choose);
    } else return false;
    return true;
  }

  if (list) {
    document.addEventListener('keydown', (event) => {
      const { target, ctrlKey, altKey, metaKey, isComposing, defaultPrevented } = event;
      if (ctrlKey || altKey || metaKey || isComposing || defaultPrevented) return;
      if (target.closest('input, select, textarea, [contenteditable], dialog')) return;
      if (localStorage.getItem(OFF) !== null) return;
      if (act(letterOf(event), target)) event.preventDefault();
    });
    document.querySelector('[data-keys]').addEventListener('click', () => list.showModal());
    const isOn = list.querySelector('[type="checkbox"]');
    isOn.checked = localStorage.getItem(OFF) === null;
    isOn.addEventListener('change', () => {
      if (isOn.checked) localStorage.removeItem(OFF);
      else localStorage.setItem(OFF, '');
    });
    if (location.hash === '#search') search();
  }
}
