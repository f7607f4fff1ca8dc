/** `tollgate check`: tests a merchant's receiver and prints what to fix. */
import { examine } from '../check/examine.ts';
import { isAccepted } from '../check/exchange.ts';
import type { Request } from '../check/exchange.ts';
import { probesOf } from '../check/probes.ts';
import { madeUpSpecimens } from '../check/specimens.ts';
import type { Specimens } from '../check/specimens.ts';
import type { Finding, Verdict } from '../domain/check.ts';
import { Refusal } from '../operations/refusal.ts';
import { checkSecrets } from '../sdk/signatures.ts';
import { openAccess, readReceiver, requireSecrets, requireTestKey } from './access.ts';
import type { AccessOptions } from './access.ts';
import { EXIT } from './complain.ts';
import { fixOf, ruleOf, sentOf } from './check-words.ts';
import { count, paint, printable } from './output.ts';
import type { Colour } from './output.ts';
import { send } from './post.ts';
import { realSpecimens } from './specimens.ts';

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
  const { isReal: real_events } = specimens;
  const bench = {
    send: async (request: Request) => send({ ...request, url }),
    isReal: real_events,
  };
  const findings: Finding<string>[] = [];
  for await (const finding of examine(probesOf({ specimens, secrets }), bench)) {
    findings.push(finding);
  }
  const checks = inWords(findings, specimens);
  const failed = checks.filter(({ verdict }) => verdict === 'fail').length;
  const report = { url: url.href, real_events, failed, checks };
  console.log(options.json ? JSON.stringify(report) : textOf(report));
  if (failed > 0) process.exitCode = EXIT.no;
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

type Checked = ReturnType<typeof inWords>[number];

/** Returns the findings as they are printed. The names are those of the JSON. */
function inWords(findings: readonly Finding<string>[], { large }: Specimens) {
  const all = findings.flatMap(({ exchanges }) => exchanges);
  const numbers = {
    largeCharacters: large.body.length,
    accepted: all.filter(isAccepted).length,
  };
  return findings.map((finding) => {
    const { check, verdict, exchanges } = finding;
    const answers = exchanges.map(({ step, status, error, duration_ms, body }) => {
      return { sent: sentOf(step, numbers), status, error, duration_ms, body };
    });
    return { check, rule: ruleOf(finding), verdict, answers, fix: fixOf(finding) };
  });
}

const COLOURS: Readonly<Record<Verdict, Colour>> = {
  pass: 'green',
  warning: 'yellow',
  fail: 'red',
  skipped: 'dim',
};

interface Report {
  readonly url: string;
  readonly real_events: boolean;
  readonly checks: readonly Checked[];
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
  const numberOf = (verdict: Verdict): number =>
    checks.filter((check) => check.verdict === verdict).length;
  const blocks = checks.map(({ verdict, rule, answers, fix }) => {
    const lines = answers.map((answer) => `           ${lineOf(answer, verdict)}`);
    const advice = fix === null ? [] : [`         ${fix}`];
    const mark = paint(MARKS[verdict], COLOURS[verdict]);
    return [`${mark}  ${rule}`, ...lines, ...advice].join('\n');
  });
  const warnings = count(numberOf('warning'), 'warning');
  const sum = `${numberOf('pass')} passed, ${warnings}, ${numberOf('fail')} failed`;
  const left = numberOf('skipped') > 0 ? `, ${numberOf('skipped')} skipped` : '';
  return [`Checking ${url} with ${events}\n`, ...blocks, `\n${sum}${left}`].join('\n');
}

function lineOf(
  { sent, status, error, duration_ms, body }: Checked['answers'][number],
  verdict: Verdict,
): string {
  if (status === null && error === null) return `${sent}: ${duration_ms} ms`;
  const [first = ''] = printable(body).trim().split('\n');
  const quote = first === '' || verdict === 'pass' ? '' : `: ${first}`;
  return `${sent} -> ${status ?? error}, ${duration_ms} ms${quote}`;
}
