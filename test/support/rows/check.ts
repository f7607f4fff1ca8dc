/** Builder of checks. */
import { REPORT_KEPT_MS } from '../../../domain/check.ts';
import type { Cause, Check, CheckCode, StepCode, Verdict } from '../../../domain/check.ts';
import type { Endpoint } from '../../../domain/endpoint.ts';

/** Creates a check of the endpoint, with a finding of each kind. */
export function makeCheck({ _id, m, url }: Endpoint): Check {
  const sent = { status: 200, error: null, duration_ms: 84, body: '' } as const;
  const kinds: readonly [CheckCode, Verdict, Cause | null, StepCode][] = [
    ['genuine', 'pass', null, 'completed'],
    ['wrong_secret', 'fail', 'accepted', 'wrong_secret_standard'],
    ['other_timestamp', 'fail', 'accepted', 'old_standard'],
    ['old', 'warning', 'accepted', 'old_edge'],
    ['future', 'warning', 'server_error', 'future'],
    ['twice', 'warning', 'unreal', 'same_again'],
    ['large', 'skipped', 'out_of_time', 'large'],
    ['time', 'warning', 'slow', 'slowest'],
  ];
  const findings = kinds.map(([check, verdict, cause, step]) => {
    return { check, verdict, cause, exchanges: verdict === 'skipped' ? [] : [{ ...sent, step }] };
  });
  const now = new Date();
  const expires_at = new Date(now.getTime() + REPORT_KEPT_MS);
  return { _id, m, run: 'seed', busy_until: now, expires_at, report: { at: now, url, findings } };
}
