/** Texts of merchants and customers that are easily damaged in transit. */

/** The most metadata that a payment may have. */
const LARGE = Object.fromEntries(
  Array.from({ length: 50 }, (_, index) => [`key_${index}`, 'Երևան ☕ 🎟️ '.repeat(40)]),
);

export interface Text {
  readonly description: string;
  readonly metadata: Readonly<Record<string, string>>;
}

export const TEXTS: readonly Text[] = [
  { description: '', metadata: {} },
  { description: 'Շնորհակալություն գնման համար, և', metadata: { քաղաք: 'Երևան' } },
  { description: 'Large', metadata: LARGE },
  ...[
    '🎟️ 👩‍👩‍👧‍👦 🇦🇲 𝟙𝟚',
    'all of "\\/\b\f\n\r\t\u0000\u001F\u007F',
    'halves \uD800 and \uDFFF',
    'lines \u2028 and \u2029',
    '</script><!-- &amp; -->',
    'מימין لليسار \u202E back',
    'nothing known \uFFFD, and a mark \uFEFF',
    'é as one and as e\u0301',
    'percent %00%0a%25 and plus + and a\u00A0space',
    '.1767225600.{"id":"evt_01ARZ3NDEKTSV4RRFFQ69G5FAV"}',
    '__proto__ 1e400 -0 0x10 NaN',
  ].map((text) => ({ description: text, metadata: { [text.slice(0, 20)]: text } })),
];
