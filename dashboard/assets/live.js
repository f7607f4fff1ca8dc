// A live part of a page is fetched again while the page is visible, until it is not live any more.

/** Names an element that has the focus, so that it is found again. */
function nameOf({ id, href, dataset }) {
  return id || href || dataset?.copy;
}

{
  const EVERY_MS = 2_000;
  /** The longest wait while nothing changes, and while fetching fails. */
  const IDLE_MS = 15_000;
  const LONGEST_MS = 60_000;
  const SLOWER = 1.1;
  const SAID_MS = 5_000;
  const LIVE = '[data-live]';
  let waitMs = EVERY_MS;
  let [isBusy, isOver] = [false, false];
  /** The part as the server sent it: other scripts change the one on the page. */
  let sent = document.querySelector(LIVE)?.outerHTML;

  /** Keeps what the reader has opened and where the focus is, and says a new status once. */
  function replace(part, fresh) {
    prepare(fresh);
    for (const each of fresh.querySelectorAll('details[id]')) {
      each.open = part.querySelector(`#${each.id}`)?.open ?? false;
    }
    const focused = part.contains(document.activeElement) && nameOf(document.activeElement);
    const { said } = part.dataset;
    part.replaceWith(fresh);
    reach();
    if (focused) {
      const all = [...fresh.querySelectorAll('a, button, summary, input, [tabindex]')];
      all.find((each) => nameOf(each) === focused)?.focus({ preventScroll: true });
    }
    if (fresh.dataset.said !== said) say(fresh.dataset.said);
  }

  /** Has a text announced, and shows it for a moment. */
  function say(text) {
    const place = document.querySelector('.said');
    place.textContent = text;
    setTimeout(() => {
      if (place.textContent === text) place.textContent = '';
    }, SAID_MS);
  }

  /** Fetches the part. Returns false if it is not to be fetched again. */
  async function fetchPart(part) {
    // The header keeps this from prolonging the session. After a refused form, the address of the
    // document is that of the form.
    const address = part.dataset.live || location.href;
    const response = await fetch(address, { headers: { 'X-Live': '1' } });
    // Nobody is signed in any more.
    if (response.redirected) return false;
    if (!response.ok) throw new Error(`The page responded with ${response.status}.`);
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.getElementById(part.id);
    if (!fresh) return false;
    const html = fresh.outerHTML;
    const isSame = html === sent;
    waitMs = isSame ? Math.min(Math.max(waitMs, EVERY_MS) * SLOWER, IDLE_MS) : EVERY_MS;
    sent = html;
    if (!isSame) replace(part, fresh);
    return true;
  }

  /** Updates the part now and then. A hidden page waits until it is visible again. */
  async function update() {
    const part = document.querySelector(LIVE);
    if (!part || document.hidden || isBusy || isOver) return;
    isBusy = true;
    try {
      isOver = !(await fetchPart(part));
    } catch {
      waitMs = Math.min(waitMs * 2, LONGEST_MS);
    }
    isBusy = false;
    timer = setTimeout(() => void update(), waitMs);
  }

  let timer = setTimeout(() => void update(), waitMs);
  document.addEventListener('visibilitychange', () => {
    if (document.hidden) return;
    clearTimeout(timer);
    waitMs = EVERY_MS;
    void update();
  });
}
