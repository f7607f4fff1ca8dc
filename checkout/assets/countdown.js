// Counts the last ten minutes down, announces a few of them, and reloads the page at the end.
{
  const MINUTE_MS = 60_000;
  const COUNTED_MS = 10 * MINUTE_MS;
  const HOUR_MS = 60 * MINUTE_MS;
  /** How often longer times are written anew. */
  const SLOW_MS = 15_000;
  /** The payment ends on the server first. */
  const LEEWAY_MS = 1_000;

  const place = document.querySelector('#time-left');
  const announcer = document.querySelector('#time-announced');

  function inDigits(ms) {
    const seconds = Math.ceil(ms / 1_000);
    return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
  }

  function start() {
    const { leftMs, template, announcements } = place.dataset;
    // The difference of two times, because the customer's clock may be wrong.
    const endMs = Date.now() + Number(leftMs);
    let ahead = JSON.parse(announcements).filter(({ ms }) => ms < Number(leftMs));
    const { lang } = document.documentElement;
    // Chromium does not know Armenian. The text of the server stays there until the last minutes.
    const isKnown = Intl.NumberFormat.supportedLocalesOf(lang).length > 0;
    const minutes = new Intl.NumberFormat(lang, {
      style: 'unit',
      unit: 'minute',
      unitDisplay: 'long',
    });

    const tick = () => {
      const left = endMs - Date.now();
      if (left <= -LEEWAY_MS) {
        location.reload();
        return;
      }
      const isCounted = left <= COUNTED_MS;
      if (isCounted || (isKnown && left < HOUR_MS)) {
        const time = isCounted
          ? inDigits(Math.max(0, left))
          : minutes.format(Math.floor(left / MINUTE_MS));
        place.textContent = template.replace('{time}', time);
        place.classList.toggle('last-minutes', isCounted);
      }
      const reached = ahead.filter(({ ms }) => left <= ms).at(-1);
      if (reached) announcer.textContent = reached.text;
      ahead = ahead.filter(({ ms }) => left > ms);
      setTimeout(tick, isCounted ? 1_000 : Math.min(SLOW_MS, left - COUNTED_MS));
    };
    tick();
  }

  if (place && announcer && Number(place.dataset.leftMs) > 0) start();
}
