import { action, page } from '../route.ts';
import { advance, findToAdvance, showAdvance } from './advance.tsx';
import { showEvent, showEvents } from './events.tsx';
import { showRequest, showRequests } from './requests.tsx';

export const DEVELOPER_ROUTES = [
  page('/developers', 'developers.read', async () => ({ to: '/developers/requests' })),
  page('/developers/requests', 'developers.read', showRequests),
  page('/developers/requests/:id', 'developers.read', showRequest),
  page('/developers/events', 'developers.read', showEvents),
  page('/developers/events/:id', 'developers.read', showEvent),
  page('/developers/payments', 'developers.advance', findToAdvance),
  page('/developers/payments/:id', 'developers.advance', showAdvance),
  action('/developers/payments/:id/advance', 'developers.advance', {
    act: advance,
    again: showAdvance,
  }),
];
