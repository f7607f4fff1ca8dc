// Polls the payment's status, and reloads the page when its view changes. Without scripts, the page
// refreshes itself, or its button reloads it.
{
  /** Short at first, because most banks answer at once. Grows after that. */
  const FIRST_DELAY_MS = 800;
  const GROWTH = 1.3;
  const MAX_DELAY_MS = 5_000;
  /** A request that a phone froze must not stop the checks. */
  const LIMIT_MS = 20_000;

  const page = document.querySelector('#wait');
  let delayMs = FIRST_DELAY_MS;

  let timer;
  let isChecking = false;

  const poll = () => {
    timer = setTimeout(() => void check(), delayMs);
    delayMs = Math.min(delayMs * GROWTH, MAX_DELAY_MS);
  };

  async function check() {
    if (isChecking) return;
    isChecking = true;
    try {
      const signal = AbortSignal.timeout?.(LIMIT_MS);
      const response = await fetch(page.dataset.status, { cache: 'no-store', signal });
      const { view } = response.ok ? await response.json() : { view: page.dataset.view };
      if (view !== page.dataset.view) {
        location.reload();
        return;
      }
    } catch {
      // The network or the service is down. The next check may succeed.
    }
    isChecking = false;
    poll();
  }

  if (page) {
    poll();
    // Browsers slow down the timers of a hidden page, for example while the bank's app is open.
    document.addEventListener('visibilitychange', () => {
      if (document.hidden) return;
      clearTimeout(timer);
      void check();
    });
  }
}
