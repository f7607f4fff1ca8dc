/** The texts about webhooks. */
import { ATTEMPTS } from './texts-attempt.ts';
import { CHECK } from './texts-check.ts';
import { CHECK_RULES } from './texts-check-rules.ts';
import { CHECK_STEPS } from './texts-check-steps.ts';
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
  ...CHECK,
  ...CHECK_RULES,
  ...CHECK_STEPS,
} as const;
