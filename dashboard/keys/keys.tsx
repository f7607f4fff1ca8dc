/** API keys: create, replace and revoke. A key is shown once, in the response to its creation. */
import { OVERLAPS } from '../../domain/endpoint.ts';
import type { Overlap } from '../../domain/endpoint.ts';
import type { Mode } from '../../domain/merchant.ts';
import * as keys from '../../operations/keys.ts';
import { NO_FORM } from '../form.ts';
import { ActionForm, ConfirmField, Copy, Field, Page, Time } from '../layout.tsx';
import { Badge, Select, Table } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';

const OVERLAP_NAMES = Object.keys(OVERLAPS) as Overlap[];

/** A key as `showKeys` returns it. */
interface ShownKey {
  readonly id: string;
  readonly name: string | null;
  readonly mode: Mode;
  readonly last4: string;
  readonly created_at: Date;
  readonly last_used_at: Date | null;
  readonly expires_at: Date | null;
  readonly revoked_at: Date | null;
}

/** `GET /keys` */
export async function showKeys(request: StaffRequest): Promise<Result> {
  return { page: await keysPage(request) };
}

async function keysPage(request: StaffRequest, fresh?: string) {
  const { t, operations, merchant } = request;
  const { keys: shown } = await keys.showKeys(operations, { merchant: merchant._id });
  return (
    <Page request={request} title={t('menu.keys')}>
      {fresh !== undefined && (
        <div class="notice notice-good" role="status" id="fresh-key">
          <p>{t('keys.fresh')}</p>
          <Copy request={request} text={fresh} />
          <p>{t('keys.try')}</p>
          <pre>
            <Copy request={request} text={tryCommand(request, fresh)} />
          </pre>
        </div>
      )}
      {shown.length === 0 ? (
        <p class="empty">{t('keys.none')}</p>
      ) : (
        <KeyTable request={request} of={shown as unknown as ShownKey[]} />
      )}
      {request.may('keys.write') && (
        <section>
          <h2>{t('keys.create')}</h2>
          <ActionForm request={request} to="/keys">
            <Field request={request} name="name" label="field.name" hint="keys.name_hint" />
            <ConfirmField request={request} />
            <button class="main-button">{t('keys.create')}</button>
          </ActionForm>
        </section>
      )}
    </Page>
  );
}

/** Returns a command that creates a payment with the key. */
function tryCommand({ services }: StaffRequest, key: string): string {
  const body = { amount: 1000, currency: 'AMD', return_url: 'https://shop.example/thanks' };
  return [
    `curl ${services.apiUrl}/v1/payments`,
    `-H "Authorization: Bearer ${key}"`,
    '-H "Content-Type: application/json"',
    '-H "Idempotency-Key: first-payment"',
    `-d '${JSON.stringify(body)}'`,
  ].join(' \\\n  ');
}

function KeyTable({ request, of }: { request: StaffRequest; of: readonly ShownKey[] }) {
  const { t } = request;
  return (
    <Table
      head={[
        t('field.name'),
        t('keys.key'),
        t('keys.created'),
        t('keys.last_used'),
        t('keys.state'),
        ...(request.may('keys.write') ? [t('actions')] : []),
      ]}
    >
      {of.map((key) => (
        <KeyRow key={key.id} request={request} of={key} />
      ))}
    </Table>
  );
}

function KeyRow({ request, of }: { request: StaffRequest; of: ShownKey }) {
  const { t, now } = request;
  const { id, name, mode, last4, created_at, last_used_at, expires_at, revoked_at } = of;
  const isOver = revoked_at !== null || (expires_at !== null && expires_at <= now);
  return (
    <tr id={id}>
      <td>{name ?? t('none')}</td>
      <td>
        <code>{`sk_${mode}_...${last4}`}</code>
      </td>
      <td>
        <Time request={request} at={created_at} />
      </td>
      <td>{last_used_at ? <Time request={request} at={last_used_at} /> : t('never')}</td>
      <td>
        {revoked_at !== null && <Badge kind="over">{t('keys.revoked')}</Badge>}
        {revoked_at === null && expires_at !== null && (
          <>
            <Badge kind={isOver ? 'over' : 'pending'}>
              {t(isOver ? 'keys.ended' : 'keys.ends')}
            </Badge>{' '}
            <Time request={request} at={expires_at} />
          </>
        )}
        {revoked_at === null && expires_at === null && (
          <Badge kind="enabled">{t('keys.active')}</Badge>
        )}
      </td>
      {request.may('keys.write') && (
        <td>{isOver ? null : <KeyActions request={request} of={of} />}</td>
      )}
    </tr>
  );
}

function KeyActions({ request, of: { id, expires_at } }: { request: StaffRequest; of: ShownKey }) {
  const { t } = request;
  return (
    <details>
      <summary>{t('change')}</summary>
      {expires_at === null && (
        <ActionForm request={request} to={`/keys/${id}/roll`}>
          <Select
            id={`${id}-overlap`}
            name="overlap"
            label={t('keys.overlap')}
            chosen="24h"
            options={OVERLAP_NAMES.map((overlap) => [overlap, t(`overlap.${overlap}`)])}
          />
          <ConfirmField request={request} id={`${id}-roll-password`} />
          <button>{t('keys.roll')}</button>
        </ActionForm>
      )}
      <ActionForm request={request} to={`/keys/${id}/revoke`}>
        <p class="hint">{t('keys.revoke_hint')}</p>
        <ConfirmField request={request} id={`${id}-revoke-password`} />
        <button class="danger-button">{t('keys.revoke')}</button>
      </ActionForm>
    </details>
  );
}

/** `POST /keys` */
export async function createKey(request: StaffRequest): Promise<Result> {
  const { operations, merchant, form } = request;
  const name = form.get('name');
  const options = { merchant: merchant._id, mode: 'test', ...(name && { name }) };
  const { api_key: fresh } = await keys.createKey(operations, options);
  return { page: await keysPage({ ...request, form: NO_FORM }, String(fresh)) };
}

/** `POST /keys/:id/roll` */
export async function rollKey(request: StaffRequest): Promise<Result> {
  const { operations, merchant, params, form } = request;
  const options = { merchant: merchant._id, id: params['id'] ?? '', overlap: form.get('overlap') };
  const { api_key: fresh } = await keys.rollKey(operations, options);
  return { page: await keysPage(request, String(fresh)) };
}

/** `POST /keys/:id/revoke` */
export async function revokeKey({ operations, merchant, params }: StaffRequest): Promise<Result> {
  await keys.revokeKey(operations, { merchant: merchant._id, id: params['id'] ?? '' });
  return { to: '/keys', done: 'key_revoked' };
}
