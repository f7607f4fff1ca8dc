/** Signing in, with a second step for those who have one, and signing out. */
import { hasSecondStep } from '../../domain/user.ts';
import type { User } from '../../domain/user.ts';
import { senderOf } from '../../http/sender.ts';
import { endSession } from '../../operations/account.ts';
import { Refusal } from '../../operations/refusal.ts';
import { refusePasswordAlone } from '../../operations/requirement.ts';
import { checkCode } from '../../operations/second-step.ts';
import { isPasswordOf } from '../../operations/team.ts';
import { userByEmail, userById } from '../../store/users.ts';
import { Field, PlainPage } from '../layout.tsx';
import type { PageRequest, Result, StaffRequest } from '../request.ts';
import { begin, localPath, nextOf } from './begin.ts';
import { PasskeySignIn, requestParts } from './passkeys.tsx';

/** `GET /sign-in` */
export async function showSignIn(request: PageRequest): Promise<Result> {
  const { t } = request;
  const passkey = await requestParts(request);
  return {
    page: (
      <PlainPage request={request} title={t('sign_in.title')}>
        <form method="post" action="/sign-in">
          <input type="hidden" name="next" value={nextOf(request)} />
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
        {passkey && <PasskeySignIn request={request} of={passkey} />}
      </PlainPage>
    ),
  };
}

/**
 * `POST /sign-in`. An unknown address gets the same response, in the same time, as a wrong
 * password.
 */
export async function signIn(request: PageRequest): Promise<Result> {
  const { services, ctx, form, now } = request;
  const { mongo, guesses, cookies } = services;
  const find = async () => userByEmail(mongo, form.get('email').toLowerCase());
  const device = cookies.readDevice(ctx);
  let user = device ? await find() : null;
  const isKnown = device !== undefined && device.userId === user?._id;
  const who = { sender: senderOf(ctx.ip), device: isKnown ? device.id : undefined };
  const isRight = await guesses(who, async () => {
    // Strangers are looked up only when it is their turn, so a flood costs no queries.
    if (!isKnown) user = await find();
    return isPasswordOf(user, form.raw('password'));
  });
  if (!isRight || !user) {
    logFailure(request, user, 'password');
    throw Refusal.ofParam('password', 'The e-mail address or the password is not right.');
  }
  const to = localPath(form.get('next'));
  if (!hasSecondStep(user)) {
    await refusePasswordAlone(services, user);
    return begin(request, user, { means: 'password', to });
  }
  cookies.writePending(ctx, user, now);
  return { to: `/sign-in/code?next=${encodeURIComponent(to)}` };
}

/** `GET /sign-in/code` */
export async function showCode(request: PageRequest): Promise<Result> {
  const { t } = request;
  if (!(await pendingUser(request))) return { to: '/sign-in' };
  const input = { autocomplete: 'one-time-code', required: true, autofocus: true } as const;
  return {
    page: (
      <PlainPage request={request} title={t('code.title')}>
        <form method="post" action="/sign-in/code">
          <input type="hidden" name="next" value={nextOf(request)} />
          <Field
            request={request}
            name="code"
            label="field.code"
            hint="hint.code"
            input={{ ...input, maxLength: 40 }}
          />
          <button class="main-button">{t('sign_in.button')}</button>
        </form>
        <p>
          <a href="/sign-in">{t('code.back')}</a>
        </p>
      </PlainPage>
    ),
  };
}

/** `POST /sign-in/code`. Works only after the right password, for five minutes. */
export async function enterCode(request: PageRequest): Promise<Result> {
  const { services, form } = request;
  const user = await pendingUser(request);
  if (!user) return { to: '/sign-in' };
  const means = await checkCode(services, user, form.get('code')).catch((refusal: unknown) => {
    logFailure(request, user, 'code');
    throw refusal;
  });
  return begin(request, user, { means, to: localPath(form.get('next')) });
}

/** Returns the user whose password was right a moment ago. */
async function pendingUser({ services, ctx, now }: PageRequest): Promise<User | undefined> {
  const { mongo, cookies } = services;
  const pending = cookies.readPending(ctx, now);
  const user = pending ? await userById(mongo, pending.userId) : null;
  if (!user || !hasSecondStep(user)) return undefined;
  // All sessions were ended meanwhile, as by a change of the password.
  return (user.epoch ?? '') === pending?.epoch ? user : undefined;
}

/** Logs the user's id, because people type passwords into the field of the address. */
function logFailure({ services, ctx }: PageRequest, user: User | null, wrong: string): void {
  const details = { from: senderOf(ctx.ip), user: user?._id ?? null, wrong };
  services.log.warn(details, 'a sign-in failed');
}

/** `POST /sign-out` */
export async function signOut({ services, ctx, session }: StaffRequest): Promise<Result> {
  services.cookies.writeSession(ctx, null);
  await endSession(services, session);
  return { to: '/sign-in' };
}
