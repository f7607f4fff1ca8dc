/** The objects of the interface and the events about them, each with its fields or its payload. */
import { eventAnchor, objectAnchor } from './book.ts';
import type { Book } from './book.ts';
import { exampleOf, follow, nameOf } from './document.ts';
import type { Media, Operation, Schema } from './document.ts';
import { fieldsOf } from './fields.ts';
import type { Field } from './fields.ts';
import { Fields, JsonPanel, Prose } from './prose.tsx';

/** An object's fields. */
export function ObjectEntry({ book, name }: { book: Book; name: string }) {
  const { document, objects } = book;
  const schema = (document.components?.['schemas'] ?? {})[name] as Schema;
  const fields = fieldsOf(document, schema, objects).map(asAnswered);
  return (
    <section class="entry entry-object" aria-labelledby={objectAnchor(name)}>
      <div class="entry-text">
        <h3 id={objectAnchor(name)}>{name}</h3>
        <Prose book={book} text={schema.description} />
        <Fields book={book} fields={fields} />
      </div>
      <div class="entry-code">
        <JsonPanel title={name} value={objectExample(book, name)} />
      </div>
    </section>
  );
}

/** All of an object's fields are always there, and its limits are for those who send them. */
function asAnswered(field: Field): Field {
  return { ...field, isRequired: false, limits: [], children: field.children.map(asAnswered) };
}

/** The object as an operation answers it, by itself or else in a list. */
function objectExample({ document, operations }: Book, name: string): unknown {
  // What is retrieved has more in it than what was just created.
  const retrieved = operations.filter(({ method }) => method === 'GET');
  const answers = retrieved.flatMap(({ responses = {} }) =>
    Object.values(responses).map(
      (answer) => follow(document, answer).content?.['application/json'],
    ),
  );
  const answerOf = (schema: string): Media | undefined =>
    answers.find((media) => media?.schema && nameOf(media.schema) === schema);
  const alone = exampleOf(document, answerOf(name));
  const list = exampleOf(document, answerOf(`${name}List`));
  return alone ?? (list as { data?: readonly unknown[] } | undefined)?.data?.[0];
}

/** An event and the body of its webhook request. */
export function EventEntry({ book, type }: { book: Book; type: string }) {
  const { document } = book;
  const operation = (document.webhooks?.[type]?.['post'] ?? {}) as Operation;
  const media = operation.requestBody?.content?.['application/json'];
  const schema = media?.schema && follow(document, media.schema);
  const about = nameOf(schema?.properties?.['data']?.properties?.['object'] ?? {});
  return (
    <section class="entry" aria-labelledby={eventAnchor(type)}>
      <div class="entry-text">
        <h3 id={eventAnchor(type)}>
          <code>{type}</code>
        </h3>
        <Prose book={book} text={operation.summary} />
        {about !== undefined && (
          <p>
            <code>data.object</code> is a <a href={`#${objectAnchor(about)}`}>{about}</a>.
          </p>
        )}
      </div>
      <div class="entry-code">
        <JsonPanel title="Body" value={exampleOf(document, media)} />
      </div>
    </section>
  );
}
