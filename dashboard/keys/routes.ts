import { action, page } from '../route.ts';
import { createKey, revokeKey, rollKey, showKeys } from './keys.tsx';

const again = showKeys;

export const KEY_ROUTES = [
  page('/keys', 'keys.read', showKeys),
  action('/keys', 'keys.write', { act: createKey, again, confirm: true }),
  action('/keys/:id/roll', 'keys.write', { act: rollKey, again, confirm: true }),
  action('/keys/:id/revoke', 'keys.write', { act: revokeKey, again, confirm: true }),
];
