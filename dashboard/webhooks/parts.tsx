/** Parts that the pages about webhooks share. */
import type { DeliveryAttempt, DeliveryState } from '../../domain/delivery.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { Badge, Tabs } from '../parts.tsx';
import type { PageRequest, StaffRequest } from '../request.ts';

interface BadgeProps {
  readonly request: PageRequest;
  readonly of: { readonly state: DeliveryState; readonly attempts: readonly unknown[] };
}

export function DeliveryBadge({ request, of: { state, attempts } }: BadgeProps) {
  const shown = state === 'pending' && attempts.length > 0 ? 'retrying' : state;
  return <Badge kind={state}>{request.t(`delivery_state.${shown}`)}</Badge>;
}

export function EndpointBadge({ request, of }: { request: PageRequest; of: Endpoint }) {
  const { t } = request;
  const { status, disabled_reason: reason } = of;
  if (status === 'enabled') return <Badge kind={status}>{t('hooks.enabled')}</Badge>;
  return (
    <Badge kind={reason === 'merchant' ? 'skipped' : 'disabled'}>
      {reason === null ? t('hooks.disabled') : t(`hooks.disabled_${reason}`)}
    </Badge>
  );
}

/** The status of the response, or the reason why there was no response. */
export function Outcome({
  request,
  of,
}: {
  request: PageRequest;
  of: Pick<DeliveryAttempt, 'status' | 'error'> | undefined;
}) {
  const { t } = request;
  if (!of) return <>{t('none')}</>;
  const { status, error } = of;
  const reason = error === null || error === 'status' ? '' : t(`delivery_error.${error}`);
  return <>{[status === null ? '' : `HTTP ${status}`, reason].filter(Boolean).join(', ')}</>;
}

/** The links between the pages of an endpoint. */
export function EndpointLinks({ request, id }: { request: StaffRequest; id: string }) {
  const { t, ctx, may } = request;
  const places = [
    { to: `/webhooks/${id}`, text: t('hooks.endpoint') },
    ...(may('deliveries.read')
      ? [
          { to: `/webhooks/${id}/deliveries`, text: t('hooks.deliveries') },
          { to: `/webhooks/${id}/replays`, text: t('hooks.replays') },
        ]
      : []),
    { to: `/webhooks/${id}/check`, text: t('check.title') },
  ];
  const tabs = places.map((place) => ({ ...place, isHere: ctx.path === place.to }));
  return <Tabs label={t('hooks.endpoint')} places={tabs} />;
}

const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;

/** Returns a duration in the reader's language, in the largest unit that it fills. */
export function durationText(ms: number, locale: string): string {
  const [unit, size] =
    ms < SECOND_MS
      ? (['millisecond', 1] as const)
      : ms < MINUTE_MS
        ? (['second', SECOND_MS] as const)
        : ms < HOUR_MS
          ? (['minute', MINUTE_MS] as const)
          : (['hour', HOUR_MS] as const);
  const digits = unit === 'millisecond' ? 0 : 1;
  // Armenian shortens minutes and hours to one letter.
  const unitDisplay = ms < MINUTE_MS ? 'short' : 'long';
  const format = { style: 'unit', unit, unitDisplay, maximumFractionDigits: digits } as const;
  return new Intl.NumberFormat(locale, format).format(ms / size);
}
