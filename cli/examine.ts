import { judgeReplies, judgeTimes } from './judge.ts';
import type { Finding } from './judge.ts';
import { isAccepted, send } from './post.ts';
import type { Reply } from './post.ts';
import { probesOf } from './probes.ts';
import type { Specimens } from './specimens.ts';
import type { Probe } from './steps.ts';

/** Sends every probe to the receiver, one after the other, and judges each rule. */
export async function examine(
  url: URL,
  specimens: Specimens,
  secrets: readonly string[],
): Promise<readonly Finding[]> {
  const findings: Finding[] = [];
  const times: number[] = [];
  for (const probe of probesOf({ specimens, secrets })) {
    const genuine = findings[0]?.verdict;
    // If a receiver refuses everything, its refusal of forgeries proves nothing.
    const replies = genuine === 'fail' ? [] : await sendAll(url, probe);
    times.push(...replies.filter(isAccepted).map(({ durationMs }) => durationMs));
    const isExcused = genuine === 'warning';
    findings.push(judgeReplies(probe, replies, { isReal: specimens.isReal, isExcused }));
  }
  return findings[0]?.verdict === 'fail' ? findings : [...findings, judgeTimes(times)];
}

async function sendAll(url: URL, { steps, expects }: Probe): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const { request } of steps) {
    const reply = await send({ url, ...request() });
    replies.push(reply);
    // A receiver that never responds to forgeries would cost the time limit each time.
    if (reply.status === null && expects === 'refused') break;
  }
  return replies;
}
