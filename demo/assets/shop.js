// Updates open pages and blocks double clicks. Everything works without it, by reloading.

const live = () => document.getElementById('live');

/** Fetches this page again and replaces the part that changes. */
async function update() {
  const response = await fetch(location.href);
  if (!response.ok) return;
  const page = new DOMParser().parseFromString(await response.text(), 'text/html');
  const fresh = page.getElementById('live');
  if (!fresh) return;
  live().replaceWith(fresh);
  document.title = page.title;
  const announced = fresh.querySelector('[data-announce]')?.textContent;
  document.getElementById('announcer').textContent = announced ?? '';
}

const address = live()?.dataset.events;
if (address) {
  const source = new EventSource(address);
  source.addEventListener('message', ({ data: revision }) => {
    if (revision === live().dataset.revision) return;
    update()
      .then(() => live().dataset.events || source.close())
      // The shop is down. Later the source reconnects and sends the revision again.
      .catch(() => {});
  });
}

// A second click would not place a second order, but it would look as if it did.
document.addEventListener('submit', (event) => {
  event.target.querySelector('button').disabled = true;
});

// The back button can show the page with its buttons still disabled.
window.addEventListener('pageshow', () => {
  for (const button of document.querySelectorAll('button')) button.disabled = false;
});
