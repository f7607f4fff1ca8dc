// Two comforts; everything works without them, by reloading.

/** Fetches this page anew and swaps the part that changes. */
async function redraw() {
  const response = await fetch(location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = page.getElementById('live');
  const stale = document.getElementById('live');
  if (!fresh || !stale) return;
  stale.replaceWith(fresh);
  document.title = page.title;
  const words = fresh.querySelector('[data-announce]')?.textContent ?? '';
  const announcer = document.getElementById('announcer');
  if (announcer) announcer.textContent = words;
}

/** Listens for changes of what is shown, until there is nothing left to wait for. */
function follow(address) {
  const source = new EventSource(address);
  source.addEventListener('message', (message) => {
    if (message.data === document.getElementById('live')?.dataset.revision) return;
    redraw()
      .then(() => document.getElementById('live')?.dataset.events || source.close())
      // The shop is away; once it is back, the feed reconnects and announces anew.
      .catch(() => {});
  });
}

const address = document.getElementById('live')?.dataset.events;
if (address) follow(address);

// One press is enough; the shop would take a second one for the same order anyway.
document.addEventListener('submit', (event) => {
  event.target.querySelector('button')?.setAttribute('disabled', '');
});

// Coming back with the back button may show the page as it was left.
window.addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('button[disabled]')) {
    button.removeAttribute('disabled');
  }
});
