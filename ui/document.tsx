/** The document around every page, rendered to text. Preact escapes whatever is put into it. */
import type { ComponentChildren } from 'preact';
import { renderToString } from 'preact-render-to-string';

interface DocumentProps {
  /** Language of the page, as in `<html lang>`. */
  readonly locale: string;
  readonly title: string;
  /** Addresses of style sheets, in order. Pages have no inline style: the policy forbids it. */
  readonly styles: readonly string[];
  /** Addresses of scripts; they run when the document has been read. */
  readonly scripts?: readonly string[];
  readonly icon?: string;
  /** More for the head, such as a refresh. */
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** The whole document as HTML text, with its doctype. */
export function renderDocument(props: DocumentProps): string {
  return `<!doctype html>\n${renderToString(<Shell {...props} />)}\n`;
}

function Shell({ locale, title, styles, scripts = [], icon, head, children }: DocumentProps) {
  return (
    <html lang={locale}>
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="robots" content="noindex, nofollow" />
        <title>{title}</title>
        {icon !== undefined && <link rel="icon" href={icon} type="image/svg+xml" />}
        {styles.map((href) => (
          <link key={href} rel="stylesheet" href={href} />
        ))}
        {scripts.map((src) => (
          <script key={src} src={src} defer />
        ))}
        {head}
      </head>
      <body>{children}</body>
    </html>
  );
}
