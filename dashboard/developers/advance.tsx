/** The time machine of test payments: what lies ahead of one, and buttons that make it happen. */
import { ADVANCES, answerAhead } from '../../domain/advance.ts';
import type { Advance } from '../../domain/advance.ts';
import { isId } from '../../domain/id.ts';
import { isFinal } from '../../domain/payment.ts';
import type { Payment } from '../../domain/payment.ts';
import { advancePayment } from '../../operations/advance-payment.ts';
import { Refusal } from '../../operations/refusal.ts';
import { pendingDeliveriesAmong } from '../../store/deliveries.ts';
import { newestEventIdsOf } from '../../store/events.ts';
import { isToken, mintId, mintToken } from '../../store/mint.ts';
import { readPage } from '../../store/page.ts';
import { findPayment } from '../../store/payments.ts';
import { ActionForm, Time } from '../layout.tsx';
import { ObjectLink } from '../links.tsx';
import { Badge, Facts } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { Deliveries } from './events.tsx';
import { DeveloperPage, queryOf } from './parts.tsx';

const PATH = '/developers/payments';
const MAX_SHOWN = 20;
/** How long the user waits for Temporal. */
const PATIENCE_MS = 4_300;

/** `GET /developers/payments?id=pay_...`: chooses a payment. */
export async function findToAdvance(request: StaffRequest): Promise<Result> {
  const { t, services, tenant } = request;
  const id = queryOf(request, 'id');
  if (id !== undefined && isId('payment', id)) return { to: `${PATH}/${id}` };
  const page = { filter: { m: tenant }, limit: MAX_SHOWN };
  const { rows } = await readPage(services.mongo.payments, page);
  return {
    page: (
      <DeveloperPage request={request} title={t('advance.title')}>
        <p>{t('advance.about')}</p>
        <form method="get" action={PATH} class="filters">
          <p class="field">
            <label for="id">{t('advance.payment')}</label>
            <input id="id" name="id" value={id ?? ''} placeholder="pay_..." required />
          </p>
          <button>{t('advance.choose')}</button>
        </form>
        {id !== undefined && <p role="status">{t('advance.no_such')}</p>}
        {rows.length > 0 && (
          <section>
            <h2>{t('advance.latest')}</h2>
            <ul>
              {rows.map(({ _id, status }) => (
                <li key={_id}>
                  <a href={`${PATH}/${_id}`}>
                    <code>{_id}</code>
                  </a>{' '}
                  <Badge kind={status}>{t(`status.${status}`)}</Badge>
                </li>
              ))}
            </ul>
          </section>
        )}
      </DeveloperPage>
    ),
  };
}

/** `GET /developers/payments/:id` */
export async function showAdvance(request: StaffRequest): Promise<Result> {
  const { t, services, tenant, params, ctx, now } = request;
  const { id = '' } = params;
  const { mongo } = services;
  const payment = isId('payment', id) ? await findPayment(mongo, tenant, id) : null;
  if (!payment) return ctx.throw(404);
  const events = await newestEventIdsOf(mongo, { m: tenant, payment_id: id }, MAX_SHOWN);
  const pending = await pendingDeliveriesAmong(mongo, events, MAX_SHOWN);
  const answer = answerAhead(payment, { now, bankTimeoutMs: services.bankTimeoutMs });
  const ahead: Readonly<Record<Advance, boolean>> = {
    expiry: mayExpire(payment, now),
    bank_answer: answer !== undefined,
    next_webhook_attempt: pending.length > 0,
  };
  // The button does the same once, however often it is pressed.
  const key = mintToken();
  return {
    page: (
      <DeveloperPage request={request} title={t('advance.title')}>
        <p>{t('advance.about')}</p>
        <Facts
          of={[
            [t('advance.payment'), <ObjectLink request={request} id={id} />],
            [
              t('requests.status'),
              <Badge kind={payment.status}>{t(`status.${payment.status}`)}</Badge>,
            ],
            [t('advance.expires'), <Time request={request} at={payment.expires_at} exact />],
          ]}
        />
        {ADVANCES.map((to) => (
          <section key={to}>
            <h2>{t(`advance.${to}`)}</h2>
            <p class="hint">{t(`advance.${to}_hint`)}</p>
            {ahead[to] ? (
              <ActionForm request={request} to={`${PATH}/${id}/advance`}>
                <input type="hidden" name="to" value={to} />
                <input type="hidden" name="key" value={key} />
                <button>{t(`advance.${to}_button`)}</button>
              </ActionForm>
            ) : (
              <p>{t('advance.nothing')}</p>
            )}
          </section>
        ))}
        {pending.length > 0 && (
          <section>
            <h2>{t('events.deliveries')}</h2>
            <Deliveries request={request} rows={pending} />
          </section>
        )}
      </DeveloperPage>
    ),
  };
}

const mayExpire = ({ status, expires_at }: Payment, now: Date): boolean =>
  !isFinal(status) && (status === 'created' || expires_at > now);

/** `POST /developers/payments/:id/advance` */
export async function advance(staff: StaffRequest): Promise<Result> {
  const { services, operations, tenant, params, form, now } = staff;
  const { id = '' } = params;
  const to = ADVANCES.find((each) => each === form.get('to'));
  if (!to) throw Refusal.ofParam('to', `The time must be one of: ${ADVANCES.join(', ')}.`);
  const key = form.get('key');
  const { mongo, temporal, links, bankTimeoutMs, lifetime } = services;
  const given = { mongo, temporal, links, bankTimeoutMs, lifetime, tenant, now };
  const request = {
    ...given,
    initiatedBy: 'dashboard',
    id: mintId('request'),
    key: isToken(key) ? key : undefined,
    canonical: JSON.stringify({ to }),
    endsAtMs: Date.now() + PATIENCE_MS,
  } as const;
  await advancePayment(request, { id, to, actor: operations.actor });
  return { to: `${PATH}/${id}`, done: 'advanced' };
}
