import { TIMEOUT_MS, isAccepted } from './post.ts';
import type { Reply } from './post.ts';
import type { Probe } from './steps.ts';

export type Verdict = 'pass' | 'warning' | 'fail' | 'skipped';

export interface Finding {
  readonly check: string;
  readonly rule: string;
  readonly verdict: Verdict;
  readonly answers: readonly JudgedReply[];
  /** What to do and why; null if there is nothing to do. */
  readonly fix: string | null;
}

interface JudgedReply extends Pick<Reply, 'status' | 'error' | 'body'> {
  readonly sent: string;
  readonly duration_ms: number;
}

/** The service gives up after 15 s. A receiver that takes nearly as long fails on a busy day. */
const GOOD_MS = 5_000;
const SHOWN_CHARACTERS = 160;

const UNREAL =
  'The signature was most likely accepted, and the work failed: this payment is made up, and a ' +
  'receiver that retrieves it finds nothing. Give --api-key to use real test payments.';
const SERVER_ERROR =
  'It was refused as a fault of the server (5xx). Respond with 401, so that it differs from work ' +
  'that failed.';
const UNPROVEN =
  'Genuine events get the same response (5xx) here, so this proves nothing. Give ' +
  '--api-key to use real test payments.';

interface Circumstances {
  readonly isReal: boolean;
  /** True if the genuine delivery got 5xx for a made-up payment. A 5xx to a forgery then proves nothing. */
  readonly isExcused: boolean;
}

const isServerError = ({ status }: Reply): boolean => status !== null && status >= 500;

/** Returns the finding about the replies to one probe. No replies means that it was skipped. */
export function judgeReplies(
  probe: Probe,
  replies: readonly Reply[],
  about: Circumstances,
): Finding {
  const { name: check, rule } = probe;
  const answers = replies.map(({ status, error, body, durationMs }, index) => {
    const sent = probe.steps[index]?.sent ?? '';
    const shown = body.slice(0, SHOWN_CHARACTERS);
    return { sent, status, error, duration_ms: durationMs, body: shown };
  });
  const judge = probe.expects === 'refused' ? judgeRefusal : judgeAcceptance;
  const [verdict, fix]: Judgement =
    replies.length === 0 ? ['skipped', null] : judge(probe, replies, about);
  return { check, rule, verdict, answers, fix };
}

type Judgement = readonly [Verdict, fix: string | null];

function judgeRefusal(
  { steps, otherwise, fix }: Probe,
  replies: readonly Reply[],
  { isExcused }: Circumstances,
): Judgement {
  const accepted = steps.filter((_, index) => replies[index] && isAccepted(replies[index]));
  if (accepted.length > 0) {
    return [accepted.every((step) => step.otherwise === 'warning') ? 'warning' : otherwise, fix];
  }
  if (replies.some(({ status }) => status === null))
    return ['fail', `There was no response. ${fix}`];
  if (!replies.some(isServerError)) return ['pass', null];
  return ['warning', isExcused ? UNPROVEN : SERVER_ERROR];
}

function judgeAcceptance(
  { name, expects, otherwise, fix }: Probe,
  replies: readonly Reply[],
  { isReal }: Circumstances,
): Judgement {
  const refused = replies.filter((reply) => !isAccepted(reply));
  const [first] = refused;
  if (!first || (expects === 'either' && refused.length < replies.length)) return ['pass', null];
  if (!isReal && name !== 'unknown_type' && refused.every(isServerError)) {
    return ['warning', UNREAL];
  }
  const { status, error } = first;
  if (status === null) return [otherwise, `There was no response: ${error}.`];
  if (status >= 300 && status < 400) return [otherwise, `Redirects are not followed. ${fix}`];
  return [otherwise, status === 405 ? `Deliveries are POSTs. ${fix}` : fix];
}

/** Returns the finding about the times, in milliseconds, of the accepted deliveries. */
export function judgeTimes(times: readonly number[]): Finding {
  const slowest = Math.max(0, ...times);
  const isGood = slowest < GOOD_MS;
  const sent = `the slowest of ${times.length} deliveries that were accepted`;
  const slow = `After ${TIMEOUT_MS / 1_000} s a delivery has failed: put slow work into a queue.`;
  return {
    check: 'time',
    rule: `It responds within ${GOOD_MS / 1_000} s`,
    verdict: isGood ? 'pass' : 'warning',
    answers: [{ sent, status: null, error: null, duration_ms: slowest, body: '' }],
    fix: isGood ? null : slow,
  };
}
