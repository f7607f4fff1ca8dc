/** The timeline of a payment, as a list. */
import type { Delivery, DeliveryAttempt } from '../../domain/delivery.ts';
import type { EventRequest } from '../../domain/event.ts';
import { Time } from '../layout.tsx';
import { addressOfObject } from '../links.tsx';
import type { StaffRequest } from '../request.ts';
import { DeliveryBadge, Outcome } from '../webhooks/parts.tsx';
import { MAX_EVENTS, MAX_REFUNDS } from './story.ts';
import type { Story } from './story.ts';
import { timelineOf } from './timeline.ts';
import type { Entry } from './timeline.ts';

/** The attempts of all deliveries that are shown. Each delivery has the same share, its newest. */
const MAX_ATTEMPTS = 60;

interface TimelineProps {
  readonly request: StaffRequest;
  readonly story: Story;
}

export function Timeline({ request, story }: TimelineProps) {
  const { t } = request;
  return (
    <section id="timeline" aria-labelledby="timeline-title">
      <h2 id="timeline-title">{t('story.title')}</h2>
      <LeftOut request={request} story={story} />
      <ol class="timeline">
        {timelineOf(request, story).map((entry, index) => (
          <Moment key={index} {...{ request, story, entry }} />
        ))}
      </ol>
    </section>
  );
}

/** The notes below a long timeline: each names a cut list, and links to the whole one. */
function LeftOut({ request, story: { payment, isCut } }: TimelineProps) {
  const { t, may } = request;
  const { _id: id } = payment;
  return (
    <>
      {isCut.events && (
        <p class="hint">
          {t('story.cut_events', { count: MAX_EVENTS })}{' '}
          {may('developers.read') && (
            <a href={`/developers/events?payment=${id}`}>{t('story.all_events')}</a>
          )}
        </p>
      )}
      {isCut.refunds && (
        <p class="hint">
          {t('story.cut_refunds', { count: MAX_REFUNDS })}{' '}
          <a href={`/payments/refunds?payment_id=${id}`}>{t('story.all_refunds')}</a>
        </p>
      )}
    </>
  );
}

function Moment({ request, story, entry }: TimelineProps & { entry: Entry }) {
  const { id, at, text, note, deliveries = [], isCut = false } = entry;
  const isTechnical = request.may('developers.read');
  const shown = Math.floor(MAX_ATTEMPTS / Math.max(1, story.deliveries.length));
  const isOfPayment = id === undefined || /^(?:att|ref)_/.test(id);
  const to = isOfPayment ? undefined : addressOfObject(request, id);
  return (
    <li {...(id?.startsWith('evt_') && { id })}>
      <Time request={request} at={at} exact />
      <p>{to === undefined ? text : <a href={to}>{text}</a>}</p>
      {note && <p>{note}</p>}
      {isTechnical && isOfPayment && id !== undefined && (
        <p class="hint">
          <code>{id}</code>
        </p>
      )}
      {isTechnical && entry.request && <Cause {...{ story, request: entry.request }} />}
      {deliveries.length > 0 && (
        <ul>
          {deliveries.map(({ url, delivery }) => (
            <Sent key={delivery._id} {...{ request, url, of: delivery, shown }} />
          ))}
        </ul>
      )}
      {isCut && <p class="hint">{request.t('story.cut_deliveries')}</p>}
    </li>
  );
}

/** The API request that caused an entry. It is a link while the log has the request. */
function Cause({ story, request }: { story: Story; request: EventRequest }) {
  const { id, idempotency_key: key } = request;
  return (
    <p class="hint">
      Request-Id{' '}
      {story.keys.has(id) ? (
        <a href={`/developers/requests/${id}`}>
          <code>{id}</code>
        </a>
      ) : (
        <code>{id}</code>
      )}
      {key !== null && (
        <>
          , Idempotency-Key <code>{key}</code>
        </>
      )}
    </p>
  );
}

interface SentProps {
  readonly request: StaffRequest;
  readonly url: string;
  readonly of: Delivery;
  /** The number of attempts that are shown. */
  readonly shown: number;
}

/** A delivery with its newest attempts. */
function Sent({ request, url, of, shown }: SentProps) {
  const { t } = request;
  const { _id: id, attempts, state, next_attempt_at: next } = of;
  const left = attempts.length - shown;
  return (
    <li>
      <p>
        <a href={`/deliveries/${id}`}>{url}</a> <DeliveryBadge request={request} of={of} />
        {state === 'pending' && next && (
          <>
            {' '}
            {t('sent.next')} <Time request={request} at={next} exact />
          </>
        )}
      </p>
      {left > 0 && <p class="hint">{t('sent.earlier', { count: left })}</p>}
      {attempts.length > 0 && (
        <ul>
          {attempts.slice(-shown).map((attempt) => (
            <Tried key={attempt.number} request={request} of={attempt} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Tried({ request, of }: { request: StaffRequest; of: DeliveryAttempt }) {
  const { number, at, duration_ms: ms } = of;
  return (
    <li>
      {request.t('sent.attempt', { number })}, <Time request={request} at={at} exact />:{' '}
      <Outcome request={request} of={of} /> {request.t('sent.took', { ms })}
    </li>
  );
}
