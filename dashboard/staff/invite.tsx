/** The links by which people join, create a merchant, or set a new password. */
import { isReset } from '../../domain/user.ts';
import type { InviteLink, ResetLink } from '../../domain/user.ts';
import { resetPassword } from '../../operations/account.ts';
import { createOwnedMerchant } from '../../operations/merchant.ts';
import { checkEmail, checkPassword, join } from '../../operations/team.ts';
import { isToken } from '../../store/mint.ts';
import { hashOfToken } from '../../store/users.ts';
import { Field, PlainPage } from '../layout.tsx';
import { LanguageSelect } from '../parts.tsx';
import type { PageRequest, Result, Services } from '../request.ts';
import { begin } from './begin.ts';

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
          <NewPassword request={request} />
          {isNew && <LanguageSelect label={t('field.checkout_language')} chosen={locale} />}
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
  const user = await services.setPassword(merchantId ?? link._id, async () =>
    merchantId === null || email === null
      ? createOwnedMerchant(services, link, {
          name: form.get('name'),
          email: email ?? checkEmail(form.get('email')),
          locale: form.get('locale') || 'hy',
          password,
        })
      : join(services, { ...link, merchant_id: merchantId, email }, password),
  );
  return begin(request, user, { means: 'password', to: '/' });
}

/** `GET /reset/:token`: sets a new password. */
export async function openReset(request: PageRequest): Promise<Result> {
  const { t, ctx } = request;
  const { email } = await requireReset(request);
  return {
    page: (
      <PlainPage request={request} title={t('reset.title')}>
        <form method="post" action={ctx.path}>
          <p>
            {t('reset.of')} <b>{email}</b>
          </p>
          <NewPassword request={request} />
          <button class="main-button">{t('reset.button')}</button>
        </form>
      </PlainPage>
    ),
  };
}

/**
 * `POST /reset/:token`. Whoever has the link has to sign in after it, with the second step. The
 * browser is known from now on, so that it does not wait for that behind strangers.
 */
export async function useReset(request: PageRequest): Promise<Result> {
  const { services, ctx, form } = request;
  const link = await requireReset(request);
  await services.setPassword(link.merchant_id, async () =>
    resetPassword(services, link, form.raw('password')),
  );
  services.cookies.writeDevice(ctx, link.user_id);
  return { to: '/sign-in', done: 'password_reset' };
}

function NewPassword({ request }: { request: PageRequest }) {
  const type = { type: 'password', autocomplete: 'new-password', minLength: 12 } as const;
  return (
    <Field
      request={request}
      name="password"
      label="field.new_password"
      hint="hint.password"
      input={{ ...type, required: true }}
    />
  );
}

/** Returns the invitation. Throws 404 for a link that is used, replaced or expired. */
async function requireInvite(request: PageRequest): Promise<InviteLink> {
  const link = await findLink(request);
  return link && !isReset(link) ? link : request.ctx.throw(404);
}

/** Returns the link. Throws 404 as `requireInvite`. */
async function requireReset(request: PageRequest): Promise<ResetLink> {
  const link = await findLink(request);
  return link && isReset(link) ? link : request.ctx.throw(404);
}

const findLink = async ({ services, params, now }: PageRequest): Promise<InviteLink | undefined> =>
  validLink(services, params['token'] ?? '', now);

/** Returns the link with that token; undefined if it is used, replaced or expired. */
export async function validLink(
  services: Pick<Services, 'findLink'>,
  token: string,
  now: Date,
): Promise<InviteLink | undefined> {
  const link = isToken(token) ? await services.findLink(hashOfToken(token)) : undefined;
  return link && link.expires_at > now ? link : undefined;
}
