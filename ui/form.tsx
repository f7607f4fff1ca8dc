/** Parts of forms: a labelled field, the summary of errors, and notices. */
import type { ComponentChildren, InputHTMLAttributes } from 'preact';

interface FormFieldProps {
  /** Also the name of the input. */
  readonly id: string;
  readonly label: string;
  readonly hint?: string;
  readonly error?: string | undefined;
  /** More attributes of the input. */
  readonly input: InputHTMLAttributes;
}

/** An input with its label, hint and error, which screen readers announce together. */
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
        {...(described && { 'aria-describedby': described })}
        {...(error && { 'aria-invalid': 'true' as const })}
      />
      {error && (
        <p class="wrong" id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}

interface ErrorSummaryProps {
  readonly title: string;
  /** The texts, each with the id of its field. */
  readonly errors: readonly { readonly id: string; readonly text: string }[];
}

/**
 * The errors of a form, each linked to its field. It takes the focus, so that keyboards and screen
 * readers start there. Renders nothing without errors.
 */
export function ErrorSummary({ title, errors }: ErrorSummaryProps) {
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
  readonly kind: 'bad' | 'plain';
  readonly title?: string;
  readonly id: string;
  readonly children: ComponentChildren;
}

/** A framed message to the reader. */
export function Notice({ kind, title, id, children }: NoticeProps) {
  return (
    <div class={`notice notice-${kind}`} role="status" id={id}>
      {title !== undefined && <h2>{title}</h2>}
      {children}
    </div>
  );
}
