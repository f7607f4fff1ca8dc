/** The timeline of a payment, as a list. */
import type { Delivery, DeliveryAttempt } from '../../domain/delivery.ts';
import { Time } from '../layout.tsx';
import type { StaffRequest } from '../request.ts';
import type { Story } from './story.ts';
import { timelineOf } from './timeline.ts';
import type { Entry } from './timeline.ts';

/** The newest attempts of a delivery that are shown. */
const MAX_ATTEMPTS = 3;

export function Timeline({ request, story }: { request: StaffRequest; story: Story }) {
  const { t } = request;
  return (
    <section id="timeline" aria-labelledby="timeline-title">
      <h2 id="timeline-title">{t('story.title')}</h2>
      {story.isCut && <p class="hint">{t('story.cut')}</p>}
      <ol class="timeline">
        {timelineOf(request, story).map((entry, index) => (
          <Moment key={index} request={request} entry={entry} />
        ))}
      </ol>
    </section>
  );
}

function Moment({ request, entry }: { request: StaffRequest; entry: Entry }) {
  const { at, text, details = [], deliveries = [] } = entry;
  return (
    <li>
      <Time request={request} at={at} exact />
      <p>{text}</p>
      {details.map(([name, value]) => (
        <p key={name} class="hint">
          {name} <code>{value}</code>
        </p>
      ))}
      {deliveries.length > 0 && (
        <ul>
          {deliveries.map(({ url, delivery }) => (
            <Sent key={delivery._id} request={request} url={url} of={delivery} />
          ))}
        </ul>
      )}
    </li>
  );
}

interface SentProps {
  readonly request: StaffRequest;
  readonly url: string;
  readonly of: Delivery;
}

/** A delivery with its attempts. */
function Sent({ request, url, of: { attempts, state, next_attempt_at: next } }: SentProps) {
  const { t } = request;
  const left = attempts.length - MAX_ATTEMPTS;
  return (
    <li>
      <p>
        <code>{url}</code> {t(`sent.${state}`)}
        {state === 'pending' && next && (
          <>
            {', '}
            {t('sent.next')} <Time request={request} at={next} exact />
          </>
        )}
      </p>
      {left > 0 && <p class="hint">{t('sent.earlier', { count: left })}</p>}
      {attempts.length > 0 && (
        <ul>
          {attempts.slice(-MAX_ATTEMPTS).map((attempt) => (
            <Tried key={attempt.number} request={request} of={attempt} />
          ))}
        </ul>
      )}
    </li>
  );
}

function Tried({ request, of }: { request: StaffRequest; of: DeliveryAttempt }) {
  const { number, at, status, error, duration_ms: ms } = of;
  return (
    <li>
      {request.t('sent.attempt', { number })}, <Time request={request} at={at} exact />:{' '}
      <code>{status ?? error}</code> {request.t('sent.took', { ms })}
    </li>
  );
}
