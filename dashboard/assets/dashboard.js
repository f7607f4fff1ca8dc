// What pages do with a script. Each part works without one, too, except copying.

// Copy buttons. They need this script, so they are hidden without it.
function enableCopies(root) {
  for (const button of root.querySelectorAll('[data-copy][hidden]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(button.dataset.copy);
      button.dataset.done = '';
      setTimeout(() => delete button.dataset.done, 2000);
    });
  }
}

{
  const main = document.querySelector('#main');
  const ROLES = { table: 'table', thead: 'rowgroup', tbody: 'rowgroup', tr: 'row' };

  /** Names each cell after its column, so that a phone can show a row as a list. */
  function label(table) {
    const heads = [...table.querySelectorAll('thead tr:first-child > *')];
    if (heads.length < 3 || 'labelled' in table.dataset) return;
    table.dataset.labelled = '';
    for (const row of table.querySelectorAll('tbody tr')) {
      [...row.children].forEach((cell, nth) => {
        cell.dataset.label = heads[nth]?.textContent ?? '';
        cell.setAttribute('role', cell.matches('th') ? 'rowheader' : 'cell');
      });
    }
    // As a list, the table would lose its roles in some browsers.
    for (const head of heads) {
      head.setAttribute('role', head.matches('th') ? 'columnheader' : 'cell');
    }
    for (const [name, role] of Object.entries(ROLES)) {
      for (const part of [table, ...table.querySelectorAll(name)]) {
        if (part.matches(name)) part.setAttribute('role', role);
      }
    }
  }

  /** Lets the keyboard reach parts that scroll, which some browsers do not. */
  function reach() {
    for (const part of document.querySelectorAll('#main, .scroll, .wide, .rows, pre')) {
      const isLong =
        part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
      if (isLong && !part.querySelector('a, button, input, summary')) part.tabIndex = 0;
    }
  }

  function prepare() {
    enableCopies(document);
    // The reader's own time, as a hint beside UTC.
    for (const time of document.querySelectorAll('time:not([title])')) {
      time.title = new Date(time.dateTime).toLocaleString(document.documentElement.lang);
    }
    for (const table of document.querySelectorAll('.rows')) label(table);
    reach();
  }

  prepare();
  addEventListener('resize', reach);
  // Live parts of a page are replaced.
  new MutationObserver(prepare).observe(main, { childList: true, subtree: true });

  // On a phone the menu is one line, which begins at the present page.
  const menu = document.querySelector('.side ul');
  const here = menu?.querySelector('[aria-current]');
  if (here) menu.scrollLeft = here.offsetLeft - menu.offsetLeft - 16;
}
