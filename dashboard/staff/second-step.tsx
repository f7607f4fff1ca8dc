/** The second step of signing in: an authenticator app, and recovery codes for its loss. */
import { encodeQR } from 'qr';
import { hasSecondStep, isConfirmed } from '../../domain/user.ts';
import * as secondStep from '../../operations/second-step.ts';
import type { Setup } from '../../operations/second-step.ts';
import { ActionForm, ConfirmField, Copy, Field, Page } from '../layout.tsx';
import type { Handle, Result, StaffRequest } from '../request.ts';

/** People type the secret from paper, so it is shown in groups. */
const GROUP = /.{4}(?=.)/g;

const CODE = { autocomplete: 'one-time-code', required: true, maxLength: 40 } as const;

/** The part of the account's page: whether the second step is on, and what can be done. */
export function SecondStepSection({ request }: { request: StaffRequest }) {
  const { t, user } = request;
  const left = user.second_step?.recovery_codes.length ?? 0;
  return (
    <section id="second-step">
      <h2>{t('second_step.title')}</h2>
      {hasSecondStep(user) ? (
        <>
          <p>{t('second_step.is_on', { left })}</p>
          <ActionForm request={request} to="/account/second-step/codes">
            <Field request={request} name="code" label="field.code" hint="hint.code" input={CODE} />
            <ConfirmField request={request} id="second-step-password" />
            <p class="buttons">
              <button>{t('second_step.renew')}</button>{' '}
              <button class="danger-button" formaction="/account/second-step/off">
                {t('second_step.turn_off')}
              </button>
            </p>
          </ActionForm>
        </>
      ) : (
        <>
          <p>{t('second_step.is_off')}</p>
          <ActionForm request={request} to="/account/second-step">
            <ConfirmField request={request} id="second-step-password" />
            <button>{t('second_step.set_up')}</button>
          </ActionForm>
        </>
      )}
    </section>
  );
}

/** `POST /account/second-step`. The secret is shown in the response. */
export async function prepareSecondStep(request: StaffRequest): Promise<Result> {
  const { operations, user } = request;
  return { page: setupPage(request, await secondStep.prepare(operations, user)) };
}

/**
 * Returns the handler that shows the secret again after a wrong code, if the password was entered a
 * moment ago, and the page of `otherwise` if not.
 */
export function showSetupOr(otherwise: Handle<StaffRequest>): Handle<StaffRequest> {
  return async (request) => {
    const { operations, user, session, now } = request;
    const setup = isConfirmed(session, now) ? secondStep.preparedOf(operations, user) : undefined;
    return setup ? { page: setupPage(request, setup) } : otherwise(request);
  };
}

function setupPage(request: StaffRequest, { secret, uri }: Setup) {
  const { t } = request;
  const svg = Buffer.from(encodeQR(uri, 'svg')).toString('base64');
  return (
    <Page request={request} title={t('second_step.set_up')}>
      <section>
        <ol class="steps">
          <li>
            <p>{t('second_step.scan')}</p>
            <img class="qr" src={`data:image/svg+xml;base64,${svg}`} alt={t('second_step.qr')} />
            <p>{t('second_step.type')}</p>
            <Copy request={request} text={secret.replaceAll(GROUP, '$& ')} />
          </li>
          <li>
            <ActionForm request={request} to="/account/second-step/on">
              <Field request={request} name="code" label="field.code" input={CODE} />
              <ConfirmField request={request} />
              <button class="main-button">{t('second_step.turn_on')}</button>
            </ActionForm>
          </li>
        </ol>
        <p>
          <a href="/account">{t('second_step.cancel')}</a>
        </p>
      </section>
    </Page>
  );
}

/** `POST /account/second-step/on`. The recovery codes are shown once, in the response. */
export async function turnOnSecondStep(request: StaffRequest): Promise<Result> {
  const { operations, user, session, form } = request;
  const own = { user, kept: session._id };
  const codes = await secondStep.activate(operations, own, form.get('code'));
  return { page: codesPage(request, codes) };
}

/** `POST /account/second-step/codes`. The new codes are shown once, in the response. */
export async function renewRecoveryCodes(request: StaffRequest): Promise<Result> {
  const { operations, user, session, form } = request;
  const own = { user, kept: session._id };
  const codes = await secondStep.renewRecoveryCodes(operations, own, form.get('code'));
  return { page: codesPage(request, codes) };
}

function codesPage(request: StaffRequest, codes: readonly string[]) {
  const { t } = request;
  return (
    <Page request={request} title={t('second_step.codes')}>
      <section>
        <p role="status">{t('second_step.codes_hint')}</p>
        <ul class="list" id="recovery-codes">
          {codes.map((code) => (
            <li key={code}>
              <code>{code}</code>
            </li>
          ))}
        </ul>
        <p>
          <a href="/account">{t('second_step.codes_kept')}</a>
        </p>
      </section>
    </Page>
  );
}

/** `POST /account/second-step/off` */
export async function turnOffSecondStep(request: StaffRequest): Promise<Result> {
  const { operations, user, session, form } = request;
  await secondStep.turnOff(operations, { user, kept: session._id }, form.get('code'));
  return { to: '/account', done: 'second_step_off' };
}
