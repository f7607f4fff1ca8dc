/** Who did what, newest first. */
import type { AuditEntry } from '../../domain/audit.ts';
import { showAudit as readAudit } from '../../operations/audit.ts';
import { listUsers } from '../../store/users.ts';
import { Page, Time } from '../layout.tsx';
import { ObjectLink } from '../links.tsx';
import type { Result, StaffRequest } from '../request.ts';

const PAGE_ROWS = '50';

/** `GET /audit?after=aud_...` */
export async function showAudit(request: StaffRequest): Promise<Result> {
  const { t, services, operations, merchant, ctx } = request;
  const { after } = ctx.query;
  const { entries, has_more } = await readAudit(operations, {
    merchant: merchant._id,
    limit: PAGE_ROWS,
    ...(typeof after === 'string' && { startingAfter: after }),
  });
  const users = await listUsers(services.mongo, merchant._id);
  const emails = new Map(users.map(({ _id, email }) => [_id, email]));
  const shown = entries as unknown as (AuditEntry & { id: string })[];
  return {
    page: (
      <Page request={request} title={t('menu.audit')}>
        <table class="rows">
          <thead>
            <tr>
              <th scope="col">{t('audit.at')}</th>
              <th scope="col">{t('audit.actor')}</th>
              <th scope="col">{t('audit.action')}</th>
              <th scope="col">{t('audit.object')}</th>
              <th scope="col">{t('audit.change')}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map(({ id, at, actor, action, object, before, after: now }) => (
              <tr key={id}>
                <td>
                  <Time request={request} at={at} />
                </td>
                <td>{emails.get(actor.name) ?? actor.name}</td>
                <td>{action}</td>
                <td>{emails.get(object.id) ?? <ObjectLink request={request} id={object.id} />}</td>
                <td>
                  {before && <code>{JSON.stringify(before)}</code>}
                  {before && now && ' → '}
                  {now && <code>{JSON.stringify(now)}</code>}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
        {has_more && (
          <p>
            <a href={`/audit?after=${shown.at(-1)?.id ?? ''}`}>{t('older')}</a>
          </p>
        )}
      </Page>
    ),
  };
}
