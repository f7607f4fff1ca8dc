/** A route of the dashboard: its address, its handler, and the permission that it needs. */
import type { Permission } from '../domain/user.ts';
import type { Handle, PageRequest, StaffRequest } from './request.ts';

/** A page that anybody may see. */
interface OpenPage {
  readonly kind: 'open-page';
  readonly path: string;
  readonly show: Handle<PageRequest>;
}

/** A form that anybody may submit. */
interface OpenAction {
  readonly kind: 'open-action';
  readonly path: string;
  readonly act: Handle<PageRequest>;
  /** The page that is shown again with the reason if the form is refused. */
  readonly again: Handle<PageRequest>;
}

/** A page for the staff. */
interface StaffPage {
  readonly kind: 'page';
  readonly path: string;
  readonly permission: Permission;
  readonly show: Handle<StaffRequest>;
}

/** A form for the staff. */
interface StaffAction {
  readonly kind: 'action';
  readonly path: string;
  readonly permission: Permission;
  /** True if the user has to enter the password, unless that was done in the last ten minutes. */
  readonly confirm: boolean;
  /** True if the form may have a file. */
  readonly isUpload: boolean;
  readonly act: Handle<StaffRequest>;
  /** The page that is shown again with the reason if the form is refused. */
  readonly again: Handle<StaffRequest>;
}

export type Route = OpenPage | OpenAction | StaffPage | StaffAction;

export function openPage(path: string, show: Handle<PageRequest>): Route {
  return { kind: 'open-page', path, show };
}

export function openAction(path: string, acts: Pick<OpenAction, 'act' | 'again'>): Route {
  return { kind: 'open-action', path, ...acts };
}

export function page(path: string, permission: Permission, show: Handle<StaffRequest>): Route {
  return { kind: 'page', path, permission, show };
}

export function action(
  path: string,
  permission: Permission,
  acts: Pick<StaffAction, 'act' | 'again'> & Partial<Pick<StaffAction, 'confirm' | 'isUpload'>>,
): Route {
  return { kind: 'action', path, permission, confirm: false, isUpload: false, ...acts };
}
