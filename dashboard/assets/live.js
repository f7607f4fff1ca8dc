// A live part of a page is fetched again while the page is visible, until it is not live any more.
{
  const EVERY_MS = 2_000;
  const LONGEST_MS = 60_000;
  let waitMs = EVERY_MS;

  /** Keeps what the reader has opened and where the focus is. */
  function replace(part, fresh) {
    for (const each of fresh.querySelectorAll('details[id]')) {
      each.open = part.querySelector(`#${each.id}`)?.open ?? false;
    }
    if (fresh.outerHTML === part.outerHTML) return;
    const { id } = document.activeElement ?? {};
    part.replaceWith(fresh);
    if (id) document.getElementById(id)?.focus({ preventScroll: true });
  }

  async function update() {
    const part = document.querySelector('[data-live]');
    if (!part) return;
    if (!document.hidden) {
      try {
        // The header keeps this from prolonging the session.
        const response = await fetch(location.href, { headers: { 'X-Live': '1' } });
        // Nobody is signed in any more.
        if (response.redirected) return;
        if (!response.ok) throw new Error(`The page responded with ${response.status}.`);
        const page = new DOMParser().parseFromString(await response.text(), 'text/html');
        const fresh = page.getElementById(part.id);
        if (!fresh) return;
        prepare(fresh);
        replace(part, fresh);
        reach();
        waitMs = EVERY_MS;
      } catch {
        waitMs = Math.min(waitMs * 2, LONGEST_MS);
      }
    }
    setTimeout(() => void update(), waitMs);
  }

  setTimeout(() => void update(), waitMs);
}
