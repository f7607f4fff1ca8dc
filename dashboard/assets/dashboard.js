// Copy buttons. They need this script, so they are hidden without it.
function enableCopies(root) {
  for (const button of root.querySelectorAll('[data-copy]')) {
    button.hidden = false;
    button.addEventListener('click', () => {
      void navigator.clipboard.writeText(button.dataset.copy);
      button.dataset.done = '';
      setTimeout(() => delete button.dataset.done, 2000);
    });
  }
}

enableCopies(document);
