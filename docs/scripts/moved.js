// Leads from an anchor of the overview, which once was the only page, to the page of today.
const items = [...document.querySelectorAll('.items > li[id]')];

function lead() {
  const anchor = decodeURIComponent(location.hash.slice(1));
  const item = items.find(({ id }) => id === anchor);
  // The anchor of a guide's heading began with the name of the guide.
  const guide = items
    .filter(({ id }) => anchor.startsWith(`${id}-`))
    .toSorted((one, other) => other.id.length - one.id.length)[0];
  const { href } = (item ?? guide)?.querySelector('a') ?? {};
  if (href === undefined || document.getElementById(anchor)?.matches('h2')) return;
  location.replace(item ? href : `${href}#${anchor.slice(guide.id.length + 1)}`);
}

if (items.length > 0) {
  if (location.hash !== '') lead();
  addEventListener('hashchange', lead);
}
