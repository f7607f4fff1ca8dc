/** The texts about webhooks. */
import { ATTEMPTS } from './texts-attempt.ts';
import { DELIVERIES } from './texts-delivery.ts';
import { ENDPOINTS } from './texts-endpoint.ts';
import { EXPLAINER } from './texts-explain.ts';
import { REPLAYS } from './texts-replay.ts';

export const WEBHOOKS = {
  ...ENDPOINTS,
  ...DELIVERIES,
  ...ATTEMPTS,
  ...REPLAYS,
  ...EXPLAINER,
} as const;
