/** Test events: the form, and the result on the same page as soon as it is known. */
import { setTimeout as sleep } from 'node:timers/promises';
import type { Delivery } from '../../domain/delivery.ts';
import type { Endpoint } from '../../domain/endpoint.ts';
import { EVENT_TYPES } from '../../domain/event.ts';
import { Refusal } from '../../operations/refusal.ts';
import { pingEndpoint, sendExample } from '../../operations/test-event.ts';
import { ActionForm } from '../layout.tsx';
import { Facts, Select } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { ownDelivery, ownEndpoint } from './own.ts';
import { durationText, Outcome } from './parts.tsx';

/** The time after its creation for which a page waits for the first attempt of a test event. */
const WAIT_MS = 4_000;
const POLL_MS = 150;
/** The part of a response's body that is shown, in characters. */
const EXCERPT = 500;
const PING = 'webhook_endpoint.ping';

/** `POST /webhooks/:id/test`. Leads to the page that waits for the result. */
export async function sendTestEvent(request: StaffRequest): Promise<Result> {
  const { operations, form } = request;
  const { _id: id } = await ownEndpoint(request);
  const type = EVENT_TYPES.find((each) => each === form.get('type'));
  if (!type) throw Refusal.ofParam('type', 'Choose one of the event types.');
  const sent =
    type === PING
      ? await pingEndpoint(operations, { id })
      : (await sendExample(operations, { id, type })).events[0];
  return { to: `/webhooks/${id}?test=${String(sent?.['id'])}` };
}

/**
 * Returns the delivery of the test event that the address names, if it names one. Waits for its
 * first attempt if it was created just now. Throws 404 for a delivery to another endpoint.
 */
export async function readTest(
  request: StaffRequest,
  endpoint: Endpoint,
): Promise<Delivery | undefined> {
  const { test } = request.ctx.query;
  if (typeof test !== 'string' || !request.may('deliveries.read')) return undefined;
  for (;;) {
    const delivery = await ownDelivery(request, test);
    if (delivery.endpoint_id !== endpoint._id) request.ctx.throw(404);
    const isKnown = delivery.state !== 'pending' || delivery.attempts.length > 0;
    if (isKnown || Date.now() > delivery.created_at.getTime() + WAIT_MS) return delivery;
    await sleep(POLL_MS);
  }
}

export function TestForm({ request, id }: { request: StaffRequest; id: string }) {
  const { t } = request;
  return (
    <section>
      <h2>{t('test.title')}</h2>
      <p class="hint">{t('test.hint')}</p>
      <ActionForm request={request} to={`/webhooks/${id}/test`}>
        <Select
          id="type"
          label={t('hooks.event')}
          options={[PING, ...EVENT_TYPES.filter((type) => type !== PING)].map((type) => [
            type,
            type,
          ])}
        />
        <button>{t('test.send')}</button>
      </ActionForm>
    </section>
  );
}

export function TestResult({ request, of }: { request: StaffRequest; of: Delivery }) {
  const { t, locale } = request;
  const attempt = of.attempts.at(-1);
  const isGood = of.state === 'succeeded';
  const body = attempt?.response?.body.slice(0, EXCERPT) ?? '';
  return (
    <div
      class={`notice ${isGood ? 'notice-good' : attempt ? 'notice-bad' : ''}`}
      role="status"
      id="test-result"
    >
      <h2>{t(isGood ? 'test.accepted' : attempt ? 'test.failed' : 'test.waiting')}</h2>
      {attempt && (
        <Facts
          of={[
            [t('delivery.result'), <Outcome request={request} of={attempt} />],
            [t('delivery.duration'), durationText(attempt.duration_ms, locale)],
            ...(body === '' ? [] : [[t('delivery.response'), <pre>{body}</pre>] as const]),
          ]}
        />
      )}
      <p>
        <a href={`/deliveries/${of._id}`}>{t('test.delivery')}</a>
      </p>
    </div>
  );
}
