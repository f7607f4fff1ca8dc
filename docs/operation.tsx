/** One call of the API: what it takes, what it answers, and how it is sent. */
import { AnswerPanel, Answers, exampleId } from './answers.tsx';
import type { Book } from './book.ts';
import { curlFor } from './curl.ts';
import { follow } from './document.ts';
import type { Parameter, PlacedOperation } from './document.ts';
import { fieldsOf } from './fields.ts';
import type { Field } from './fields.ts';
import { Fields, Prose, ShellPanel } from './prose.tsx';

interface OperationProps {
  readonly book: Book;
  readonly operation: PlacedOperation;
}

/** The entry of an operation: words on the left, code on the right where there is room. */
export function OperationEntry({ book, operation }: OperationProps) {
  const { id, method, path, summary, description } = operation;
  const command = curlFor(book.document, operation, exampleId(book, operation));
  return (
    <section class="entry" aria-labelledby={id}>
      <div class="entry-text">
        <h3 id={id}>{summary ?? id}</h3>
        <p class="route">
          <span class={`method method-${method.toLowerCase()}`}>{method}</span> <code>{path}</code>
        </p>
        <Prose book={book} text={description} />
        <Parameters book={book} operation={operation} place="path" />
        <Parameters book={book} operation={operation} place="query" />
        <Body book={book} operation={operation} />
        <Parameters book={book} operation={operation} place="header" />
        <Answers book={book} operation={operation} />
      </div>
      <div class="entry-code">
        <ShellPanel title="Request" command={command} />
        <AnswerPanel book={book} operation={operation} />
      </div>
    </section>
  );
}

const PLACES = { path: 'Path', query: 'Query', header: 'Headers' } as const;

function Parameters({
  book,
  operation,
  place,
}: OperationProps & { readonly place: keyof typeof PLACES }) {
  const all = (operation.parameters ?? []).map((one) => follow(book.document, one));
  const fields = all.filter((one) => one.in === place).map((one) => asField(book, one));
  if (fields.length === 0) return null;
  return (
    <>
      <h4>{PLACES[place]}</h4>
      <Fields book={book} fields={fields} />
    </>
  );
}

/** A parameter reads like a field of an object that has it alone. */
function asField({ document, objects }: Book, parameter: Parameter): Field {
  const { name = '', required = false, description = '', schema = {} } = parameter;
  const holder = { type: 'object', properties: { [name]: schema } };
  const [field] = fieldsOf(document, holder, objects);
  if (!field) throw new Error(`The parameter ${name} has no schema.`);
  return { ...field, isRequired: required, description: description || field.description };
}

function Body({ book, operation }: OperationProps) {
  const { document, objects } = book;
  const schema = operation.requestBody?.content?.['application/json']?.schema;
  if (!schema) return null;
  const fields = fieldsOf(document, schema, objects);
  // Null in a request means no more than to leave the field out, which need not be said each time.
  const asSent = fields.map((field) => ({ ...field, isNullable: false }));
  return (
    <>
      <h4>Body</h4>
      <Fields book={book} fields={asSent} />
    </>
  );
}
