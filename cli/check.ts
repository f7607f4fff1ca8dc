/** `tollgate check`: tests a merchant's receiver and prints what to fix. */
import { Refusal } from '../operations/refusal.ts';
import { checkSecrets } from '../sdk/signatures.ts';
import { openAccess, readReceiver, requireSecrets, requireTestKey } from './access.ts';
import type { AccessOptions } from './access.ts';
import { examine } from './examine.ts';
import type { Finding, Verdict } from './judge.ts';
import { madeUpSpecimens, realSpecimens } from './specimens.ts';
import type { Specimens } from './specimens.ts';

interface CheckOptions extends AccessOptions {
  url: string;
  secret?: string;
  json?: boolean;
}

/** Tests the receiver and prints the report. Sets the exit code 1 if a check fails. */
export async function checkReceiver(options: CheckOptions): Promise<void> {
  const url = readReceiver(options.url, 'url');
  // There are several while a secret is being replaced. The receiver knows the first one.
  const secrets = checkSecrets(requireSecrets(options.secret)).slice(0, 1);
  const specimens = await specimensFor(options);
  const checks = await examine(url, specimens, secrets);
  const failed = checks.filter(({ verdict }) => verdict === 'fail').length;
  const { isReal: real_events } = specimens;
  const report = { url: url.href, real_events, failed, checks };
  console.log(options.json ? JSON.stringify(report) : textOf(report));
  if (failed > 0) process.exitCode = 1;
}

/** Returns real events if there is an API key, from the options or the environment. */
async function specimensFor(options: CheckOptions): Promise<Specimens> {
  try {
    requireTestKey(options);
    return await realSpecimens(openAccess(options));
  } catch (error) {
    if (error instanceof Refusal && error.code === 'api_key_missing') return madeUpSpecimens();
    throw error;
  }
}

interface Report {
  readonly url: string;
  readonly real_events: boolean;
  readonly checks: readonly Finding[];
}

const MARKS: Readonly<Record<Verdict, string>> = {
  pass: 'pass   ',
  warning: 'WARNING',
  fail: 'FAIL   ',
  skipped: 'skipped',
};

function textOf({ url, real_events, checks }: Report): string {
  const events = real_events
    ? 'real events of test payments'
    : 'made-up events (give --api-key to use real test payments)';
  const count = (verdict: Verdict): number =>
    checks.filter((check) => check.verdict === verdict).length;
  const blocks = checks.map(({ verdict, rule, answers, fix }) => {
    const lines = answers.map((answer) => `           ${lineOf(answer, verdict)}`);
    const advice = fix === null ? [] : [`         ${fix}`];
    return [`${MARKS[verdict]}  ${rule}`, ...lines, ...advice].join('\n');
  });
  const sum = `${count('pass')} passed, ${count('warning')} warnings, ${count('fail')} failed`;
  const left = count('skipped') > 0 ? `, ${count('skipped')} skipped` : '';
  return [`Checking ${url} with ${events}\n`, ...blocks, `\n${sum}${left}`].join('\n');
}

function lineOf(
  { sent, status, error, duration_ms, body }: Finding['answers'][number],
  verdict: Verdict,
): string {
  if (status === null && error === null) return `${sent}: ${duration_ms} ms`;
  const [first = ''] = body.trim().split('\n');
  const quote = first === '' || verdict === 'pass' ? '' : `: ${first}`;
  return `${sent} -> ${status ?? error}, ${duration_ms} ms${quote}`;
}
