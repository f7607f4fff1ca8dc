/** The user's own password, language and sessions. */
import { LOCALES } from '../../domain/merchant.ts';
import { checkPassword, hashPassword } from '../../operations/team.ts';
import { Refusal } from '../../operations/refusal.ts';
import { deleteSessions, updateUser } from '../../store/users.ts';
import { ActionForm, ConfirmField, Field, Page } from '../layout.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { LANGUAGE_NAMES, readLocale } from '../text.ts';

/** `GET /account` */
export async function showAccount(request: StaffRequest): Promise<Result> {
  const { t, user, role, locale } = request;
  return {
    page: (
      <Page request={request} title={t('account.title')}>
        <p>
          {user.email}, {t(`role.${role}`)}
        </p>
        <section>
          <h2>{t('account.language')}</h2>
          <ActionForm request={request} to="/account/language">
            <p class="field">
              <label for="locale">{t('account.language')}</label>
              <select id="locale" name="locale">
                {LOCALES.map((each) => (
                  <option key={each} value={each} selected={each === locale}>
                    {LANGUAGE_NAMES[each]}
                  </option>
                ))}
              </select>
            </p>
            <button>{t('save')}</button>
          </ActionForm>
        </section>
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
        <section>
          <h2>{t('account.sessions')}</h2>
          <p>{t('account.sessions_hint')}</p>
          <ActionForm request={request} to="/account/sessions">
            <button>{t('account.end_sessions')}</button>
          </ActionForm>
        </section>
      </Page>
    ),
  };
}

/** `POST /account/language` */
export async function setLanguage({ services, user, form }: StaffRequest): Promise<Result> {
  const locale = readLocale(form.get('locale'));
  if (!locale) throw Refusal.ofParam('locale', 'The locale must be hy, en or ru.');
  await updateUser(services.mongo, user, { locale });
  return { to: '/account', done: 'saved' };
}

/** `POST /account/password`. Signs the user out everywhere else. */
export async function changePassword(request: StaffRequest): Promise<Result> {
  const { services, user, session, form } = request;
  const password = checkPassword(form.raw('new_password'), 'new_password');
  await updateUser(services.mongo, user, { password_hash: await hashPassword(password) });
  await deleteSessions(services.mongo, user._id, session._id);
  return { to: '/account', done: 'password_changed' };
}

/** `POST /account/sessions`: signs the user out everywhere else. */
export async function endOtherSessions({ services, user, session }: StaffRequest): Promise<Result> {
  await deleteSessions(services.mongo, user._id, session._id);
  return { to: '/account', done: 'sessions_ended' };
}
