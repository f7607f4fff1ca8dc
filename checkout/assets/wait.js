// Asks how the payment is, and loads the page anew once it would show something else. Without this
// script the page reloads by itself, or by the customer's hand: nothing depends on it.
{
  /** The first looks come quickly, because most banks answer at once; then they become rarer. */
  const FIRST_DELAY_MS = 800;
  const GROWTH = 1.3;
  const MAX_DELAY_MS = 5_000;

  const page = document.querySelector('#wait');
  let delayMs = FIRST_DELAY_MS;

  const later = () => {
    setTimeout(() => void look(), delayMs);
    delayMs = Math.min(delayMs * GROWTH, MAX_DELAY_MS);
  };

  async function look() {
    try {
      const answer = await fetch(page.dataset.status, { cache: 'no-store' });
      const { view } = answer.ok ? await answer.json() : { view: page.dataset.view };
      if (view !== page.dataset.view) {
        location.reload();
        return;
      }
    } catch {
      // The line is down or the service is away: the next look may find it back.
    }
    later();
  }

  if (page) later();
}
