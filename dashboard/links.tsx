/** Links from ids to the pages of their objects. */
import type { Permission } from '../domain/user.ts';
import type { StaffRequest } from './request.ts';

/** The folder of each kind's pages, by the prefix of its ids. */
const FOLDERS: Readonly<Record<string, { path: string; permission: Permission }>> = {
  pay: { path: '/payments', permission: 'payments.read' },
  ref: { path: '/payments/refunds', permission: 'payments.read' },
  evt: { path: '/developers/events', permission: 'developers.read' },
  dlv: { path: '/deliveries', permission: 'deliveries.read' },
  rpl: { path: '/replays', permission: 'deliveries.read' },
};

/** Returns the address of the object's page; undefined if the user has no such page. */
export function addressOfObject({ may }: StaffRequest, id: string): string | undefined {
  const folder = FOLDERS[id.slice(0, 3)];
  return folder && may(folder.permission) ? `${folder.path}/${id}` : undefined;
}

/** An id as a link to its page, if there is one for its kind. */
export function ObjectLink({ request, id }: { request: StaffRequest; id: string }) {
  const address = addressOfObject(request, id);
  if (address === undefined) return <code>{id}</code>;
  return (
    <a href={address}>
      <code>{id}</code>
    </a>
  );
}
