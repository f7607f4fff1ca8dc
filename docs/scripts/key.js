// Fills the reader's own test key into the examples. The key stays in this tab and is never sent.
const STORED = 'tollgate-test-key';
const FORM = /^sk_test_[0-9A-Za-z]{38,}$/;
const field = document.querySelector('#own-key');
const places = [];

for (const code of document.querySelectorAll('pre code')) {
  const texts = document.createTreeWalker(code, NodeFilter.SHOW_TEXT);
  const found = [];
  while (texts.nextNode())
    if (texts.currentNode.data.includes('$KEY')) found.push(texts.currentNode);
  for (const text of found) {
    const parts = text.data.split('$KEY').flatMap((part, index) => {
      if (index === 0) return [part];
      const place = document.createElement('span');
      places.push(place);
      return [place, part];
    });
    text.replaceWith(...parts);
  }
}

function fill(key) {
  for (const place of places) place.textContent = key ?? '$KEY';
}

if (field) {
  field.addEventListener('input', () => {
    const text = field.value.trim();
    const isKey = FORM.test(text);
    field.setCustomValidity(text === '' || isKey ? '' : 'Give a test key, sk_test_...');
    if (isKey) sessionStorage.setItem(STORED, text);
    else sessionStorage.removeItem(STORED);
    fill(isKey ? text : null);
  });
  const stored = sessionStorage.getItem(STORED);
  field.value = stored ?? '';
  fill(stored);
  field.closest('[hidden]').hidden = false;
}
