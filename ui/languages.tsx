/** The links that change the language of a page. */

export interface LanguageLink {
  readonly locale: string;
  /** The language's name in itself. */
  readonly name: string;
  readonly href: string;
}

interface LanguagesProps {
  /** The name of the list, for screen readers. */
  readonly label: string;
  readonly current: string;
  readonly links: readonly LanguageLink[];
}

export function Languages({ label, current, links }: LanguagesProps) {
  return (
    <nav class="languages" aria-label={label}>
      <ul>
        {links.map(({ locale, name, href }) => (
          <li key={locale}>
            <a
              href={href}
              lang={locale}
              hreflang={locale}
              {...(locale === current && { 'aria-current': 'true' as const })}
            >
              {name}
            </a>
          </li>
        ))}
      </ul>
    </nav>
  );
}
