// Returns to the shop in time, as the page says. Without scripts, the page's own refresh does.
{
  const link = document.querySelector('#return');
  const { afterMs } = link.dataset;
  if (afterMs) setTimeout(() => location.assign(link.href), Number(afterMs));
}
