/** Signing in and out, and the links by which people join. */
import { LOCALES } from '../../domain/merchant.ts';
import { SESSION_MS } from '../../domain/user.ts';
import type { InviteLink, User } from '../../domain/user.ts';
import { senderOf } from '../../http/sender.ts';
import { createOwnedMerchant } from '../../operations/merchant.ts';
import { Refusal } from '../../operations/refusal.ts';
import { checkEmail, checkPassword, isPasswordOf, join } from '../../operations/team.ts';
import { isToken } from '../../store/mint.ts';
import {
  deleteSession,
  findInvite,
  insertSession,
  makeToken,
  userByEmail,
} from '../../store/users.ts';
import { Field, PlainPage } from '../layout.tsx';
import type { PageRequest, Result, StaffRequest } from '../request.ts';
import { LANGUAGE_NAMES } from '../text.ts';

/** `GET /sign-in` */
export async function showSignIn(request: PageRequest): Promise<Result> {
  const { t, ctx, form } = request;
  const next = form.get('next') || String(ctx.query['next'] ?? '');
  return {
    page: (
      <PlainPage request={request} title={t('sign_in.title')}>
        <form method="post" action="/sign-in">
          <input type="hidden" name="next" value={next} />
          <Field
            request={request}
            name="email"
            label="field.email"
            input={{ type: 'email', autocomplete: 'username', required: true }}
          />
          <Field
            request={request}
            name="password"
            label="field.password"
            input={{ type: 'password', autocomplete: 'current-password', required: true }}
          />
          <button class="main-button">{t('sign_in.button')}</button>
        </form>
      </PlainPage>
    ),
  };
}

/** `POST /sign-in`. An unknown address gets the same response, in the same time, as a wrong password. */
export async function signIn(request: PageRequest): Promise<Result> {
  const { services, ctx, form } = request;
  const { mongo, guesses, cookies } = services;
  const user = await userByEmail(mongo, form.get('email').toLowerCase());
  const device = user ? cookies.readDevice(ctx, user._id) : undefined;
  const guess = async () => isPasswordOf(user, form.raw('password'));
  const isRight = await guesses({ sender: senderOf(ctx.ip), device }, guess);
  if (!isRight || !user) {
    throw Refusal.ofParam('password', 'The e-mail address or the password is not right.');
  }
  await begin(request, user);
  return { to: localPath(form.get('next')) };
}

/** Starts a session with a new id, and marks the browser as known. */
async function begin({ services, ctx, now }: PageRequest, user: User): Promise<void> {
  const { mongo, cookies } = services;
  const { token, hash } = makeToken();
  await insertSession(mongo, {
    _id: hash,
    user_id: user._id,
    created_at: now,
    seen_at: now,
    confirmed_at: now,
    expires_at: new Date(now.getTime() + SESSION_MS),
  });
  cookies.writeSession(ctx, token);
  cookies.writeDevice(ctx, user._id);
}

/** Returns the path if it leads to a page of ours, so that no link leads people elsewhere. */
function localPath(path: string): string {
  return /^\/(?![/\\])[!-~]*$/.test(path) ? path : '/';
}

/** `POST /sign-out` */
export async function signOut({ services, ctx, session }: StaffRequest): Promise<Result> {
  await deleteSession(services.mongo, session._id);
  services.cookies.writeSession(ctx, null);
  return { to: '/sign-in' };
}

/** `GET /invite/:token`: sets the password of an invited person, or creates a merchant. */
export async function openInvite(request: PageRequest): Promise<Result> {
  const { t, ctx, locale } = request;
  const link = await requireInvite(request);
  const isNew = link.merchant_id === null;
  return {
    page: (
      <PlainPage request={request} title={t(isNew ? 'sign_up.title' : 'join.title')}>
        <form method="post" action={ctx.path}>
          {isNew && (
            <Field
              request={request}
              name="name"
              label="field.merchant_name"
              input={{ autocomplete: 'organization', required: true, maxLength: 100 }}
            />
          )}
          {link.email === null ? (
            <Field
              request={request}
              name="email"
              label="field.email"
              input={{ type: 'email', autocomplete: 'username', required: true }}
            />
          ) : (
            <p>
              {t('join.as')} <b>{link.email}</b>
            </p>
          )}
          <Field
            request={request}
            name="password"
            label="field.new_password"
            hint="hint.password"
            input={{
              type: 'password',
              autocomplete: 'new-password',
              required: true,
              minLength: 12,
            }}
          />
          {isNew && (
            <p class="field">
              <label for="locale">{t('field.checkout_language')}</label>
              <select id="locale" name="locale">
                {LOCALES.map((each) => (
                  <option key={each} value={each} selected={each === locale}>
                    {LANGUAGE_NAMES[each]}
                  </option>
                ))}
              </select>
            </p>
          )}
          <button class="main-button">{t('join.button')}</button>
        </form>
      </PlainPage>
    ),
  };
}

/** `POST /invite/:token` */
export async function useInvite(request: PageRequest): Promise<Result> {
  const { services, form } = request;
  const link = await requireInvite(request);
  const { merchant_id: merchantId, email } = link;
  const password = checkPassword(form.raw('password'));
  const user =
    merchantId === null || email === null
      ? await createOwnedMerchant(services, link, {
          name: form.get('name'),
          email: email ?? checkEmail(form.get('email')),
          locale: form.get('locale') || 'hy',
          password,
        })
      : await join(services, { ...link, merchant_id: merchantId, email }, password);
  await begin(request, user);
  return { to: '/' };
}

/** Returns the invitation. Throws 404 for a link that is used, replaced or expired. */
async function requireInvite({ services, ctx, params, now }: PageRequest): Promise<InviteLink> {
  const token = params['token'] ?? '';
  const link = isToken(token) ? await findInvite(services.mongo, token, now) : null;
  return link ?? ctx.throw(404);
}
