/** The table of roles and permissions, over every address of the dashboard. */
import { describe, expect, it } from 'vitest';
import type { Route } from '../../dashboard/route.ts';
import { ROUTES } from '../../dashboard/routes.ts';
import { ROLES, may } from '../../domain/user.ts';
import type { Role } from '../../domain/user.ts';
import { sealer } from '../support/rows/endpoint.ts';
import { openGround } from './harness.ts';
import { everything, fill, isForm, makeVisitor, send, stock } from './world.ts';

const ground = await openGround('dashboard-access', { sealer });
const { mongo, merchant } = ground;
const ids = await stock(ground, merchant._id);

type StaffRoute = Extract<Route, { permission: unknown }>;
const STAFF = ROUTES.filter((route): route is StaffRoute => 'permission' in route);
const PAGES = STAFF.filter((route) => !isForm(route));
const FORMS = STAFF.filter(isForm);
/** Forms that store nothing: they show what they compute from a text that is too long for a URL. */
const ONLY_SHOWS: ReadonlySet<string> = new Set(['/webhooks/explain']);
/** More pages than any role sees; the crawl stops there if links never end. */
const MAX_PAGES = 300;

const visitor = async (role: Role) => makeVisitor(ground, { role, merchantId: merchant._id });
const named = ({ kind, path }: Route): string => `${kind} ${path}`;
const requestFor = (route: Route) => ({
  path: fill(route.path, ids),
  ...(isForm(route) && { form: {} }),
});

describe('the permissions', () => {
  it('to read are never enough for a form', () => {
    const reading = FORMS.filter(({ permission }) => /\.(?:read|export)$/.test(permission));
    expect(reading.map(({ path }) => path).filter((path) => !ONLY_SHOWS.has(path))).toEqual([]);
  });

  it.each(ROLES.filter((role) => may(role, 'keys.write') && !may(role, 'payments.refund')))(
    'to make keys let %s refund through the API, and owners read that where they choose the role',
    async (role) => {
      const { html } = await send(ground, await visitor('owner'), { path: '/team' });
      const option = new RegExp(`<option value="${role}"[^>]*>(.*?)</option>`).exec(html)?.[1];
      expect(option).toContain('refunds by API key');
    },
  );

  it('protect every address except those for signing in and links', () => {
    const open = ROUTES.filter((route) => !('permission' in route)).map(({ path }) => path);
    expect([...new Set(open)].toSorted()).toEqual([
      '/invite/:token',
      '/reset/:token',
      '/sign-in',
      '/sign-in/code',
      '/sign-in/passkey',
    ]);
  });
});

describe.each(ROLES)('the role %s', (role) => {
  const allowed = (route: StaffRoute): boolean => may(role, route.permission);

  it('is refused everything that it may not do, and changes nothing by that', async () => {
    const forbidden = STAFF.filter((route) => !allowed(route));
    if (role !== 'owner') expect(forbidden).not.toEqual([]);
    const who = await visitor(role);
    const before = await everything(mongo);
    const statuses = new Map<string, number>();
    for (const route of forbidden) {
      statuses.set(named(route), (await send(ground, who, requestFor(route))).status);
    }
    expect([...statuses].filter(([, status]) => status !== 403)).toEqual([]);
    expect(await everything(mongo)).toBe(before);
  });

  it('sees every page that it may see', async () => {
    const who = await visitor(role);
    const faults: unknown[] = [];
    for (const route of PAGES.filter(allowed)) {
      const { status } = await send(ground, who, requestFor(route));
      // A page about an object and a download need more; one address leads to another page.
      const needsMore = /:|[.]csv$|^\/developers$/.test(route.path);
      const expected = needsMore ? [200, 303, 400, 404] : [200];
      if (!expected.includes(status)) faults.push([named(route), status]);
    }
    expect(faults).toEqual([]);
  });

  it('finds no link, form or button that it may not use', async () => {
    const who = await visitor(role);
    const seen = new Set(['/']);
    const wrong: string[] = [];
    for (const path of seen) {
      if (seen.size > MAX_PAGES) break;
      const { html } = await send(ground, who, { path });
      const { links, forms } = targetsOf(html);
      const bad = [
        ...links.filter((to) => !leads(to, (route) => !isForm(route))),
        ...forms.filter((to) => !leads(to, isForm)),
      ];
      wrong.push(...bad.map((to) => `${path} leads to ${to}`));
      for (const to of links) seen.add(to);
    }
    expect(wrong).toEqual([]);
    // The crawl has found its way: the account's page is behind a link of the menu.
    expect(seen).toContain('/account');
  });

  /** Returns true if the address is one of a route that the role may use. */
  function leads(to: string, isTo: (route: Route) => boolean): boolean {
    const [path = ''] = to.split(/[?&#]/);
    if (path.startsWith('/assets/')) return true;
    const routes = STAFF.filter((route) => isTo(route) && matches(route, path));
    return routes.length > 0 && routes.every((route) => allowed(route));
  }
});

/** Returns the addresses that the pattern finds. */
const find = (text: string, pattern: RegExp): string[] =>
  [...text.matchAll(pattern)].map(([, to = '']) => to.replaceAll('&amp;', '&'));

const isPost = (form: string): boolean => form.startsWith('<form method="post"');

/** Returns the addresses that a page links to, with those of forms that search, and of its forms. */
function targetsOf(html: string): { links: string[]; forms: string[] } {
  const forms = html.match(/<form .*?<\/form>/gs) ?? [];
  const targets = (all: string[]) => find(all.join(''), / (?:form)?action="([^"]+)"/gi);
  const links = find(html, /<a [^>]*?href="(\/[^"#]*)/g);
  const searches = targets(forms.filter((form) => !isPost(form)));
  return { links: [...links, ...searches], forms: targets(forms.filter(isPost)) };
}

/** Returns true if the path is one of the route. A fixed path wins over one with a parameter. */
function matches(route: Route, to: string): boolean {
  const [path = ''] = to.split('?');
  const fits = ({ path: pattern }: Route): boolean =>
    new RegExp(`^${pattern.replaceAll(/:\w+/g, '[^/]+')}$`).test(path);
  const fixed = STAFF.find((each) => each.path === path && isForm(each) === isForm(route));
  return fixed ? fixed === route : fits(route);
}

describe('every form', () => {
  it.each(FORMS.map((route) => [named(route), route] as const))(
    '%s answers an owner who sends it empty without a fault',
    async (_, route) => {
      const role = ROLES.find((each) => may(each, route.permission)) ?? 'owner';
      const { status } = await send(ground, await visitor(role), requestFor(route));
      expect([200, 303, 400, 404, 422]).toContain(status);
    },
  );
});
