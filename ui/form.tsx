/** Parts of forms: a labelled field, and the summary of what is wrong with a form. */
import type { ComponentChildren, InputHTMLAttributes } from 'preact';

interface FormFieldProps {
  readonly id: string;
  readonly label: string;
  readonly hint?: string | undefined;
  readonly error?: string | undefined;
  /** The attributes of the input itself; its name is the id when none is given. */
  readonly input: InputHTMLAttributes;
}

/** An input with its label, its hint and its error, tied together for screen readers. */
export function FormField({ id, label, hint, error, input }: FormFieldProps) {
  const described = [hint && `${id}-hint`, error && `${id}-error`].filter(Boolean).join(' ');
  return (
    <div class={error ? 'field field-wrong' : 'field'}>
      <label for={id}>{label}</label>
      {hint && (
        <p class="hint" id={`${id}-hint`}>
          {hint}
        </p>
      )}
      <input
        name={id}
        {...input}
        id={id}
        {...(described ? { 'aria-describedby': described } : {})}
        {...(error ? { 'aria-invalid': 'true' as const } : {})}
      />
      {error && (
        <p class="wrong" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface FormError {
  /** The id of the field that it is about. */
  readonly id: string;
  readonly text: string;
}

/**
 * What is wrong with the form, each with a link to its field; nothing when nothing is. It takes the
 * focus, so that a keyboard and a screen reader start from it.
 */
export function ErrorSummary({ title, errors }: { title: string; errors: readonly FormError[] }) {
  if (errors.length === 0) return null;
  return (
    <div class="notice notice-bad" role="alert" id="errors" tabIndex={-1} autofocus>
      <h2>{title}</h2>
      <ul>
        {errors.map(({ id, text }) => (
          <li key={id}>
            <a href={`#${id}`}>{text}</a>
          </li>
        ))}
      </ul>
    </div>
  );
}

interface NoticeProps {
  readonly kind: 'bad' | 'good' | 'plain';
  readonly title?: string;
  readonly id?: string;
  readonly children: ComponentChildren;
}

/** A framed message to the reader. */
export function Notice({ kind, title, id, children }: NoticeProps) {
  return (
    <div class={`notice notice-${kind}`} role="status" {...(id === undefined ? {} : { id })}>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </div>
  );
}
