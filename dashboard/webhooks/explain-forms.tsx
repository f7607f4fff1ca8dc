/** The forms of the signature explainer. */
import { ActionForm, Field } from '../layout.tsx';
import type { StaffRequest } from '../request.ts';
import { refusalText } from '../text.ts';
import type { TextKey } from '../text.ts';

/** A stored attempt, as forms and addresses name it. */
export interface Named {
  readonly delivery: string;
  /** Empty for the last one. */
  readonly attempt: string;
}

/** A request that was received somewhere, with the secret that should have signed it. */
export function GivenForm({ request }: { request: StaffRequest }) {
  const { t } = request;
  return (
    <section>
      <h2>{t('explain.given')}</h2>
      <ActionForm request={request} to="/webhooks/explain">
        <TextArea request={request} name="body" label="explain.body" hint="explain.body_hint" />
        <Field
          request={request}
          name="timestamp"
          label="explain.timestamp"
          hint="explain.timestamp_hint"
          input={{ inputMode: 'numeric', autocomplete: 'off' }}
        />
        <WhatWasSeen request={request} />
        <Field
          request={request}
          name="secret"
          label="hooks.secret"
          hint="explain.secret_hint"
          input={{ type: 'password', autocomplete: 'off' }}
        />
        <button class="main-button">{t('explain.button')}</button>
      </ActionForm>
    </section>
  );
}

/** The form for the merchant's own copy of a stored attempt. */
export function StoredForm({ request, named }: { request: StaffRequest; named: Named }) {
  const { t } = request;
  return (
    <section>
      <h2>{t('explain.stored')}</h2>
      <p>
        <a href={`/deliveries/${named.delivery}`}>
          <code>{named.delivery}</code>
        </a>
      </p>
      <ActionForm request={request} to="/webhooks/explain">
        <input type="hidden" name="delivery" value={named.delivery} />
        <input type="hidden" name="attempt" value={named.attempt} id="attempt" />
        <WhatWasSeen request={request} />
        <TextArea
          request={request}
          name="body"
          label="explain.signed_body"
          hint="explain.signed_body_hint"
        />
        <button class="main-button">{t('explain.button')}</button>
      </ActionForm>
      <p>
        <a href="/webhooks/explain">{t('explain.given')}</a>
      </p>
    </section>
  );
}

function WhatWasSeen({ request }: { request: StaffRequest }) {
  return (
    <>
      <TextArea
        request={request}
        name="headers"
        label="explain.headers"
        hint="explain.headers_hint"
      />
      <TextArea
        request={request}
        name="computed"
        label="explain.computed"
        hint="explain.computed_hint"
      />
    </>
  );
}

interface AreaProps {
  readonly request: StaffRequest;
  readonly name: string;
  readonly label: TextKey;
  readonly hint: TextKey;
}

/** A field of several lines, which keeps its text. */
function TextArea({ request, name, label, hint }: AreaProps) {
  const { t, form, refusal } = request;
  const error = refusal?.errors.find(({ param }) => param === name);
  return (
    <div class={error ? 'field field-wide field-wrong' : 'field field-wide'}>
      <label for={name}>{t(label)}</label>
      <p class="hint" id={`${name}-hint`}>
        {t(hint)}
      </p>
      <textarea
        id={name}
        name={name}
        rows={3}
        spellcheck={false}
        aria-describedby={error ? `${name}-hint ${name}-error` : `${name}-hint`}
        {...(error && { 'aria-invalid': 'true' as const })}
      >
        {form.get(name)}
      </textarea>
      {error && (
        <p class="wrong" id={`${name}-error`}>
          {refusalText(error)}
        </p>
      )}
    </div>
  );
}
