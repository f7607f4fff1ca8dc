/** The parts that the developers' pages share. */
import type { ComponentChildren } from 'preact';
import type { Permission } from '../../domain/user.ts';
import { Page } from '../layout.tsx';
import type { PageRequest, StaffRequest } from '../request.ts';
import type { TextKey } from '../text.ts';

export const PAGE_ROWS = 50;

const TABS: readonly { path: string; text: TextKey; permission: Permission }[] = [
  { path: '/developers/requests', text: 'requests.title', permission: 'developers.read' },
  { path: '/developers/events', text: 'events.title', permission: 'developers.read' },
  { path: '/developers/payments', text: 'advance.title', permission: 'developers.advance' },
];

interface Props {
  readonly request: StaffRequest;
  readonly title: string;
  readonly children: ComponentChildren;
}

/** A page with links to the other developers' pages. */
export function DeveloperPage({ request, title, children }: Props) {
  const { t, ctx, services } = request;
  return (
    <Page request={request} title={title}>
      <nav class="tabs" aria-label={t('menu.developers')}>
        <ul>
          {TABS.filter(({ permission }) => request.may(permission)).map(({ path, text }) => (
            <li key={path}>
              <a href={path} {...(isIn(ctx.path, path) && { 'aria-current': 'true' as const })}>
                {t(text)}
              </a>
            </li>
          ))}
          <li>
            <a href={`${services.apiUrl}/docs`}>{t('developers.docs')}</a>
          </li>
        </ul>
      </nav>
      {children}
    </Page>
  );
}

const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

/** A time with its seconds, in UTC. */
export function Moment({ request, at }: { request: PageRequest; at: Date }) {
  const text = new Intl.DateTimeFormat(request.locale, {
    dateStyle: 'medium',
    timeStyle: 'medium',
    timeZone: 'UTC',
  });
  return <time dateTime={at.toISOString()}>{`${text.format(at)} UTC`}</time>;
}

/** A list of names and values. Leaves out names without a value. */
export function Facts({ facts }: { facts: readonly (readonly [string, ComponentChildren])[] }) {
  return (
    <dl class="facts">
      {facts
        .filter(([, value]) => value !== null && value !== undefined)
        .map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{value}</dd>
          </div>
        ))}
    </dl>
  );
}

/** Returns the JSON text with indents, for people. Returns a text that is no JSON unchanged. */
export function indented(text: string): string {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
}

/** Returns the query's value if it is one text. */
export function queryOf({ ctx }: PageRequest, name: string): string | undefined {
  const value = ctx.query[name];
  return typeof value === 'string' && value.trim() !== '' ? value.trim() : undefined;
}

/** The link to the next page of a list, with its filters. */
export function Older({
  request,
  path,
  query,
}: {
  request: StaffRequest;
  path: string;
  query: Readonly<Record<string, string | undefined>>;
}) {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  const search = new URLSearchParams(given as [string, string][]);
  return (
    <p>
      <a href={`${path}?${search.toString()}`}>{request.t('older')}</a>
    </p>
  );
}
