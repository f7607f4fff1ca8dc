import type { Cause, Finding, Verdict } from '../domain/check.ts';
import { isAccepted } from './exchange.ts';
import type { Reply } from './exchange.ts';
import type { Probe } from './steps.ts';

/** The service gives up after 15 s. A receiver that takes nearly as long fails on a busy day. */
export const GOOD_MS = 5_000;
const SHOWN_CHARACTERS = 160;

interface Circumstances {
  readonly isReal: boolean;
  /** True if the genuine delivery got 5xx for a made-up payment. A 5xx to a forgery then proves nothing. */
  readonly isExcused: boolean;
}

type Answer = Pick<Reply, 'status'>;

const isServerError = ({ status }: Answer): boolean => status !== null && status >= 500;

/** Returns the finding about the replies to one probe. */
export function judgeReplies<Failure>(
  probe: Probe,
  replies: readonly Reply<Failure>[],
  about: Circumstances,
): Finding<Failure> {
  const exchanges = replies.flatMap(({ status, error, body, durationMs }, index) => {
    const step = probe.steps[index]?.step;
    const shown = body.slice(0, SHOWN_CHARACTERS);
    return step ? [{ step, status, error, duration_ms: durationMs, body: shown }] : [];
  });
  const judge = probe.expects === 'refused' ? judgeRefusal : judgeAcceptance;
  const [verdict, cause]: Judgement = judge(probe, replies, about);
  return { check: probe.check, verdict, cause, exchanges };
}

type Judgement = readonly [Verdict, Cause | null];

function judgeRefusal(
  { check, steps, otherwise }: Probe,
  replies: readonly Answer[],
  { isExcused }: Circumstances,
): Judgement {
  const accepted = steps.filter((_, index) => replies[index] && isAccepted(replies[index]));
  if (accepted.length > 0) {
    const isBorderline = accepted.every((step) => step.otherwise === 'warning');
    return [isBorderline ? 'warning' : otherwise, 'accepted'];
  }
  if (replies.some(({ status }) => status === null)) return ['fail', 'forgery_ignored'];
  // 501 says that a server does not know the method, and is no fault of it.
  const isRefused = (answer: Answer): boolean =>
    !isServerError(answer) || (check === 'method' && answer.status === 501);
  if (replies.every(isRefused)) return ['pass', null];
  return ['warning', isExcused ? 'unproven' : 'server_error'];
}

function judgeAcceptance(
  { check, expects, otherwise }: Probe,
  replies: readonly Answer[],
  { isReal }: Circumstances,
): Judgement {
  const refused = replies.filter((reply) => !isAccepted(reply));
  const [first] = refused;
  if (!first || (expects === 'either' && refused.length < replies.length)) return ['pass', null];
  if (!isReal && check !== 'unknown_type' && refused.every(isServerError)) {
    return ['warning', 'unreal'];
  }
  const { status } = first;
  if (status === null) return [otherwise, 'no_response'];
  if (status >= 300 && status < 400) return [otherwise, 'redirect'];
  return [otherwise, status === 405 ? 'not_post' : 'refused'];
}

/** Returns the finding about the times, in milliseconds, of the accepted deliveries. */
export function judgeTimes(times: readonly number[]): Finding<never> {
  const slowest = Math.max(0, ...times);
  const isGood = slowest < GOOD_MS;
  const step = { step: 'slowest', status: null, error: null, body: '' } as const;
  return {
    check: 'time',
    verdict: isGood ? 'pass' : 'warning',
    cause: isGood ? null : 'slow',
    exchanges: [{ ...step, duration_ms: slowest }],
  };
}
