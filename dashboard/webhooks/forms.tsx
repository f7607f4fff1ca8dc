/** The forms that change an endpoint. */
import type { ComponentChildren } from 'preact';
import { OVERLAPS } from '../../domain/endpoint.ts';
import type { Endpoint, Overlap } from '../../domain/endpoint.ts';
import { versionOf } from '../../operations/change-endpoint.ts';
import { ActionForm, ConfirmField, Field } from '../layout.tsx';
import { Select } from '../parts.tsx';
import type { StaffRequest } from '../request.ts';
import { EventChoice } from './events.tsx';
import { TestForm } from './test-event.tsx';

const OVERLAP_NAMES = Object.keys(OVERLAPS) as Overlap[];

interface FormsProps {
  readonly request: StaffRequest;
  readonly of: Endpoint;
}

/** The test first, because it is sent most. What is rare, or cannot be undone, is folded. */
export function EndpointForms({ request, of }: FormsProps) {
  return (
    <>
      {of.status === 'enabled' && <TestForm request={request} id={of._id} />}
      <section>
        <h2>{request.t('change')}</h2>
        <ChangeForm request={request} of={of} />
        <SecretForm request={request} of={of} />
        <SwitchForm request={request} of={of} />
        <DeleteForm request={request} of={of} />
      </section>
    </>
  );
}

interface FoldProps extends FormsProps {
  readonly title: string;
  /** The last part of the form's address; '' for the endpoint's own. */
  readonly to: string;
  readonly children: ComponentChildren;
}

/** A form that is folded, unless it is shown again with the reason of its refusal. */
function Fold({ request, of, title, to, children }: FoldProps) {
  const address = `/webhooks/${of._id}${to}`;
  const isRefused = request.refusal !== undefined && request.ctx.path === address;
  return (
    <details class="fold" open={isRefused}>
      <summary>{title}</summary>
      <ActionForm request={request} to={address}>
        {children}
      </ActionForm>
    </details>
  );
}

function ChangeForm(form: FormsProps) {
  const { request, of } = form;
  const { t } = request;
  const { url, description, enabled_events: events } = of;
  return (
    <Fold {...form} title={t('hooks.change')} to="">
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
    </Fold>
  );
}

/** Enables or disables the endpoint. */
function SwitchForm(form: FormsProps) {
  const { t } = form.request;
  const name = form.of.status === 'enabled' ? 'disable' : 'enable';
  return (
    <Fold {...form} title={t(`hooks.${name}`)} to={`/${name}`}>
      <p class="hint">{t(`hooks.${name}_hint`)}</p>
      <button class={name === 'disable' ? 'danger-button' : 'main-button'}>
        {t(`hooks.${name}`)}
      </button>
    </Fold>
  );
}

function SecretForm(form: FormsProps) {
  const { request, of } = form;
  const { t } = request;
  return (
    <Fold {...form} title={t('hooks.rotate')} to="/secret">
      <Version of={of} />
      <Select
        id="overlap"
        label={t('hooks.overlap')}
        options={OVERLAP_NAMES.map((overlap) => [overlap, t(`overlap.${overlap}`)])}
        chosen="24h"
      />
      <ConfirmField request={request} id="rotate-password" />
      <button>{t('hooks.rotate')}</button>
    </Fold>
  );
}

function DeleteForm(form: FormsProps) {
  const { request } = form;
  const { t } = request;
  return (
    <Fold {...form} title={t('hooks.delete')} to="/delete">
      <p class="hint">{t('hooks.delete_hint')}</p>
      <label class="check">
        <input type="checkbox" id="sure" name="sure" value="yes" required />
        {t('hooks.delete_sure')}
      </label>
      <ConfirmField request={request} id="delete-password" />
      <button class="danger-button">{t('hooks.delete')}</button>
    </Fold>
  );
}

/** The version that the form shows. A form of an older version is refused. */
function Version({ of }: { of: Endpoint }) {
  return <input type="hidden" name="version" value={versionOf(of)} />;
}
