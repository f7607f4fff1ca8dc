/** The table of contents: beside the text on wide screens, over it on narrow ones. */
import type { Guide } from './guides.ts';
import { eventAnchor, objectAnchor, tagAnchor } from './reference.ts';
import type { Reference } from './reference.ts';

interface ContentsProps {
  readonly api: Reference;
  readonly guides: readonly Guide[];
}

/** Returns the titles of the groups, each with anchors and texts of links. */
function groupsOf({ api, guides }: ContentsProps): [string, [string, string][]][] {
  return [
    ['Guides', guides.map(({ slug, title }) => [slug, title])],
    ...api.chapters.map(({ name, operations }): [string, [string, string][]] => [
      name,
      operations.map(({ id, summary }) => [id, summary ?? id]),
    ]),
    ['Event types', api.events.map((type) => [eventAnchor(type), type])],
    ['Objects', api.objects.map((name) => [objectAnchor(name), name])],
    ['Errors', [['errors', 'All errors']]],
  ];
}

/** The contents. Links open and close them, without a script. */
export function Contents(props: ContentsProps) {
  return (
    <nav id="contents" class="contents" aria-label="Contents">
      <a class="contents-close" href="#content">
        Close
      </a>
      {groupsOf(props).map(([title, links]) => (
        <div key={title}>
          <p id={`contents-${tagAnchor(title)}`}>{title}</p>
          <ul aria-labelledby={`contents-${tagAnchor(title)}`}>
            {links.map(([anchor, text]) => (
              <li key={anchor}>
                <a href={`#${anchor}`}>{text}</a>
              </li>
            ))}
          </ul>
        </div>
      ))}
    </nav>
  );
}
