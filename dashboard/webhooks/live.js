// Parts that change while the reader waits: loaded again every two seconds until they are final.
const LIVE_MS = 2000;
const renew = async () => {
  const shown = document.querySelector('[data-live]');
  if (!shown) return;
  const response = await fetch(location.href, { redirect: 'error' }).catch(() => undefined);
  if (response?.ok) {
    const page = new DOMParser().parseFromString(await response.text(), 'text/html');
    const fresh = page.getElementById(shown.id);
    if (fresh) shown.replaceWith(document.adoptNode(fresh));
  }
  setTimeout(() => void renew(), LIVE_MS);
};
setTimeout(() => void renew(), LIVE_MS);
