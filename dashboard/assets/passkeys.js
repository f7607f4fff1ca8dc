// Passkeys: asks the browser for one, and submits its response with the form.
if (window.PublicKeyCredential?.parseRequestOptionsFromJSON) {
  for (const form of document.querySelectorAll('[data-passkey]')) {
    form.hidden = false;
    form.addEventListener('submit', (event) => {
      event.preventDefault();
      void submitWithPasskey(form);
    });
  }
}

/** Fills the form in and submits it. Does nothing if the user cancels. */
async function submitWithPasskey(form) {
  const field = form.elements.namedItem('passkey');
  const options = JSON.parse(field.dataset.options);
  try {
    const credential = await askFor(form.dataset.passkey, options);
    field.value = JSON.stringify(credential);
  } catch {
    return;
  }
  form.submit();
}

async function askFor(what, options) {
  const { credentials } = navigator;
  if (what === 'create') {
    const publicKey = PublicKeyCredential.parseCreationOptionsFromJSON(options);
    return credentials.create({ publicKey });
  }
  return credentials.get({ publicKey: PublicKeyCredential.parseRequestOptionsFromJSON(options) });
}
