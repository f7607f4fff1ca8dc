import { action, page } from '../route.ts';
import {
  deleteEndpoint,
  disableEndpoint,
  enableEndpoint,
  rotateSecret,
  updateEndpoint,
} from './change.ts';
import { checkEndpoint, showCheck } from './check.tsx';
import { showEndpoint } from './endpoint.tsx';
import { createEndpoint, showEndpoints } from './list.tsx';
import { sendTestEvent } from './test-event.tsx';
import { showDeliveries } from './deliveries.tsx';
import { resendDelivery, showDelivery } from './delivery.tsx';
import { explain, showExplainer } from './explain.tsx';
import { showReplay, stopReplay } from './replay.tsx';
import { showReplays, startReplay } from './replays.tsx';

const endpoint = { again: showEndpoint };

export const WEBHOOK_ROUTES = [
  page('/webhooks', 'endpoints.read', showEndpoints),
  action('/webhooks', 'endpoints.write', {
    act: createEndpoint,
    again: showEndpoints,
    confirm: true,
  }),

  // Before `/webhooks/:id`, which would match it too.
  page('/webhooks/explain', 'deliveries.read', showExplainer),
  action('/webhooks/explain', 'deliveries.read', { act: explain, again: showExplainer }),

  page('/webhooks/:id', 'endpoints.read', showEndpoint),
  action('/webhooks/:id', 'endpoints.write', {
    act: updateEndpoint,
    // Another URL gets the customers' data, as a new endpoint does.
    confirm: true,
    ...endpoint,
  }),
  action('/webhooks/:id/enable', 'endpoints.write', { act: enableEndpoint, ...endpoint }),
  action('/webhooks/:id/disable', 'endpoints.write', { act: disableEndpoint, ...endpoint }),
  action('/webhooks/:id/test', 'endpoints.write', { act: sendTestEvent, ...endpoint }),
  action('/webhooks/:id/secret', 'endpoints.write', {
    act: rotateSecret,
    confirm: true,
    ...endpoint,
  }),
  action('/webhooks/:id/delete', 'endpoints.write', {
    act: deleteEndpoint,
    confirm: true,
    ...endpoint,
  }),

  page('/webhooks/:id/check', 'endpoints.read', showCheck),
  action('/webhooks/:id/check', 'endpoints.write', { act: checkEndpoint, again: showCheck }),

  page('/webhooks/:id/deliveries', 'deliveries.read', showDeliveries),
  page('/deliveries/:id', 'deliveries.read', showDelivery),
  action('/deliveries/:id/resend', 'deliveries.resend', {
    act: resendDelivery,
    again: showDelivery,
  }),

  page('/webhooks/:id/replays', 'deliveries.read', showReplays),
  action('/webhooks/:id/replays', 'deliveries.resend', { act: startReplay, again: showReplays }),
  page('/replays/:id', 'deliveries.read', showReplay),
  action('/replays/:id/stop', 'deliveries.resend', { act: stopReplay, again: showReplay }),
];
