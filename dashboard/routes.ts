/** Every address of the dashboard. */
import { DEVELOPER_ROUTES } from './developers/routes.ts';
import { EXPORT_ROUTES } from './exports/routes.ts';
import { KEY_ROUTES } from './keys/routes.ts';
import { OVERVIEW_ROUTES } from './overview/routes.ts';
import { PAYMENT_ROUTES } from './payments/routes.ts';
import type { Route } from './route.ts';
import { SETTINGS_ROUTES } from './settings/routes.ts';
import { STAFF_ROUTES } from './staff/routes.ts';
import { WEBHOOK_ROUTES } from './webhooks/routes.ts';

export const ROUTES: readonly Route[] = [
  ...OVERVIEW_ROUTES,
  ...PAYMENT_ROUTES,
  ...WEBHOOK_ROUTES,
  ...EXPORT_ROUTES,
  ...DEVELOPER_ROUTES,
  ...KEY_ROUTES,
  ...SETTINGS_ROUTES,
  ...STAFF_ROUTES,
];
