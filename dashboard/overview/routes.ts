import { page } from '../route.ts';
import { showOverview } from './overview.tsx';

export const OVERVIEW_ROUTES = [page('/', 'payments.read', showOverview)];
