/** What a call answers: its own refusals in full, those of every call only by name. */
import type { Book } from './book.ts';
import { exampleOf, follow } from './document.ts';
import type { PlacedOperation, Response } from './document.ts';
import { renderText } from './markdown.ts';
import { JsonPanel } from './prose.tsx';

interface AnswersProps {
  readonly book: Book;
  readonly operation: PlacedOperation;
}

function answersOf({ document }: Book, operation: PlacedOperation): [string, Response][] {
  return Object.entries(operation.responses ?? {}).map(([status, answer]) => [
    status,
    follow(document, answer),
  ]);
}

/** The codes that its answers have examples of. */
function codesOf(book: Book, operation: PlacedOperation): string[] {
  return answersOf(book, operation).flatMap(([, { content }]) =>
    Object.keys(content?.['application/json']?.examples ?? {}).filter(
      (name) => book.catalogue[name] !== undefined,
    ),
  );
}

/** The codes that every operation with this method has. */
function sharedCodes(book: Book, method: string): Set<string> {
  const [first = [], ...rest] = book.operations
    .filter((operation) => operation.method === method)
    .map((operation) => codesOf(book, operation));
  return new Set(first.filter((code) => rest.every((codes) => codes.includes(code))));
}

export function Answers({ book, operation }: AnswersProps) {
  const codes = codesOf(book, operation);
  const shared = sharedCodes(book, operation.method);
  const own = codes.filter((code) => !shared.has(code));
  return (
    <>
      <h4>Answers</h4>
      <ul class="answers">
        {answersOf(book, operation)
          .filter(([status]) => status.startsWith('2'))
          .map(([status, { description = '' }]) => (
            <Answer key={status} book={book} status={status} text={description} />
          ))}
        {own.map((code) => (
          <ErrorAnswer key={code} book={book} code={code} />
        ))}
      </ul>
      {shared.size > 0 && (
        <details class="shared">
          <summary>
            And what any {operation.method} can be refused with ({shared.size})
          </summary>
          <ul class="answers">
            {[...shared].map((code) => (
              <ErrorAnswer key={code} book={book} code={code} />
            ))}
          </ul>
        </details>
      )}
    </>
  );
}

function ErrorAnswer({ book, code }: { book: Book; code: string }) {
  const { status = 0, message = '' } = book.catalogue[code] ?? {};
  return <Answer book={book} status={String(status)} text={`\`${code}\` ${message}`} />;
}

function Answer({ book, status, text }: { book: Book; status: string; text: string }) {
  const html = renderText(text, book.linkOf);
  return (
    <li>
      <span class="status">{status}</span>
      <div dangerouslySetInnerHTML={{ __html: html }} />
    </li>
  );
}

/** The first example of success. */
export function AnswerPanel({ book, operation }: AnswersProps) {
  const [status, answer] = answersOf(book, operation).find(([each]) => each.startsWith('2')) ?? [];
  const example = exampleOf(book.document, answer?.content?.['application/json']);
  return <JsonPanel title={`Answer ${status ?? ''}`} value={example} />;
}

/** The id in the first example of success, for the path of the request. */
export function exampleId(book: Book, operation: PlacedOperation): string | undefined {
  const answers = answersOf(book, operation).filter(([status]) => status.startsWith('2'));
  const example = exampleOf(book.document, answers[0]?.[1].content?.['application/json']);
  const id = (example as { id?: unknown } | undefined)?.id;
  return typeof id === 'string' ? id : undefined;
}
