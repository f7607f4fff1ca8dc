/** The list of contents: beside the text on wide screens, over it on narrow ones when asked for. */
import { eventAnchor, objectAnchor, tagAnchor } from './book.ts';
import type { Book } from './book.ts';
import type { Guide } from './guides.ts';

interface ContentsProps {
  readonly book: Book;
  readonly guides: readonly Guide[];
}

interface Group {
  readonly title: string;
  readonly links: readonly { readonly anchor: string; readonly text: string }[];
}

/** The tags of the document, with the operations of each. */
export function tagsOf({ document, operations }: Book) {
  const named = new Set(operations.flatMap(({ tags = [] }) => tags));
  const order = (document.tags ?? []).filter(({ name }) => named.has(name));
  return order.map((tag) => ({
    ...tag,
    operations: operations.filter(({ tags = [] }) => tags[0] === tag.name),
  }));
}

function groupsOf({ book, guides }: ContentsProps): Group[] {
  const types = Object.keys(book.document.webhooks ?? {});
  return [
    { title: 'Guides', links: guides.map(({ slug, title }) => ({ anchor: slug, text: title })) },
    ...tagsOf(book).map(({ name, operations }) => ({
      title: name,
      links: operations.map(({ id, summary }) => ({ anchor: id, text: summary ?? id })),
    })),
    {
      title: 'Event types',
      links: types.map((type) => ({ anchor: eventAnchor(type), text: type })),
    },
    {
      title: 'Objects',
      links: book.objects.map((name) => ({ anchor: objectAnchor(name), text: name })),
    },
    { title: 'Errors', links: [{ anchor: 'errors', text: 'All errors' }] },
  ];
}

/** Navigation by links alone: no script opens or closes it. */
export function Contents(props: ContentsProps) {
  return (
    <nav id="contents" class="contents" aria-label="Contents">
      <a class="contents-close" href="#content">
        Close
      </a>
      {groupsOf(props).map(({ title, links }) => (
        <div key={title} class="contents-group">
          <p id={`contents-${tagAnchor(title)}`}>{title}</p>
          <ul aria-labelledby={`contents-${tagAnchor(title)}`}>
            {links.map(({ anchor, text }) => (
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
