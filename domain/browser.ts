/** The short name of a browser, so that people recognise their own sessions. */

/** Most browsers name others before themselves, so the order matters. */
const BROWSERS = [
  ['Edge', /\bEdg(?:A|iOS)?\//],
  ['Opera', /\bOPR\//],
  ['Samsung Internet', /\bSamsungBrowser\//],
  ['Yandex', /\bYaBrowser\//],
  ['Firefox', /\b(?:Firefox|FxiOS)\//],
  ['Chrome', /\b(?:Chrome|CriOS|HeadlessChrome)\//],
  ['Safari', /\bSafari\//],
] as const;

const SYSTEMS = [
  ['iPhone', /\biPhone\b/],
  ['iPad', /\biPad\b/],
  ['Android', /\bAndroid\b/],
  ['Windows', /\bWindows\b/],
  ['macOS', /\bMac OS X\b/],
  ['ChromeOS', /\bCrOS\b/],
  ['Linux', /\bLinux\b/],
] as const;

/**
 * Returns the browser and the system of a `User-Agent`, as in `Firefox, Windows`, or '' if both are
 * unknown. Returns only names of the tables, so that no client's text is stored.
 */
export function browserOf(userAgent: string): string {
  const names = [BROWSERS, SYSTEMS].map((table) => {
    const known = table.find(([, pattern]) => pattern.test(userAgent));
    return known?.[0];
  });
  return names.filter((name) => name !== undefined).join(', ');
}
