/** The menu beside every page of the staff. */
import type { Permission } from '../domain/user.ts';
import type { StaffRequest } from './request.ts';
import { withLetters } from './shortcuts.tsx';
import type { TextKey } from './text.ts';

const MENU: readonly { path: string; text: TextKey; permission: Permission }[] = [
  { path: '/', text: 'menu.home', permission: 'payments.read' },
  { path: '/payments', text: 'menu.payments', permission: 'payments.read' },
  { path: '/webhooks', text: 'menu.webhooks', permission: 'endpoints.read' },
  { path: '/exports', text: 'menu.exports', permission: 'payments.export' },
  { path: '/developers', text: 'menu.developers', permission: 'developers.read' },
  { path: '/keys', text: 'menu.keys', permission: 'keys.read' },
  { path: '/team', text: 'menu.team', permission: 'team.read' },
  { path: '/settings', text: 'menu.settings', permission: 'settings.read' },
  { path: '/audit', text: 'menu.audit', permission: 'audit.read' },
];

/** Returns the pages that the user may open now, each with the letter of its shortcut. */
export function placesOf(request: StaffRequest) {
  const mayOpen = ({ permission }: { permission: Permission }): boolean =>
    !request.mustSetUp && request.may(permission);
  return withLetters(MENU.filter(mayOpen));
}

interface MenuProps {
  readonly request: StaffRequest;
  readonly places: ReturnType<typeof placesOf>;
}

export function Menu({ request, places }: MenuProps) {
  const { t, merchant, user, ctx } = request;
  // Deliveries and replays have addresses of their own, and belong to the webhooks.
  const here = ctx.path.replace(/^\/(?:deliveries|replays)\//, '/webhooks/');
  const place = (path: string): boolean =>
    path === '/' ? here === '/' : here === path || here.startsWith(`${path}/`);
  return (
    <header class="side">
      <p class="brand">{merchant.name}</p>
      <p class="badge badge-pending">{t('mode.test')}</p>
      <nav aria-label={t('menu.label')}>
        <ul>
          {places.map(({ path, text, letter }) => (
            <li key={path}>
              <a
                href={path}
                data-key={letter}
                {...(place(path) && { 'aria-current': 'page' as const })}
              >
                {t(text)}
              </a>
            </li>
          ))}
        </ul>
      </nav>
      <div class="me">
        <a href="/account" {...(place('/account') && { 'aria-current': 'page' as const })}>
          {user.email}
        </a>
        <form method="post" action="/sign-out">
          <input type="hidden" name="csrf" value={request.csrf} />
          <button class="quiet">{t('sign_out')}</button>
        </form>
        <button type="button" class="quiet" data-keys>
          {t('shortcuts.button')}
        </button>
      </div>
    </header>
  );
}
