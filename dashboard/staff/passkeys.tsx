/** Passkeys: registered on the account's page, and used on the sign-in page. Both need scripts. */
import { isIP } from 'node:net';
import { browserOf } from '../../domain/browser.ts';
import type { Passkey } from '../../domain/user.ts';
import * as passkeys from '../../operations/passkeys.ts';
import { Refusal } from '../../operations/refusal.ts';
import { passkeysOf } from '../../store/passkeys.ts';
import { ActionForm, ConfirmField, Time } from '../layout.tsx';
import { Table } from '../parts.tsx';
import type { PageRequest, Result, StaffRequest } from '../request.ts';
import { begin, localPath, nextOf } from './begin.ts';

/** The data of a page with passkeys: the user's own ones, and the options for the browser. */
export interface PasskeyParts {
  readonly own: readonly Passkey[];
  readonly challenge: string;
  /** JSON, as `PublicKeyCredential.parse...OptionsFromJSON` reads it. */
  readonly options: string;
}

/** Returns true if the dashboard's address has a name: passkeys do not work for IP addresses. */
const isAvailable = ({ services }: PageRequest): boolean =>
  isIP(new URL(services.ownUrl).hostname.replaceAll(/[[\]]/g, '')) === 0;

/** Returns the parts of the account's page; undefined where passkeys do not work. */
export async function creationParts(request: StaffRequest): Promise<PasskeyParts | undefined> {
  if (!isAvailable(request)) return undefined;
  const { services, user } = request;
  const { ceremony, text } = services.challenges.make(user._id);
  const own = await passkeysOf(services.mongo, user._id);
  const options = await passkeys.creationOptions(services, user, ceremony);
  return { own, challenge: text, options: JSON.stringify(options) };
}

/** Returns the parts of the sign-in page; undefined where passkeys do not work. */
export async function requestParts(request: PageRequest): Promise<PasskeyParts | undefined> {
  if (!isAvailable(request)) return undefined;
  const { ceremony, text } = request.services.challenges.make('');
  const options = await passkeys.requestOptions(ceremony);
  return { own: [], challenge: text, options: JSON.stringify(options) };
}

/** The fields that the script fills in. */
function Ceremony({ challenge, options }: PasskeyParts) {
  return (
    <>
      <input type="hidden" name="challenge" value={challenge} />
      <input type="hidden" name="passkey" data-options={options} />
    </>
  );
}

/** The button on the sign-in page. It is hidden without the script. */
export function PasskeySignIn({ request, of }: { request: PageRequest; of: PasskeyParts }) {
  return (
    <form method="post" action="/sign-in/passkey" data-passkey="get" hidden>
      <input type="hidden" name="next" value={nextOf(request)} />
      <Ceremony {...of} />
      <button>{request.t('passkey.sign_in')}</button>
    </form>
  );
}

/** The part of the account's page. */
export function PasskeySection({ request, of }: { request: StaffRequest; of: PasskeyParts }) {
  const { t } = request;
  return (
    <section id="passkeys">
      <h2>{t('passkey.title')}</h2>
      <p>{t('passkey.hint')}</p>
      {of.own.length > 0 && (
        <Table
          head={[t('passkey.made_in'), t('passkey.created'), t('sessions.seen'), t('actions')]}
        >
          {of.own.map(({ _id: id, name, created_at, last_used_at }) => (
            <tr key={id}>
              <td>{name || t('sessions.unknown')}</td>
              <td>
                <Time request={request} at={created_at} />
              </td>
              <td>{last_used_at ? <Time request={request} at={last_used_at} /> : t('never')}</td>
              <td>
                <details>
                  <summary>{t('passkey.remove')}</summary>{' '}
                  <ActionForm request={request} to={`/account/passkeys/${id}/remove`}>
                    <ConfirmField request={request} id={`${id}-password`} />
                    <button class="danger-button">{t('passkey.remove')}</button>
                  </ActionForm>
                </details>
              </td>
            </tr>
          ))}
        </Table>
      )}
      <form method="post" action="/account/passkeys" data-passkey="create" hidden>
        <input type="hidden" name="csrf" value={request.csrf} />
        <Ceremony {...of} />
        <ConfirmField request={request} id="passkey-password" />
        <button>{t('passkey.add')}</button>
      </form>
    </section>
  );
}

/** `POST /sign-in/passkey`. The device has checked its user, so no code is asked for. */
export async function signInWithPasskey(request: PageRequest): Promise<Result> {
  const { services, form } = request;
  const ceremony = services.challenges.read('', form.get('challenge'));
  if (!ceremony) throw expired();
  const user = await passkeys.checkPasskey(services, form.get('passkey'), ceremony);
  return begin(request, user, { means: 'passkey', to: localPath(form.get('next')) });
}

/** `POST /account/passkeys` */
export async function addPasskey(request: StaffRequest): Promise<Result> {
  const { services, operations, ctx, user, form } = request;
  const ceremony = services.challenges.read(user._id, form.get('challenge'));
  if (!ceremony) throw expired();
  const name = browserOf(ctx.get('User-Agent'));
  const made = { user, name, response: form.get('passkey') };
  await passkeys.addPasskey(operations, made, ceremony);
  return { to: '/account', done: 'passkey_added' };
}

/** `POST /account/passkeys/:id/remove` */
export async function removePasskey({ operations, user, params }: StaffRequest): Promise<Result> {
  await passkeys.removePasskey(operations, { user, id: params['id'] ?? '' });
  return { to: '/account', done: 'passkey_removed' };
}

function expired(): Refusal {
  return Refusal.ofParam('passkey', 'The passkey does not fit. Try again.');
}
