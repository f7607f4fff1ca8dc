import { describe, expect, it } from 'vitest';
import { fixOf, ruleOf, sentOf } from '../../cli/check-words.ts';
import { CHECK_CODES, STEP_CODES } from '../../domain/check.ts';
import type { Cause, CheckCode, Finding } from '../../domain/check.ts';

const found = (check: CheckCode, cause: Cause | null): Finding<string> => {
  const dead = { status: null, error: 'it is away', duration_ms: 1, body: '' };
  return { check, verdict: 'fail', cause, exchanges: [{ step: 'completed', ...dead }] };
};

describe('the words of a finding', () => {
  it('have a rule and a remedy of their own for every check', () => {
    const all = CHECK_CODES.map((check) => found(check, 'refused'));
    expect(new Set(all.map(ruleOf)).size).toBe(CHECK_CODES.length);
    expect(new Set(all.map(fixOf)).size).toBe(CHECK_CODES.length);
  });

  it('say what each step has sent', () => {
    const numbers = { largeCharacters: 25_700, accepted: 12 };
    expect(sentOf('large', numbers)).toBe('a body of 26 KiB');
    expect(sentOf('slowest', numbers)).toBe('the slowest of 12 accepted deliveries');
    expect(STEP_CODES.filter((step) => sentOf(step, numbers) === '')).toEqual([]);
  });

  it.each<[CheckCode, Cause | null, RegExp | null]>([
    ['other_timestamp', 'accepted', /^Use the .*webhook-timestamp for webhook-signature/],
    ['cut_signature', 'accepted', /^Compare the whole signature/],
    ['changed_id', 'accepted', /sign the received header/],
    ['old', 'unproven', /proves nothing.*--api-key/],
    ['old', 'server_error', /Respond with 401/],
    ['old', 'forgery_ignored', /^There was no response[.] Refuse a timestamp/],
    ['genuine', 'unreal', /made up.*--api-key/],
    ['genuine', 'no_response', /^There was no response: it is away[.]$/],
    ['genuine', 'redirect', /^Redirects are not followed[.] Respond with 200/],
    ['genuine', 'not_post', /^Deliveries are POSTs[.] Respond with 200/],
    ['time', 'slow', /^After 15 s .*queue[.]$/],
    ['old', null, null],
    ['old', 'not_accepted', null],
  ])('advise for %s, %s', (check, cause, advice) => {
    const fix = fixOf(found(check, cause));
    if (advice === null) expect(fix).toBeNull();
    else expect(fix).toMatch(advice);
  });
});
