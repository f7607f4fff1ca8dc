/** The HTML document around every page. Preact escapes all text in it. */
import type { ComponentChildren, VNode } from 'preact';
import { renderToString } from 'preact-render-to-string';

interface DocumentProps {
  /** Language of the page, as in `<html lang>`. */
  readonly locale: string;
  readonly title: string;
  /** Addresses of style sheets, in order. */
  readonly styles: readonly string[];
  /** Address of a script, which runs when the document has been parsed. */
  readonly script?: string | undefined;
  readonly icon: string;
  /** More elements for the head, such as a refresh. */
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
}

/**
 * Returns the `integrity` of an address that ends with its file's whole hash, SHA-384 in base64url.
 * Browsers then refuse a file with other bytes.
 */
function integrityOf(address: string): string | undefined {
  const [, hash] = /\?v=([\w-]{64})$/.exec(address) ?? [];
  return hash && `sha384-${hash.replaceAll('-', '+').replaceAll('_', '/')}`;
}

/** Returns a `Document` as HTML text, with its doctype. */
export function renderDocument(document: VNode): string {
  return `<!doctype html>\n${renderToString(document)}\n`;
}

export function Document({ locale, title, styles, script, icon, head, children }: DocumentProps) {
  return (
    <html lang={locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{title}</title>
        <link rel="icon" href={icon} type="image/svg+xml" />
        {styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} integrity={integrityOf(href)} />
        ))}
        {script !== undefined && <script src={script} defer integrity={integrityOf(script)} />}
        {head}
      </head>
      <body>{children}</body>
    </html>
  );
}
