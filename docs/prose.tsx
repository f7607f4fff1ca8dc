/** The small parts of the page: described text, panels of code, lists of fields. */
import type { ComponentChildren } from 'preact';
import { objectAnchor } from './book.ts';
import type { Book } from './book.ts';
import { codeHtml } from './code.ts';
import type { Field } from './fields.ts';
import { renderText } from './markdown.ts';

const JSON_INDENT = 2;

/** A description from the document. */
export function Prose({ book, text }: { book: Book; text: string | undefined }) {
  if (!text) return null;
  const html = renderText(text, book.linkOf);
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Code under a short title. It takes the focus, so that a keyboard can scroll it sideways. */
function Panel({ title, children }: { title: string; children: ComponentChildren }) {
  return (
    <figure class="panel">
      <figcaption>{title}</figcaption>
      <pre tabIndex={0}>{children}</pre>
    </figure>
  );
}

/** A panel with a shell command. */
export function ShellPanel({ title, command }: { title: string; command: string }) {
  return (
    <Panel title={title}>
      <code>{command}</code>
    </Panel>
  );
}

/** A panel with a value as JSON; nothing when there is none. */
export function JsonPanel({ title, value }: { title: string; value: unknown }) {
  if (value === undefined) return null;
  const html = codeHtml(JSON.stringify(value, undefined, JSON_INDENT), 'json');
  return (
    <Panel title={title}>
      <code dangerouslySetInnerHTML={{ __html: html }} />
    </Panel>
  );
}

/** Fields with what may stand in them; those of an inner object are folded. */
export function Fields({ book, fields }: { book: Book; fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <ul class="fields">
      {fields.map((field) => (
        <li key={field.name}>
          <FieldHead field={field} />
          <Prose book={book} text={field.description} />
          <FieldRules field={field} />
          {field.children.length > 0 && (
            <details>
              <summary>Fields of {field.name}</summary>
              <Fields book={book} fields={field.children} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function FieldHead({ field }: { field: Field }) {
  const { name, type, isRequired, isNullable, objectNames } = field;
  return (
    <p class="field-head">
      <code class="field-name">{name}</code>{' '}
      <span class="field-type">
        {objectNames.length === 0 && type}
        {objectNames.map((object, index) => (
          <span key={object}>
            {index > 0 && ' or '}
            <a href={`#${objectAnchor(object)}`}>{object}</a>
          </span>
        ))}
        {isNullable && ' or null'}
      </span>{' '}
      {isRequired && <span class="field-required">required</span>}
    </p>
  );
}

function FieldRules({ field: { limits, values } }: { field: Field }) {
  if (limits.length === 0 && values.length === 0) return null;
  return (
    <p class="field-rules">
      {limits.join(', ')}
      {limits.length > 0 && values.length > 0 && '; '}
      {values.length > 0 && 'one of '}
      {values.map((value, index) => (
        <span key={value}>
          {index > 0 && ', '}
          <code>{value}</code>
        </span>
      ))}
    </p>
  );
}
