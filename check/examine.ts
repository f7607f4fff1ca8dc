/** Checks a receiver: sends it genuine deliveries and forgeries, and judges what it accepts. */
import type { Cause, Finding, Verdict } from '../domain/check.ts';
import { isAccepted } from './exchange.ts';
import type { Reply, Send } from './exchange.ts';
import { judgeReplies, judgeTimes } from './judge.ts';
import type { Probe } from './steps.ts';

interface Bench<Failure> {
  readonly send: Send<Failure>;
  /** True if the API has the payments of the probes. */
  readonly isReal: boolean;
  /** Returns true if no further request may be sent. */
  readonly isOver?: () => boolean;
}

/** Sends every probe to the receiver, one request after the other, and yields what each found. */
export async function* examine<Failure>(
  probes: readonly Probe[],
  bench: Bench<Failure>,
): AsyncGenerator<Finding<Failure>, void> {
  const times: number[] = [];
  let genuine: Verdict | undefined;
  for (const probe of probes) {
    // If a receiver refuses everything, its refusal of forgeries proves nothing.
    const replies = genuine === 'fail' ? 'not_accepted' : await sendAll(probe, bench);
    const about = { isReal: bench.isReal, isExcused: genuine === 'warning' };
    const finding: Finding<Failure> =
      typeof replies === 'string' ? skip(probe, replies) : judgeReplies(probe, replies, about);
    times.push(...finding.exchanges.filter(isAccepted).map((each) => each.duration_ms));
    genuine ??= finding.verdict;
    yield finding;
  }
  if (genuine !== 'fail') yield judgeTimes(times);
}

const skip = ({ check }: Probe, cause: Cause): Finding<never> => {
  return { check, verdict: 'skipped', cause, exchanges: [] };
};

/** Returns the reply to each step, or why the probe was not completed. */
async function sendAll<Failure>(
  { steps, expects }: Probe,
  { send, isOver = () => false }: Bench<Failure>,
): Promise<Reply<Failure>[] | 'out_of_time'> {
  const replies: Reply<Failure>[] = [];
  for (const { request } of steps) {
    if (isOver()) return 'out_of_time';
    const reply = await send(request());
    replies.push(reply);
    // A receiver that never responds to forgeries would cost the time limit each time.
    if (reply.status === null && expects === 'refused') break;
  }
  return replies;
}
