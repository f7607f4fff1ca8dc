/** The frame of every page, and the parts that pages share. */
import type { ComponentChildren } from 'preact';
import { isConfirmed } from '../domain/user.ts';
import { Document } from '../ui/document.tsx';
import { FormField } from '../ui/form.tsx';
import type { PageRequest, StaffRequest } from './request.ts';
import { Menu, placesOf } from './menu.tsx';
import { Shortcuts } from './shortcuts.tsx';
import { noticeOf, refusalText } from './text.ts';
import type { TextKey } from './text.ts';

interface PlainProps {
  readonly request: PageRequest;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A page for somebody who is not signed in: one card in the middle. */
export function PlainPage({ request, title, children }: PlainProps) {
  const { t } = request;
  return (
    <Frame request={request} title={title}>
      <main id="main" class="plain">
        <p class="brand">{t('brand')}</p>
        <h1>{title}</h1>
        <Done request={request} />
        <Refused request={request} />
        {children}
      </main>
    </Frame>
  );
}

interface PageProps {
  readonly request: StaffRequest;
  readonly title: string;
  /** Shown after the title: the status of what the page is about. */
  readonly status?: ComponentChildren;
  /** Shown on the other side of the title: what can be done, or where the page belongs. */
  readonly aside?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A page for the staff, with the menu. */
export function Page({ request, title, status, aside, children }: PageProps) {
  const places = placesOf(request);
  return (
    <Frame request={request} title={title}>
      <Menu request={request} places={places} />
      <main id="main">
        <div class="head">
          <h1>{title}</h1>
          {status}
          {aside && <div class="buttons">{aside}</div>}
        </div>
        <Done request={request} />
        <Refused request={request} />
        {children}
      </main>
      <Shortcuts request={request} places={places} />
    </Frame>
  );
}

function Frame({ request, title, children }: PlainProps) {
  const { services, locale, t } = request;
  const { assets } = services;
  return (
    <Document
      locale={locale}
      title={`${title} - ${t('brand')}`}
      styles={[assets.address('dashboard.css')]}
      script={assets.address('dashboard.js')}
      icon={assets.address('icon.svg')}
    >
      <a class="skip" href="#main">
        {t('skip')}
      </a>
      {children}
    </Document>
  );
}

/** The notice that an action was done, after the redirect. */
function Done({ request: { ctx, t } }: { request: PageRequest }) {
  const key = noticeOf(ctx.query['done']);
  if (!key) return null;
  return (
    <p class="notice notice-good" role="status">
      {t(key)}
    </p>
  );
}

/** The reason why the submitted form was refused. */
function Refused({ request }: { request: PageRequest }) {
  const { refusal } = request;
  if (!refusal) return null;
  return (
    <div class="notice notice-bad" role="alert" id="errors" tabIndex={-1} autofocus>
      <ul>
        {refusal.errors.map((error) => (
          <li key={error.param}>
            {error.param === null ? (
              refusalText(error)
            ) : (
              <a href={`#${error.param}`}>{refusalText(error)}</a>
            )}
          </li>
        ))}
      </ul>
    </div>
  );
}

interface FormProps {
  readonly request: StaffRequest;
  readonly to: string;
  readonly class?: string;
  /** `multipart/form-data` for a form with a file. */
  readonly enctype?: string;
  readonly children: ComponentChildren;
}

/** A form that changes something. */
export function ActionForm({ request, to, children, ...attributes }: FormProps) {
  return (
    <form method="post" action={to} {...attributes}>
      <input type="hidden" name="csrf" value={request.csrf} />
      {children}
    </form>
  );
}

interface FieldProps {
  readonly request: PageRequest;
  /** The name of the input, and the `param` of its refusals. */
  readonly name: string;
  readonly label: TextKey;
  readonly hint?: TextKey;
  readonly input?: Parameters<typeof FormField>[0]['input'];
}

/** An input that keeps its text, and shows its error, after a refusal. */
export function Field({ request, name, label, hint, input = {} }: FieldProps) {
  const { t, form, refusal } = request;
  const error = refusal?.errors.find(({ param }) => param === name);
  const kept = input.type === 'password' ? '' : form.get(name);
  return (
    <FormField
      id={name}
      label={t(label)}
      {...(hint && { hint: t(hint) })}
      error={error && refusalText(error)}
      input={{ ...input, ...(kept && { value: kept }) }}
    />
  );
}

/** The password field of forms that need it. Renders nothing if it was entered a moment ago. */
export function ConfirmField({ request, id = 'password' }: { request: StaffRequest; id?: string }) {
  if (isConfirmed(request.session, request.now)) return null;
  const { t, refusal } = request;
  const error = refusal?.errors.find(({ param }) => param === 'password');
  const input = {
    type: 'password',
    name: 'password',
    autocomplete: 'current-password',
    required: true,
  } as const;
  return (
    <FormField
      id={id}
      label={t('field.password_again')}
      error={error && refusalText(error)}
      input={input}
    />
  );
}

interface TimeProps {
  readonly request: PageRequest;
  readonly at: Date;
  /** True to show the seconds too. */
  readonly exact?: boolean;
}

const TIME = {
  day: 'numeric',
  month: 'short',
  year: 'numeric',
  hour: '2-digit',
  minute: '2-digit',
  hourCycle: 'h23',
  timeZone: 'UTC',
} as const;

/** A time in UTC. The script shows it in the reader's time zone, and keeps UTC as a hint. */
export function Time({ request, at, exact = false }: TimeProps) {
  const format = { ...TIME, ...(exact && { second: '2-digit' as const }) };
  const text = new Intl.DateTimeFormat(request.locale, format).format(at);
  return (
    <time dateTime={at.toISOString()} {...(exact && { 'data-exact': '' })}>{`${text} UTC`}</time>
  );
}

/** A text that can be copied with a button, which needs JavaScript. */
export function Copy({ request, text }: { request: PageRequest; text: string }) {
  return (
    <span class="copy">
      <code>{text}</code>
      <button type="button" class="quiet" data-copy={text} hidden>
        {request.t('copy')}
      </button>
    </span>
  );
}
