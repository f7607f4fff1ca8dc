/** Every error with its anchor, to which the `doc_url` of an answer leads. */
import type { Book } from './book.ts';
import { REMEDIES } from './errors.ts';
import { renderText } from './markdown.ts';

/** The table of errors. Roles are said, because a narrow screen lays its rows out as blocks. */
export function Catalogue({ book }: { book: Book }) {
  return (
    <table class="catalogue" role="table">
      <thead role="rowgroup">
        <tr role="row">
          {['Code', 'Status', 'Means', 'What to do'].map((title) => (
            <th key={title} scope="col" role="columnheader">
              {title}
            </th>
          ))}
        </tr>
      </thead>
      <tbody role="rowgroup">
        {Object.entries(book.catalogue).map(([code, { status, message }]) => (
          <tr key={code} id={code} role="row">
            <th scope="row" role="rowheader">
              <a href={`#${code}`}>
                <code>{code}</code>
              </a>
            </th>
            <td role="cell">{status}</td>
            <Said text={message} book={book} />
            <Said text={REMEDIES[code] ?? ''} book={book} />
          </tr>
        ))}
      </tbody>
    </table>
  );
}

function Said({ text, book }: { text: string; book: Book }) {
  const html = renderText(text, book.linkOf);
  return <td role="cell" dangerouslySetInnerHTML={{ __html: html }} />;
}
