// Passkeys: asks the browser for one, and submits its response with the form.
if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  for (const form of document.querySelectorAll('[data-passkey]')) {
    const field = form.elements.namedItem('passkey');
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      if (field.value !== '') return;
      event.preventDefault();
      void askFor(form.dataset.passkey, JSON.parse(field.dataset.options)).then((credential) => {
        if (!credential) return;
        field.value = JSON.stringify(credential);
        form.submit();
      });
    });
  }
}

/** Returns the browser's response; undefined if the user cancels. */
async function askFor(what, options) {
  const { credentials } = navigator;
  const call =
    what === 'create'
      ? credentials.create({ publicKey: PublicKeyCredential.parseCreationOptionsFromJSON(options) })
      : credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
  return call.then(
    (credential) => credential.toJSON(),
    () => undefined,
  );
}
