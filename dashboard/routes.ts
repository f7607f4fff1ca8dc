/** Every address of the dashboard. */
import { KEY_ROUTES } from './keys/routes.ts';
import { OVERVIEW_ROUTES } from './overview/routes.ts';
import type { Route } from './route.ts';
import { STAFF_ROUTES } from './staff/routes.ts';

export const ROUTES: readonly Route[] = [...OVERVIEW_ROUTES, ...KEY_ROUTES, ...STAFF_ROUTES];
