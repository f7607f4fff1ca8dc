/** The merchant's staff: who they are, invitations, roles, and removal. */
import { ROLES, hasSecondStep, roleOf } from '../../domain/user.ts';
import type { InviteLink, Role, User } from '../../domain/user.ts';
import { createReset } from '../../operations/account.ts';
import * as team from '../../operations/team.ts';
import { usersWithPasskeys } from '../../store/passkeys.ts';
import { listInvites, listUsers } from '../../store/users.ts';
import { NO_FORM } from '../form.ts';
import { ActionForm, ConfirmField, Copy, Field, Page, Time } from '../layout.tsx';
import { Select, Table } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { RequirementSection } from './requirement.tsx';

/** `GET /team` */
export async function showTeam(request: StaffRequest): Promise<Result> {
  return { page: await teamPage(request) };
}

/** A link that was just created. */
interface FreshLink {
  readonly hint: 'team.fresh' | 'team.fresh_reset';
  readonly address: string;
}

async function teamPage(request: StaffRequest, link?: FreshLink) {
  const { t, services, merchant, now } = request;
  const users = await listUsers(services.mongo, merchant._id);
  const mayChange = request.may('team.write');
  const ids = users.map(({ _id }) => _id);
  const withPasskeys = await usersWithPasskeys(services.mongo, ids);
  const isOwn = hasSecondStep(request.user) || withPasskeys.has(request.user._id);
  const invites = mayChange ? await listInvites(services.mongo, merchant._id, now) : [];
  return (
    <Page request={request} title={t('menu.team')}>
      {link !== undefined && (
        <div class="notice notice-good" role="status" id="fresh-link">
          <p>{t(link.hint)}</p>
          <Copy request={request} text={link.address} />
        </div>
      )}
      <Table
        head={[
          t('field.email'),
          t('field.role'),
          t('second_step.title'),
          t('team.since'),
          ...(mayChange ? [t('actions')] : []),
        ]}
      >
        {users.map((user) => (
          <Member
            key={user._id}
            request={request}
            of={user}
            hasPasskey={withPasskeys.has(user._id)}
          />
        ))}
        {invites.map((invite) => (
          <Invited key={invite._id} request={request} of={invite} />
        ))}
      </Table>
      {mayChange && (
        <section>
          <h2>{t('team.invite')}</h2>
          <ActionForm request={request} to="/team">
            <Field
              request={request}
              name="email"
              label="field.email"
              input={{ type: 'email', autocomplete: 'off', required: true }}
            />
            <RoleField request={request} id="role" chosen="support" />
            <ConfirmField request={request} />
            <button class="main-button">{t('team.invite')}</button>
          </ActionForm>
        </section>
      )}
      <RequirementSection request={request} isOwn={isOwn} />
    </Page>
  );
}

interface MemberProps {
  readonly request: StaffRequest;
  readonly of: User;
  readonly hasPasskey: boolean;
}

function Member({ request, of, hasPasskey }: MemberProps) {
  const { t } = request;
  const steps = [hasSecondStep(of) && t('second_step.app'), hasPasskey && t('second_step.passkey')];
  const { _id: id, email, created_at } = of;
  return (
    <tr id={id}>
      <td>{email}</td>
      <td>{t(`role.${roleOf(of)}`)}</td>
      <td>{steps.filter(Boolean).join(', ') || t('none')}</td>
      <td>
        <Time request={request} at={created_at} />
      </td>
      {request.may('team.write') && (
        <td>
          <details>
            <summary>{t('change')}</summary>
            <ActionForm request={request} to={`/team/${id}/role`}>
              <RoleField request={request} id={`${id}-role`} chosen={roleOf(of)} />
              <ConfirmField request={request} id={`${id}-role-password`} />
              <button>{t('team.change_role')}</button>
            </ActionForm>
            {id !== request.user._id && <ResetForm request={request} of={of} />}
            <ActionForm request={request} to={`/team/${id}/remove`}>
              <ConfirmField request={request} id={`${id}-remove-password`} />
              <button class="danger-button">{t('team.remove')}</button>
            </ActionForm>
          </details>
        </td>
      )}
    </tr>
  );
}

function ResetForm({ request, of }: { request: StaffRequest; of: User }) {
  const { t } = request;
  const { _id: id } = of;
  return (
    <ActionForm request={request} to={`/team/${id}/reset`}>
      <label class="check">
        <input type="checkbox" name="second_step" value="off" /> {t('team.reset_second_step')}
      </label>
      <ConfirmField request={request} id={`${id}-reset-password`} />
      <button>{t('team.reset')}</button>
    </ActionForm>
  );
}

/** The row of an invitation. Only those who may change the team see it. */
function Invited({ request, of }: { request: StaffRequest; of: InviteLink }) {
  const { t } = request;
  const { _id: id, email, role, expires_at } = of;
  return (
    <tr>
      <td>{email}</td>
      <td>{t(`role.${role}`)}</td>
      <td />
      <td>
        {t('team.invited')} <Time request={request} at={expires_at} />
      </td>
      <td>
        <details>
          <summary>{t('change')}</summary>{' '}
          <ActionForm request={request} to={`/team/invites/${id}/withdraw`}>
            <ConfirmField request={request} id={`${id}-password`} />
            <button class="danger-button">{t('team.withdraw')}</button>
          </ActionForm>
        </details>
      </td>
    </tr>
  );
}

function RoleField({ request, id, chosen }: { request: StaffRequest; id: string; chosen: Role }) {
  const { t } = request;
  return (
    <Select
      id={id}
      name="role"
      label={t('field.role')}
      options={ROLES.map((role) => [role, `${t(`role.${role}`)}: ${t(`role_hint.${role}`)}`])}
      chosen={chosen}
    />
  );
}

/** `POST /team`. The link is shown once, in the response. */
export async function inviteUser(request: StaffRequest): Promise<Result> {
  const { operations, merchant, form, services } = request;
  const { token } = await team.invite(operations, {
    merchant: merchant._id,
    email: form.get('email'),
    role: form.get('role'),
  });
  const address = `${services.ownUrl}/invite/${token}`;
  return { page: await teamPage({ ...request, form: NO_FORM }, { hint: 'team.fresh', address }) };
}

/** `POST /team/:id/role` */
export async function changeRole(request: StaffRequest): Promise<Result> {
  const { operations, merchant, params, form } = request;
  const options = { merchant: merchant._id, id: params['id'] ?? '', role: form.get('role') };
  await team.changeRole(operations, options);
  return { to: '/team', done: 'role_changed' };
}

/** `POST /team/:id/remove` */
export async function removeUser({ operations, merchant, params }: StaffRequest): Promise<Result> {
  await team.removeUser(operations, { merchant: merchant._id, id: params['id'] ?? '' });
  return { to: '/team', done: 'user_removed' };
}

/** `POST /team/:id/reset`. The link is shown once, in the response. */
export async function resetUser(request: StaffRequest): Promise<Result> {
  const { operations, merchant, params, form, services } = request;
  const { token } = await createReset(operations, {
    merchant: merchant._id,
    id: params['id'] ?? '',
    endsSecondStep: form.get('second_step') === 'off',
  });
  const address = `${services.ownUrl}/reset/${token}`;
  return { page: await teamPage(request, { hint: 'team.fresh_reset', address }) };
}

/** `POST /team/invites/:id/withdraw` */
export async function withdrawInvite(request: StaffRequest): Promise<Result> {
  const { operations, merchant, params } = request;
  await team.withdrawInvite(operations, { merchant: merchant._id, id: params['id'] ?? '' });
  return { to: '/team', done: 'invite_withdrawn' };
}
