// Polls the payment's status, and reloads the page when its view changes. Without scripts, the page
// refreshes itself, or its button reloads it.
{
  /** Short at first, because most banks answer at once. Grows after that. */
  const FIRST_DELAY_MS = 800;
  const GROWTH = 1.3;
  const MAX_DELAY_MS = 5_000;

  const page = document.querySelector('#wait');
  let delayMs = FIRST_DELAY_MS;

  const poll = () => {
    setTimeout(() => void check(), delayMs);
    delayMs = Math.min(delayMs * GROWTH, MAX_DELAY_MS);
  };

  async function check() {
    try {
      const response = await fetch(page.dataset.status, { cache: 'no-store' });
      const { view } = response.ok ? await response.json() : { view: page.dataset.view };
      if (view !== page.dataset.view) {
        location.reload();
        return;
      }
    } catch {
      // The network or the service is down. The next check may succeed.
    }
    poll();
  }

  if (page) poll();
}
