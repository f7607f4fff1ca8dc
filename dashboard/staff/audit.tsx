/** The audit, newest entry first. */
import { actorIds } from '../../domain/audit.ts';
import type { Actor, AuditEntry } from '../../domain/audit.ts';
import { showAudit as readAudit } from '../../operations/audit.ts';
import { keyNamesOf } from '../../store/keys.ts';
import { listUsers } from '../../store/users.ts';
import { Page, Time } from '../layout.tsx';
import { ObjectLink } from '../links.tsx';
import { Pager, Table } from '../parts.tsx';
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
  const shown = entries as unknown as (AuditEntry & { id: string })[];
  const [users, keys] = await Promise.all([
    listUsers(services.mongo, merchant._id),
    keyNamesOf(services.mongo, merchant._id, actorIds(shown, 'api_key')),
  ]);
  const emails = new Map(users.map(({ _id, email }) => [_id, email]));
  const nameOf = ({ type, name }: Actor): string =>
    type === 'api_key'
      ? t('story.key', { name: keys.get(name) ?? name })
      : (emails.get(name) ?? name);
  return {
    page: (
      <Page request={request} title={t('menu.audit')}>
        <Table
          head={[`${t('audit.at')}, ${t('audit.actor')}`, t('audit.action'), t('audit.change')]}
        >
          {shown.map(({ id, at, actor, action, object, before, after: now }) => (
            <tr key={id}>
              <td>
                <Time request={request} at={at} />
                <p class="hint">{nameOf(actor)}</p>
              </td>
              <td>
                {t(`act.${action}`)}
                <p class="hint">
                  {emails.get(object.id) ?? <ObjectLink request={request} id={object.id} />}
                </p>
              </td>
              <td>
                <Change request={request} before={before ?? {}} after={now ?? {}} />
              </td>
            </tr>
          ))}
        </Table>
        <Pager
          request={request}
          newest={after !== undefined && '/audit'}
          older={has_more && `/audit?after=${shown.at(-1)?.id ?? ''}`}
        />
      </Page>
    ),
  };
}

type Details = NonNullable<AuditEntry['before']>;

interface ChangeProps {
  readonly request: StaffRequest;
  readonly before: Details;
  readonly after: Details;
}

/** The changed fields, each with its value before and after. */
function Change({ request, before, after }: ChangeProps) {
  const all = [...new Set([...Object.keys(before), ...Object.keys(after)])];
  const names = all.filter((name) => name in before || after[name] !== '');
  return (
    <>
      {names.map((name) => (
        <p key={name}>
          <span class="hint">{name}</span>{' '}
          {name in before && <Value request={request} of={before[name]} />}
          {name in before && name in after && ' → '}
          {name in after && <Value request={request} of={after[name]} />}
        </p>
      ))}
    </>
  );
}

function Value({ request, of }: { request: StaffRequest; of: unknown }) {
  if (of instanceof Date) return <Time request={request} at={of} exact />;
  if (of === null || of === undefined) return <>{request.t('none')}</>;
  return <b>{typeof of === 'string' ? of : JSON.stringify(of)}</b>;
}
