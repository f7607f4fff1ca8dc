// Helps to type a card: groups the digits of its number, names its brand, and puts in the slash of
// its date. Without this script, the server reads both in every usual form.
{
  const number = document.querySelector('#card_number');
  const expiry = document.querySelector('#expiry');
  const cvc = document.querySelector('#cvc');
  const place = document.querySelector('#brand');

  const brands = JSON.parse(place?.dataset.brands ?? '[]');
  const OTHER_GROUPS = [4, 4, 4, 4, 3];
  const CVC_DIGITS = 4;
  const DATE_DIGITS = 6;

  function digitsOf(text) {
    return text.replace(/\D/g, '');
  }

  const brandOf = (digits) => brands.find(({ prefix }) => new RegExp(prefix).test(digits));
  const groupsOf = (digits) => brandOf(digits)?.groups ?? OTHER_GROUPS;

  const writeNumber = (digits) => {
    let start = 0;
    const parts = groupsOf(digits).map((size) => digits.slice(start, (start += size)));
    return parts.filter(Boolean).join(' ');
  };

  function writeDate(digits, isDeleting) {
    const [month, year] = [digits.slice(0, 2), digits.slice(2)];
    return year || (month.length === 2 && !isDeleting) ? `${month}/${year}` : month;
  }

  /** Returns the index behind that many digits and, if asked to, behind the separator after them. */
  function indexBehind(text, count, takesSeparator) {
    let index = 0;
    for (let seen = 0; seen < count && index < text.length; index += 1) {
      if (/\d/.test(text[index])) seen += 1;
    }
    return takesSeparator && /^\D/.test(text.slice(index)) ? index + 1 : index;
  }

  /** Puts a zero before a month of one digit: `3`, or `1/`. Turns `2030-12` around. */
  function completeMonth(value, caret, type) {
    if (type?.startsWith('delete')) return [value, caret];
    if (type === 'insertText') {
      const isShort = /^[2-9]$/.test(value) || /^[1-9]\D$/.test(value.slice(0, caret));
      return isShort ? [`0${value}`, caret + 1] : [value, caret];
    }
    const turned = value.trim().replace(/^(\d{4})\D+(\d{1,2})$/, '$2/$1');
    const whole = turned.replace(/^(\d)(?=\D+(?:\d{2}|\d{4})$)/, '0$1');
    return whole === value ? [value, caret] : [whole, whole.length];
  }

  /** Writes the digits of an input in their form at each change, and keeps the caret in place. */
  const guide = (input, { complete, maxOf, write, onChange = () => {} }) => {
    // The limits of the page would cut a pasted text with many spaces.
    input.removeAttribute('maxlength');
    let digits = '';
    let shown = '';

    const update = (type) => {
      const isDeleting = type?.startsWith('delete') ?? false;
      let [value, caret] = [input.value, input.selectionStart ?? input.value.length];
      if (complete) [value, caret] = complete(value, caret, type);
      let head = digitsOf(value.slice(0, caret));
      let tail = digitsOf(value.slice(caret));
      if (isDeleting && head + tail === digits && value.length < shown.length) {
        // Only a space or the slash was deleted: the digit beside it goes instead.
        if (type === 'deleteContentBackward') head = head.slice(0, -1);
        if (type === 'deleteContentForward') tail = tail.slice(1);
      }
      const max = maxOf(head + tail);
      if (type === 'insertText' && digits.length === max && (head + tail).length > max) {
        // The number is complete, so a further digit in its middle must not push out the last.
        tail = digits.slice(head.length - 1);
        head = head.slice(0, -1);
      }
      digits = (head + tail).slice(0, max);
      shown = write(digits, isDeleting);
      if (input.value !== shown) input.value = shown;
      if (document.activeElement === input) {
        const index = indexBehind(shown, head.length, !isDeleting);
        input.setSelectionRange(index, index);
      }
      onChange(digits);
    };

    input.addEventListener('input', (event) => {
      // Some keyboards and password managers insert a whole text as if it was one key.
      if (!event.isComposing) update(event.data?.length > 1 ? undefined : event.inputType);
    });
    input.addEventListener('change', () => {
      if (digitsOf(input.value) !== digits) update();
    });
    // The browser may have restored what was typed before.
    if (input.value) update();
  };

  if (number && expiry && cvc && place) {
    guide(number, {
      write: writeNumber,
      maxOf: (digits) => groupsOf(digits).reduce((sum, size) => sum + size, 0),
      onChange: (digits) => {
        const brand = brandOf(digits);
        // Writing the same name again would make screen readers repeat it.
        if (place.textContent !== (brand?.name ?? '')) place.textContent = brand?.name ?? '';
        cvc.maxLength = brand?.cvc ?? CVC_DIGITS;
      },
    });
    guide(expiry, { write: writeDate, maxOf: () => DATE_DIGITS, complete: completeMonth });
  }
}
