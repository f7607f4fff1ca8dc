/** The parts that entries of the pages share: texts, code, and lists of fields. */
import type { ComponentChildren } from 'preact';
import { codeHtml, escapeHtml } from './code.ts';
import type { Field } from './fields.ts';
import { renderText } from './markdown.ts';
import type { Reference } from './reference.ts';

const JSON_INDENT = 2;

interface EntryProps {
  readonly id: string;
  readonly title: ComponentChildren;
  readonly children: ComponentChildren;
  /** Shown beside the text if there is room. */
  readonly code: ComponentChildren;
}

/** One operation, event or object. */
export function Entry({ id, title, children, code }: EntryProps) {
  return (
    <section class="entry" aria-labelledby={id}>
      <div class="entry-text">
        <h2 id={id}>{title}</h2>
        {children}
      </div>
      <div class="entry-code">{code}</div>
    </section>
  );
}

/** A description from the document. */
export function Prose({ api, text }: { api: Reference; text: string | undefined }) {
  if (!text) return null;
  const html = renderText(text, api.linkOf);
  return <div class="prose" dangerouslySetInnerHTML={{ __html: html }} />;
}

/** Code under a short title: text as it is, any other value as JSON. */
export function Panel({ title, value }: { title: string; value: unknown }) {
  if (value === undefined) return null;
  const html =
    typeof value === 'string'
      ? escapeHtml(value)
      : codeHtml(JSON.stringify(value, undefined, JSON_INDENT), 'json');
  return (
    <figure>
      <figcaption>{title}</figcaption>
      {/* It takes the focus, so that a keyboard can scroll it. */}
      <pre tabIndex={0}>
        <code dangerouslySetInnerHTML={{ __html: html }} />
      </pre>
    </figure>
  );
}

/** A list of fields. Those of inner objects are folded. */
export function Fields({ api, fields }: { api: Reference; fields: readonly Field[] }) {
  if (fields.length === 0) return null;
  return (
    <ul class="fields">
      {fields.map((field) => (
        <li key={field.name}>
          <div>
            <code class="field-name">{field.name}</code>{' '}
            <span class="field-type" dangerouslySetInnerHTML={{ __html: typeHtml(api, field) }} />{' '}
            {field.isRequired && <span class="field-required">required</span>}
          </div>
          <Prose api={api} text={field.description} />
          <FieldRules field={field} />
          {field.children.length > 0 && (
            <details>
              <summary>Fields of {field.name}</summary>
              <Fields api={api} fields={field.children} />
            </details>
          )}
        </li>
      ))}
    </ul>
  );
}

function typeHtml({ objectHref }: Reference, { type, objectNames, isNullable }: Field): string {
  const objects = objectNames.map((name) => `<a href="${objectHref(name)}">${name}</a>`);
  return (objects.join(' or ') || escapeHtml(type)) + (isNullable ? ' or null' : '');
}

function FieldRules({ field: { limits, values } }: { field: Field }) {
  const choice = values.map((value) => `<code>${escapeHtml(value)}</code>`).join(', ');
  const rules = [escapeHtml(limits.join(', ')), choice && `one of ${choice}`].filter(Boolean);
  if (rules.length === 0) return null;
  return <p class="field-rules" dangerouslySetInnerHTML={{ __html: rules.join('; ') }} />;
}
