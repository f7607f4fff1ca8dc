/** The second step of a whole team: required or not, and a reminder for owners without one. */
import { dropRequirement, hasAnyStep, requireSecondStep } from '../../operations/requirement.ts';
import { ActionForm, ConfirmField } from '../layout.tsx';
import type { Result, StaffRequest } from '../request.ts';

/** The part of the team's page. Only owners can change it, once they have a second step. */
export function RequirementSection({ request, isOwn }: { request: StaffRequest; isOwn: boolean }) {
  const { t, merchant } = request;
  const isOn = merchant.requires_second_step === true;
  return (
    <section id="second_step">
      <h2>{t('requirement.title')}</h2>
      <p>{t(isOn ? 'requirement.is_on' : 'requirement.is_off')}</p>
      {request.may('team.write') && !isOn && <p class="hint">{t('requirement.hint')}</p>}
      {request.may('team.write') && (isOn || isOwn) && (
        <ActionForm request={request} to={`/team/second-step/${isOn ? 'off' : 'on'}`}>
          <ConfirmField request={request} id="second-step-password" />
          <button>{t(isOn ? 'requirement.turn_off' : 'requirement.turn_on')}</button>
        </ActionForm>
      )}
      {request.may('team.write') && !isOn && !isOwn && (
        <p>
          <a href="/account#second-step">{t('requirement.own_first')}</a>
        </p>
      )}
    </section>
  );
}

/** `POST /team/second-step/on` */
export async function turnOnRequirement({ operations, user }: StaffRequest): Promise<Result> {
  await requireSecondStep(operations, user);
  return { to: '/team', done: 'saved' };
}

/** `POST /team/second-step/off` */
export async function turnOffRequirement({ operations, user }: StaffRequest): Promise<Result> {
  await dropRequirement(operations, user);
  return { to: '/team', done: 'saved' };
}

/** Returns true if the overview reminds the user, an owner who signs in with a password alone. */
export async function isReminded({ services, role, user }: StaffRequest): Promise<boolean> {
  return role === 'owner' && !(await hasAnyStep(services, user));
}

/** The reminder on the overview. */
export function Reminder({ request: { t } }: { request: StaffRequest }) {
  return (
    <p class="hint" id="reminder">
      {t('requirement.reminder')} <a href="/account#second-step">{t('requirement.set_up')}</a>
    </p>
  );
}
