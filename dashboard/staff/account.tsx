/** The user's own language and password. The second step and the sessions have files of their own. */
import * as account from '../../operations/account.ts';
import { Refusal } from '../../operations/refusal.ts';
import { updateUser } from '../../store/users.ts';
import { ActionForm, ConfirmField, Field, Page } from '../layout.tsx';
import { LanguageSelect } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { readLocale } from '../text.ts';
import { begin } from './begin.ts';
import { PasskeySection, creationParts } from './passkeys.tsx';
import { SecondStepSection } from './second-step.tsx';
import { SessionsSection, ownSessions } from './sessions.tsx';

/** `GET /account`. Shows only the ways to set up a second step to those who have to do that. */
export async function showAccount(request: StaffRequest): Promise<Result> {
  const { t, user, role, locale, mustSetUp } = request;
  const sessions = mustSetUp ? [] : await ownSessions(request);
  const passkeys = await creationParts(request);
  return {
    page: (
      <Page request={request} title={t('account.title')}>
        {mustSetUp && (
          <p class="notice" role="status">
            {t('requirement.must_set_up')}
          </p>
        )}
        <p>
          {user.email}, {t(`role.${role}`)}
        </p>
        <ActionForm request={request} to="/account/language">
          <LanguageSelect label={t('account.language')} chosen={locale} />
          <button>{t('save')}</button>
        </ActionForm>
        {!mustSetUp && <PasswordSection request={request} />}
        <SecondStepSection request={request} />
        {passkeys && <PasskeySection request={request} of={passkeys} />}
        {!mustSetUp && <SessionsSection request={request} sessions={sessions} />}
      </Page>
    ),
  };
}

function PasswordSection({ request }: { request: StaffRequest }) {
  const { t } = request;
  return (
    <section>
      <h2>{t('account.password')}</h2>
      <ActionForm request={request} to="/account/password">
        <ConfirmField request={request} />
        <Field
          request={request}
          name="new_password"
          label="field.new_password"
          hint="hint.password"
          input={{ type: 'password', autocomplete: 'new-password', required: true }}
        />
        <button>{t('account.change_password')}</button>
      </ActionForm>
    </section>
  );
}

/** `POST /account/language` */
export async function setLanguage({ services, user, form }: StaffRequest): Promise<Result> {
  const locale = readLocale(form.get('locale'));
  if (!locale) throw Refusal.ofParam('locale', 'The locale must be hy, en or ru.');
  await updateUser(services.mongo, user, { locale });
  return { to: '/account', done: 'saved' };
}

/** `POST /account/password`. Signs the user out everywhere, and in again here. */
export async function changePassword(request: StaffRequest): Promise<Result> {
  const { services, operations, merchant, form } = request;
  const user = await services.setPassword(merchant._id, async () =>
    account.changePassword(operations, request.user, form.raw('new_password')),
  );
  await begin(request, user, { means: 'password', to: '/account' });
  return { to: '/account', done: 'password_changed' };
}
