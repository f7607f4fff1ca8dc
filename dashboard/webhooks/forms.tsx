/** The forms that change an endpoint. */
import { OVERLAPS } from '../../domain/endpoint.ts';
import type { Endpoint, Overlap } from '../../domain/endpoint.ts';
import { versionOf } from '../../operations/change-endpoint.ts';
import { ActionForm, ConfirmField, Field } from '../layout.tsx';
import type { StaffRequest } from '../request.ts';
import { EventChoice } from './events.tsx';
import { TestForm } from './test-event.tsx';

interface FormsProps {
  readonly request: StaffRequest;
  readonly of: Endpoint;
}

export function EndpointForms({ request, of }: FormsProps) {
  return (
    <>
      {of.status === 'enabled' && <TestForm request={request} id={of._id} />}
      <ChangeForm request={request} of={of} />
      <SwitchForm request={request} of={of} />
      <SecretForm request={request} of={of} />
      <DeleteForm request={request} of={of} />
    </>
  );
}

function ChangeForm({ request, of }: FormsProps) {
  const { t } = request;
  const { _id: id, url, description, enabled_events: events } = of;
  return (
    <section>
      <h2>{t('change')}</h2>
      <ActionForm request={request} to={`/webhooks/${id}`}>
        <Version of={of} />
        <Field
          request={request}
          name="url"
          label="hooks.url"
          hint="hooks.url_hint"
          input={{ type: 'url', autocomplete: 'off', required: true, value: url }}
        />
        <Field
          request={request}
          name="description"
          label="hooks.description"
          input={{ value: description ?? '' }}
        />
        <EventChoice request={request} chosen={events} />
        <ConfirmField request={request} id="change-password" />
        <button class="main-button">{t('save')}</button>
      </ActionForm>
    </section>
  );
}

/** Enables or disables the endpoint. */
function SwitchForm({ request, of }: FormsProps) {
  const { t } = request;
  const name = of.status === 'enabled' ? 'disable' : 'enable';
  return (
    <section>
      <h2>{t(`hooks.${name}`)}</h2>
      <p class="hint">{t(`hooks.${name}_hint`)}</p>
      <ActionForm request={request} to={`/webhooks/${of._id}/${name}`}>
        <button class={name === 'disable' ? 'danger-button' : 'main-button'}>
          {t(`hooks.${name}`)}
        </button>
      </ActionForm>
    </section>
  );
}

function SecretForm({ request, of }: FormsProps) {
  const { t } = request;
  return (
    <section>
      <h2>{t('hooks.rotate')}</h2>
      <ActionForm request={request} to={`/webhooks/${of._id}/secret`}>
        <Version of={of} />
        <p class="field">
          <label for="overlap">{t('hooks.overlap')}</label>
          <select id="overlap" name="overlap">
            {(Object.keys(OVERLAPS) as Overlap[]).map((overlap) => (
              <option key={overlap} value={overlap} selected={overlap === '24h'}>
                {t(`overlap.${overlap}`)}
              </option>
            ))}
          </select>
        </p>
        <ConfirmField request={request} id="rotate-password" />
        <button>{t('hooks.rotate')}</button>
      </ActionForm>
    </section>
  );
}

function DeleteForm({ request, of }: FormsProps) {
  const { t } = request;
  return (
    <section>
      <h2>{t('hooks.delete')}</h2>
      <p class="hint">{t('hooks.delete_hint')}</p>
      <ActionForm request={request} to={`/webhooks/${of._id}/delete`}>
        <label class="check">
          <input type="checkbox" id="sure" name="sure" value="yes" required />
          {t('hooks.delete_sure')}
        </label>
        <ConfirmField request={request} id="delete-password" />
        <button class="danger-button">{t('hooks.delete')}</button>
      </ActionForm>
    </section>
  );
}

/** What the form's reader saw, so that it does not undo what somebody else has changed since. */
function Version({ of }: { of: Endpoint }) {
  return <input type="hidden" name="version" value={versionOf(of)} />;
}
