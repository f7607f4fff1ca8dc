/** The browsers in which the user is signed in. */
import { isSessionOf, isSessionOver } from '../../domain/user.ts';
import type { UserSession } from '../../domain/user.ts';
import * as account from '../../operations/account.ts';
import { sessionsOf } from '../../store/sessions.ts';
import { ActionForm, Time } from '../layout.tsx';
import { Table } from '../parts.tsx';
import type { Result, StaffRequest } from '../request.ts';

/** Returns the user's sessions that are not over, the latest first. */
export async function ownSessions({ services, user, now }: StaffRequest): Promise<UserSession[]> {
  const all = await sessionsOf(services.mongo, user._id);
  return all
    .filter((session) => isSessionOf(session, user) && !isSessionOver(session, now))
    .toSorted((a, b) => b.seen_at.getTime() - a.seen_at.getTime());
}

interface SessionsProps {
  readonly request: StaffRequest;
  readonly sessions: readonly UserSession[];
}

export function SessionsSection({ request, sessions }: SessionsProps) {
  const { t, session: current } = request;
  return (
    <section>
      <h2>{t('account.sessions')}</h2>
      <Table
        id="sessions"
        head={[t('sessions.browser'), t('sessions.since'), t('sessions.seen'), t('actions')]}
      >
        {sessions.map(({ _id: id, browser, created_at, seen_at }) => (
          <tr key={id}>
            <td>{browser || t('sessions.unknown')}</td>
            <td>
              <Time request={request} at={created_at} />
            </td>
            <td>
              <Time request={request} at={seen_at} />
            </td>
            <td>
              {id === current._id ? (
                t('sessions.this')
              ) : (
                <ActionForm request={request} to={`/account/sessions/${id}/end`}>
                  <button>{t('sessions.end')}</button>
                </ActionForm>
              )}
            </td>
          </tr>
        ))}
      </Table>
      {sessions.length > 1 && (
        <ActionForm request={request} to="/account/sessions">
          <p>{t('account.sessions_hint')}</p>
          <button>{t('account.end_sessions')}</button>
        </ActionForm>
      )}
    </section>
  );
}

/** `POST /account/sessions`: signs the user out everywhere else. */
export async function endOtherSessions({ operations, session }: StaffRequest): Promise<Result> {
  await account.endOtherSessions(operations, session);
  return { to: '/account', done: 'sessions_ended' };
}

/** `POST /account/sessions/:id/end` */
export async function endSession(request: StaffRequest): Promise<Result> {
  const { operations, user, params, ctx } = request;
  const wanted = { _id: params['id'] ?? '', user_id: user._id };
  if (!(await account.endSession(operations, wanted))) ctx.throw(404);
  return { to: '/account', done: 'session_ended' };
}
