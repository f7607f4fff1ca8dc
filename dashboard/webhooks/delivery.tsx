/** One delivery: what was sent, what came back at each attempt, and sending the event again. */
import type { ComponentChildren } from 'preact';
import type { Delivery } from '../../domain/delivery.ts';
import { shownUrl } from '../../domain/endpoint.ts';
import * as deliveries from '../../operations/deliveries.ts';
import { deliveriesOfEvent } from '../../store/deliveries.ts';
import type { DeliveryLine } from '../../store/deliveries.ts';
import { endpointById } from '../../store/endpoints.ts';
import { findEvent } from '../../store/events.ts';
import { ActionForm, Copy, Page, Time } from '../layout.tsx';
import { ObjectLink } from '../links.tsx';
import { Facts } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { AttemptDetails, AttemptTable } from './attempt.tsx';
import { ownDelivery } from './own.ts';
import { DeliveryBadge, Outcome } from './parts.tsx';

/** The deliveries of the same event that are listed. */
const SIBLINGS = 10;
/** The part of the sent body that is shown, in characters: nearly every event is shorter. */
const SHOWN_BODY = 12_000;

/** The time before an attempt from which the page updates by itself: the short waits of retries. */
const SOON_MS = 3 * 60 * 1_000;

/** Returns true if an attempt is about to be made, or is being made. */
function isSoon({ state, next_attempt_at: next }: Delivery, now: Date): boolean {
  return state === 'pending' && (next?.getTime() ?? 0) < now.getTime() + SOON_MS;
}

/** `GET /deliveries/:id?attempt=2`. The part `live` is loaded again by a script. */
export async function showDelivery(request: StaffRequest): Promise<Result> {
  const { t, services, tenant, may, now } = request;
  const delivery = await ownDelivery(request);
  const event = await findEvent(services.mongo, tenant, delivery.event_id);
  const endpoint = await endpointById(services.mongo, delivery.endpoint_id);
  const siblings = await deliveriesOfEvent(services.mongo, delivery, SIBLINGS + 1);
  // A deleted endpoint has no page, and gets nothing more.
  const isDeleted = endpoint?.status === 'deleted';
  const url = endpoint ? shownUrl(endpoint.url) : '';
  return {
    page: (
      <Page request={request} title={event?.type ?? t('delivery.title')}>
        <div id="live" {...(isSoon(delivery, now) && { 'data-live': '' })}>
          <DeliveryFacts request={request} of={delivery} payment={event?.payment_id ?? null}>
            {isDeleted ? url : <a href={`/webhooks/${delivery.endpoint_id}`}>{url}</a>}
          </DeliveryFacts>
          {may('deliveries.resend') && !isDeleted && (
            <ActionForm request={request} to={`/deliveries/${delivery._id}/resend`}>
              <input type="hidden" name="resends" value={delivery.resends ?? 0} />
              <button id="resend" class="main-button">
                {t('delivery.resend')}
              </button>
            </ActionForm>
          )}
          <AttemptTable request={request} of={delivery} />
          <AttemptDetails request={request} of={delivery} />
        </div>
        {event && <Body request={request} text={event.body} />}
        <Siblings request={request} of={siblings.filter(({ _id }) => _id !== delivery._id)} />
      </Page>
    ),
  };
}

interface FactsProps {
  readonly request: StaffRequest;
  readonly of: Delivery;
  /** The id of the payment that the event is about. */
  readonly payment: string | null;
  /** The endpoint. */
  readonly children: ComponentChildren;
}

function DeliveryFacts({ request, of, payment, children }: FactsProps) {
  const { t } = request;
  const { _id: id, event_id, trigger = 'automatic', replay_id, next_attempt_at } = of;
  return (
    <Facts
      of={[
        [t('delivery.state'), <DeliveryBadge request={request} of={of} />],
        [t('delivery.id'), <Copy request={request} text={id} />],
        [t('delivery.event_id'), <ObjectLink request={request} id={event_id} />],
        ...(payment === null
          ? []
          : [[t('events.about'), <ObjectLink request={request} id={payment} />] as const]),
        [t('hooks.endpoint'), children],
        [
          t('delivery.trigger'),
          replay_id === undefined ? (
            t(`delivery_trigger.${trigger}`)
          ) : (
            <a href={`/replays/${replay_id}`}>{t('delivery_trigger.replay')}</a>
          ),
        ],
        [t('delivery.created'), <Time request={request} at={of.created_at} exact />],
        [
          t('delivery.next'),
          next_attempt_at ? <Time request={request} at={next_attempt_at} exact /> : t('none'),
        ],
      ]}
    />
  );
}

function Body({ request, text }: { request: StaffRequest; text: string }) {
  const { t } = request;
  return (
    <section>
      <h2>{t('delivery.body')}</h2>
      <pre id="body">{text.slice(0, SHOWN_BODY)}</pre>
      {text.length > SHOWN_BODY && <p class="hint">{t('delivery.cut')}</p>}
    </section>
  );
}

function Siblings({ request, of }: { request: StaffRequest; of: readonly DeliveryLine[] }) {
  if (of.length === 0) return null;
  return (
    <section>
      <h2>{request.t('delivery.siblings')}</h2>
      <ul>
        {of.slice(0, SIBLINGS).map(({ _id: id, state, attempts, created_at }) => (
          <li key={id}>
            <a href={`/deliveries/${id}`}>
              <Time request={request} at={created_at} exact />
            </a>{' '}
            <DeliveryBadge request={request} of={{ state, attempts }} />{' '}
            <Outcome request={request} of={attempts.at(-1)} />
          </li>
        ))}
      </ul>
    </section>
  );
}

/** `POST /deliveries/:id/resend`. Leads to the new delivery. */
export async function resendDelivery(request: StaffRequest): Promise<Result> {
  const { operations, form } = request;
  const { _id: id } = await ownDelivery(request);
  const seen = Number(form.get('resends'));
  const options = { id, resends: Number.isSafeInteger(seen) ? seen : 0 };
  const { id: made } = await deliveries.resendDelivery(operations, options);
  return { to: `/deliveries/${String(made)}`, done: 'resent' };
}
