// Copy buttons. They need this script, so they are hidden without it.
for (const button of document.querySelectorAll('[data-copy]')) {
  button.hidden = false;
  button.addEventListener('click', () => {
    void navigator.clipboard.writeText(button.dataset.copy);
    button.dataset.done = '';
    setTimeout(() => delete button.dataset.done, 2000);
  });
}
