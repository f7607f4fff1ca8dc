/** `tollgate check`: tries a merchant's receiver out and says what to mend. */
import { checkSecrets } from '../sdk/signatures.ts';
import { openAccess, readReceiver, requireTestKey, secretsOf } from './access.ts';
import type { AccessOptions } from './access.ts';
import { TIMEOUT_MS, isAccepted, shoot } from './post.ts';
import type { Reply } from './post.ts';
import { probesOf } from './probes.ts';
import { Refusal } from '../operations/refusal.ts';
import { madeUpSpecimens, realSpecimens } from './specimens.ts';
import type { Specimens } from './specimens.ts';
import type { Probe } from './steps.ts';

export interface CheckOptions extends AccessOptions {
  url: string;
  secret?: string;
  json?: boolean;
}

export type CheckVerdict = 'pass' | 'warning' | 'fail' | 'skipped';

export interface Answered {
  readonly sent: string;
  readonly status: number | null;
  readonly error: string | null;
  readonly duration_ms: number;
  /** The beginning of the answer. */
  readonly body: string;
}

interface CheckFinding {
  readonly check: string;
  readonly rule: string;
  readonly verdict: CheckVerdict;
  readonly answers: readonly Answered[];
  /** What to do and why; null when there is nothing to do. */
  readonly fix: string | null;
}

/** The service gives up after 15 s; a receiver that is near to it fails on a busy day. */
const GOOD_MS = 5_000;
const SHOWN_CHARACTERS = 160;

/** Prints the report; the process exits with 1 when something failed that matters. */
export async function checkReceiver(options: CheckOptions): Promise<void> {
  const url = readReceiver(options.url, 'url');
  const given = secretsOf(options.secret);
  if (given.length === 0) {
    const message = 'The secret is missing: set TOLLGATE_WEBHOOK_SECRET, or give --secret.';
    throw new Refusal('parameter_missing', { message, param: 'secret' });
  }
  // The first one is what the receiver is sure to know; a list is for one that is replaced.
  const secrets = checkSecrets(given).slice(0, 1);
  const specimens = await specimensFor(options);
  const findings = await examine(url, specimens, secrets);
  const failed = findings.filter(({ verdict }) => verdict === 'fail').length;
  const { isReal } = specimens;
  console.log(
    options.json
      ? JSON.stringify({ url: url.href, real_events: isReal, failed, checks: findings })
      : reportOf(url, isReal, findings),
  );
  if (failed > 0) process.exitCode = 1;
}

async function specimensFor(options: CheckOptions): Promise<Specimens> {
  // A key in the environment is as good as one on the command line.
  try {
    requireTestKey(options);
    return await realSpecimens(openAccess(options));
  } catch (error) {
    if (error instanceof Refusal && error.code === 'api_key_missing') {
      return madeUpSpecimens();
    }
    throw error;
  }
}

/** Sends all of it to that address, one after the other, and judges each rule. */
export async function examine(
  url: URL,
  specimens: Specimens,
  secrets: readonly string[],
): Promise<readonly CheckFinding[]> {
  const findings: CheckFinding[] = [];
  const times: number[] = [];
  for (const probe of probesOf({ specimens, secrets })) {
    const [first] = findings;
    // A receiver that refuses everything proves nothing by refusing what is forged.
    const replies = first?.verdict === 'fail' ? [] : await send(url, probe);
    for (const reply of replies) if (isAccepted(reply)) times.push(reply.durationMs);
    // The genuine delivery was only excused.
    const isMute = first?.verdict === 'warning';
    findings.push(judgeReplies(probe, replies, { isReal: specimens.isReal, isMute }));
  }
  const [first] = findings;
  return first?.verdict === 'fail' ? findings : [...findings, judgeTimes(times)];
}

async function send(url: URL, { steps, expects }: Probe): Promise<Reply[]> {
  const replies: Reply[] = [];
  for (const { shot } of steps) {
    const reply = await shoot({ url, ...shot() });
    replies.push(reply);
    // A receiver that leaves what it refuses without an answer would be waited for each time.
    if (reply.status === null && expects === 'refused') break;
  }
  return replies;
}

const UNREAL =
  'The signature was most likely taken, and the work failed: this payment is made up, and a ' +
  'receiver that retrieves it finds nothing. Give --api-key, and real test payments are used.';
const SERVER_ERROR =
  'It was refused as a fault of the server (5xx): answer 401, so that a forged request is told ' +
  'from work that failed.';
const UNTOLD =
  'It was answered as what is genuine is answered here (5xx), so this proves nothing. Give ' +
  '--api-key, and real test payments are used.';

