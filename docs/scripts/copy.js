// Adds a button to each example that copies it. Browsers have a clipboard on https and localhost.
const SHOWN_MS = 2_000;

for (const pre of navigator.clipboard ? document.querySelectorAll('pre') : []) {
  const button = document.createElement('button');
  button.type = 'button';
  button.className = 'copy';
  button.textContent = 'Copy';
  const tell = (text) => () => {
    button.textContent = text;
    setTimeout(() => (button.textContent = 'Copy'), SHOWN_MS);
  };
  button.addEventListener('click', () => {
    const text = pre.textContent.trimEnd();
    void navigator.clipboard.writeText(text).then(tell('Copied'), tell('Not allowed'));
  });
  pre.after(button);
}
