/** The list of pages: beside the text on wide screens, over it on narrow ones. */
import { anchorOf } from './markdown.ts';
import type { DocsPage, PageGroup } from './pages.tsx';
import type { Reference } from './reference.ts';
import { sectionsOf } from './sections.ts';

/** A page with fewer sections also shows their parts. */
const FEW_SECTIONS = 4;

interface ContentsProps {
  readonly api: Reference;
  readonly groups: readonly PageGroup[];
  readonly current: DocsPage;
}

/** The pages, with the sections of the current one. Links open and close it, without a script. */
export function Contents({ api, groups, current }: ContentsProps) {
  return (
    <nav id="contents" class="contents" aria-label="Pages">
      <a class="contents-close" href="#content">
        Close
      </a>
      {groups.map(({ title, pages }) => (
        <div key={title}>
          <p id={`contents-${anchorOf(title)}`}>{title}</p>
          <ul aria-labelledby={`contents-${anchorOf(title)}`}>
            {pages.map((page) => (
              <li key={page.slug}>
                <a
                  href={api.pageHref(page.slug)}
                  aria-current={page === current ? 'page' : undefined}
                >
                  {page.title}
                </a>
                {page === current && <Sections page={page} />}
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}

/** The table of contents of a page. */
function Sections({ page }: { page: DocsPage }) {
  const all = sectionsOf(page.html);
  const main = all.filter(({ level }) => level === 2);
  const sections = main.length < FEW_SECTIONS ? all : main;
  if (sections.length === 0) return null;
  return (
    <ul class="sections" aria-label="On this page">
      {sections.map(({ anchor, title }) => (
        <li key={anchor}>
          <a href={`#${anchor}`}>{title}</a>
        </li>
      ))}
    </ul>
  );
}