interface Circumstances {
  readonly isReal: boolean;
  /** Whether the genuine delivery was only excused: then 5xx need not be a refusal. */
  readonly isMute: boolean;
}

const isServerError = ({ status }: Reply): boolean => status !== null && status >= 500;

function judgeReplies(probe: Probe, replies: readonly Reply[], about: Circumstances): CheckFinding {
  const { name: check, rule, fix } = probe;
  const answers = replies.map((reply, index) => answeredOf(probe, reply, index));
  const found = (verdict: CheckVerdict, said: string | null): CheckFinding => {
    return { check, rule, verdict, answers, fix: said };
  };
  if (replies.length === 0) return found('skipped', null);
  if (probe.expects === 'refused') {
    const taken = probe.steps.filter((_, index) => replies[index] && isAccepted(replies[index]));
    const isEdge = taken.every(({ otherwise }) => otherwise === 'warning');
    if (taken.length > 0) return found(isEdge ? 'warning' : probe.otherwise, fix);
    if (replies.some(({ status }) => status === null)) return found('fail', `It gave up. ${fix}`);
    if (!replies.some(isServerError)) return found('pass', null);
    return found('warning', about.isMute ? UNTOLD : SERVER_ERROR);
  }
  const isKept = probe.expects === 'either' ? replies.some(isAccepted) : replies.every(isAccepted);
  if (isKept) return found('pass', null);
  const refused = replies.filter((reply) => !isAccepted(reply));
  const isExcused = !about.isReal && check !== 'unknown_type' && refused.every(isServerError);
  return isExcused ? found('warning', UNREAL) : found(probe.otherwise, fixOf(fix, refused));
}

function fixOf(fix: string, refused: readonly Reply[]): string {
  const [first] = refused;
  const { status = null, error = null } = first ?? {};
  if (status === null) return `There was no answer: ${error}.`;
  if (status >= 300 && status < 400) return `Redirects are not followed. ${fix}`;
  return status === 405 ? `Deliveries are POSTs. ${fix}` : fix;
}

function answeredOf({ steps }: Probe, reply: Reply, index: number): Answered {
  const { status, error, durationMs: duration_ms } = reply;
  const body = reply.body.slice(0, SHOWN_CHARACTERS);
  return { sent: steps[index]?.sent ?? '', status, error, duration_ms, body };
}

/** Returns the finding about the slowest answer, in milliseconds. */
export function judgeTimes(times: readonly number[]): CheckFinding {
  const slowest = Math.max(0, ...times);
  const isGood = slowest < GOOD_MS;
  const sent = `the slowest of ${times.length} deliveries that were accepted`;
  return {
    check: 'time',
    rule: `It answers within ${GOOD_MS / 1_000} s`,
    verdict: isGood ? 'pass' : 'warning',
    answers: [{ sent, status: null, error: null, duration_ms: slowest, body: '' }],
    fix: isGood
      ? null
      : `After ${TIMEOUT_MS / 1_000} s a delivery has failed: put slow work into a queue.`,
  };
}

const MARKS: Readonly<Record<CheckVerdict, string>> = {
  pass: 'pass   ',
  warning: 'WARNING',
  fail: 'FAIL   ',
  skipped: 'skipped',
};

function reportOf(url: URL, isReal: boolean, findings: readonly CheckFinding[]): string {
  const events = isReal
    ? 'real events of test payments'
    : 'made-up events (give --api-key for those of real test payments)';
  const count = (verdict: CheckVerdict): number =>
    findings.filter((finding) => finding.verdict === verdict).length;
  const blocks = findings.map(({ verdict, rule, answers, fix }) => {
    const lines = answers.map((answer) => `           ${outcomeOf(answer, verdict)}`);
    const advice = fix === null ? [] : [`         ${fix}`];
    return [`${MARKS[verdict]}  ${rule}`, ...lines, ...advice].join('\n');
  });
  const sum = `${count('pass')} passed, ${count('warning')} warnings, ${count('fail')} failed`;
  const left = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
  return [`Checking ${url.href} with ${events}\n`, ...blocks, `\n${sum}${left}`].join('\n');
}

function outcomeOf(
  { sent, status, error, duration_ms, body }: Answered,
  verdict: CheckVerdict,
): string {
  if (status === null && error === null) return `${sent}: ${duration_ms} ms`;
  const said = body.trim() === '' || verdict === 'pass' ? '' : `: ${body.trim().split('\n')[0]}`;
  return `${sent} -> ${status ?? error}, ${duration_ms} ms${said}`;
}
