/** The times for which data is kept. The operator sets them for all merchants. */
import { CALL_KEPT_MS } from '../../domain/call.ts';
import { INVITE_MS, RESET_MS, SESSION_IDLE_MS, SESSION_MS } from '../../domain/user.ts';
import type { StaffRequest } from '../request.ts';
import { Facts } from '../parts.tsx';

const HOUR_MS = 60 * 60 * 1_000;
const inHours = (ms: number): number => ms / HOUR_MS;
const inDays = (ms: number): number => inHours(ms) / 24;

export function Kept({ request: { t, services } }: { request: StaffRequest }) {
  const session = { hours: inHours(SESSION_IDLE_MS), days: inDays(SESSION_MS) };
  const links = { days: inDays(INVITE_MS), hours: inHours(RESET_MS) };
  return (
    <section id="kept">
      <h2>{t('kept.title')}</h2>
      <p class="hint">{t('kept.hint')}</p>
      <Facts
        of={[
          [t('kept.payments'), t('kept.always')],
          [t('kept.deliveries'), t('kept.deliveries_time', { days: services.retentionDays })],
          [t('kept.requests'), t('kept.days', { days: inDays(CALL_KEPT_MS) })],
          [t('kept.sessions'), t('kept.sessions_time', session)],
          [t('kept.links'), t('kept.links_time', links)],
          [t('menu.audit'), t('kept.always')],
        ]}
      />
    </section>
  );
}
