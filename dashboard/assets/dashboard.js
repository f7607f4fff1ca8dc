// The script of all pages. Every page works without it, except copying.

const TABLE_ROLES = { table: 'table', thead: 'rowgroup', tbody: 'rowgroup', tr: 'row' };

// Copy buttons need this script, so they are hidden without it.
function enableCopy(button) {
  button.hidden = false;
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(button.dataset.copy);
    button.dataset.done = '';
    setTimeout(() => delete button.dataset.done, 2000);
  });
}

// Some browsers, such as Chromium, do not know Armenian. The server does.
const ARMENIAN_MONTHS = 'հնվ փտվ մրտ ապր մյս հնս հլս օգս սեպ հոկ նոյ դեկ'.split(' ');

/** Returns the time in the reader's zone, in the form in which the server writes it. */
function localText(at, isExact) {
  const { lang } = document.documentElement;
  const parts = {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    ...(isExact && { second: '2-digit' }),
    hourCycle: 'h23',
    timeZoneName: 'short',
  };
  if (Intl.DateTimeFormat.supportedLocalesOf(lang).length > 0) {
    return new Intl.DateTimeFormat(lang, parts).format(at);
  }
  const numbers = new Intl.DateTimeFormat('en-GB', { ...parts, month: 'numeric' });
  const of = Object.fromEntries(numbers.formatToParts(at).map(({ type, value }) => [type, value]));
  const clock = [of.hour, of.minute, of.second].filter(Boolean).join(':');
  const date = `${Number(of.day)} ${ARMENIAN_MONTHS[of.month - 1]}, ${of.year} թ.`;
  return `${date}, ${clock} ${of.timeZoneName}`;
}

/** Shows a time in the reader's zone, with UTC as a hint. */
function localize(time) {
  time.title = time.dateTime.replace('T', ' ').replace(/\.\d+Z$/, ' UTC');
  time.textContent = localText(new Date(time.dateTime), 'exact' in time.dataset);
}

/** Names each cell after its column, so that a phone can show a row as a list. */
function labelCells(table) {
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
  for (const [name, role] of Object.entries(TABLE_ROLES)) {
    for (const part of [table, ...table.querySelectorAll(name)]) {
      if (part.matches(name)) part.setAttribute('role', role);
    }
  }
}

/** Adds to a page, or to a part that was loaded again, what needs the script. */
function prepare(root) {
  for (const button of root.querySelectorAll('[data-copy][hidden]')) enableCopy(button);
  for (const time of root.querySelectorAll('time:not([title])')) localize(time);
  for (const table of root.querySelectorAll('.rows')) labelCells(table);
}

/** Lets the keyboard reach parts that scroll, which some browsers do not. */
function reach() {
  for (const part of document.querySelectorAll('#main, .scroll, pre')) {
    const isLong =
      part.scrollWidth > part.clientWidth + 1 || part.scrollHeight > part.clientHeight + 1;
    if (isLong && !part.querySelector('a, button, input, summary')) part.tabIndex = 0;
  }
}

{
  prepare(document);
  reach();
  addEventListener('resize', reach);
  document.addEventListener('toggle', reach, true);

  // On a phone the menu is one line, which begins at the present page.
  const menu = document.querySelector('.side ul');
  const here = menu?.querySelector('[aria-current]');
  if (here) menu.scrollLeft = here.offsetLeft - menu.offsetLeft - 16;
}
