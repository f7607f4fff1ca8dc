// Shows times in the customer's own time zone. Without this script, they are in UTC.
{
  const { lang } = document.documentElement;
  // Chromium does not know Armenian, so it gets the date in digits: 22.11.2026.
  const isKnown = Intl.DateTimeFormat.supportedLocalesOf(lang).length > 0;
  const format = new Intl.DateTimeFormat(isKnown ? lang : 'ru', {
    day: 'numeric',
    month: isKnown ? 'long' : '2-digit',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZoneName: 'short',
  });
  for (const time of document.querySelectorAll('time[data-local]')) {
    time.title = time.textContent;
    time.textContent = format.format(new Date(time.dateTime));
  }
}
