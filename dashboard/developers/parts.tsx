/** The parts that the developers' pages share. */
import type { ComponentChildren } from 'preact';
import type { Permission } from '../../domain/user.ts';
import { Page } from '../layout.tsx';
import { Tabs } from '../parts.tsx';
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
  const places = TABS.filter(({ permission }) => request.may(permission)).map((tab) => ({
    to: tab.path,
    text: t(tab.text),
    isHere: isIn(ctx.path, tab.path),
  }));
  const docs = { to: `${services.apiUrl}/docs`, text: t('developers.docs'), isHere: false };
  return (
    <Page request={request} title={title}>
      <Tabs label={t('menu.developers')} places={[...places, docs]} />
      {children}
    </Page>
  );
}

const isIn = (path: string, folder: string): boolean =>
  path === folder || path.startsWith(`${folder}/`);

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

/** Returns the address of the next page of a list, with its filters. */
export function olderOf(path: string, query: Readonly<Record<string, string | undefined>>): string {
  const given = Object.entries(query).filter(([, value]) => value !== undefined);
  return `${path}?${new URLSearchParams(given as [string, string][]).toString()}`;
}
