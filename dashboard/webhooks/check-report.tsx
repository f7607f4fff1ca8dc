/** The report of a check: a sentence that sums it up, and what was found, the worst first. */
import type { ComponentChildren } from 'preact';
import type { Cause, CheckReport as Report, Finding } from '../../domain/check.ts';
import { Time } from '../layout.tsx';
import type { StaffRequest } from '../request.ts';
import { durationText, Outcome } from './parts.tsx';

const STATES = ['mend', 'advice', 'unchecked', 'passed'] as const;
type State = (typeof STATES)[number];

/** Causes that leave it open whether the rule is kept. */
const OPEN: readonly Cause[] = ['unreal', 'unproven', 'not_accepted', 'out_of_time'];
/** Causes that are a remedy themselves. After the others, that of the rule is shown, too. */
const REMEDIES: readonly Cause[] = ['no_response', 'server_error'];

function stateOf({ verdict, cause }: Finding): State {
  if (verdict === 'pass') return 'passed';
  if (cause !== null && OPEN.includes(cause)) return 'unchecked';
  return verdict === 'fail' ? 'mend' : 'advice';
}

interface Props<T> {
  readonly request: StaffRequest;
  readonly of: T;
}

export function CheckReport({ request, of: { at, url, findings } }: Props<Report>) {
  const { t } = request;
  const inState = (state: State) => findings.filter((finding) => stateOf(finding) === state);
  const isGood = findings.every(({ verdict }) => verdict === 'pass');
  const isBad = inState('mend').length > 0;
  return (
    <section id="report" aria-labelledby="summary">
      <div class={`notice ${isGood ? 'notice-good' : isBad ? 'notice-bad' : ''}`} role="status">
        <h2 id="summary">{summaryOf(request, findings)}</h2>
        <p class="hint">
          {t('check.at')} <Time request={request} at={at} exact />, {url}
        </p>
      </div>
      {STATES.map((state) => {
        const found = inState(state);
        if (found.length === 0) return null;
        return (
          <section key={state}>
            <h3>{t(`check.${state}`)}</h3>
            {state === 'unchecked' ? (
              <Unchecked request={request} of={found} />
            ) : (
              <ul class="list">
                {found.map((finding) => (
                  <Rule key={finding.check} request={request} of={finding}>
                    {state !== 'passed' && <Remedy request={request} of={finding} />}
                  </Rule>
                ))}
              </ul>
            )}
          </section>
        );
      })}
    </section>
  );
}

function summaryOf({ t }: StaffRequest, findings: readonly Finding[]): string {
  const count = (state: State) => findings.filter((each) => stateOf(each) === state).length;
  const [genuine] = findings;
  if (genuine?.verdict === 'fail') return t('check.sum_refused');
  const [mend, advice, unchecked] = [count('mend'), count('advice'), count('unchecked')];
  if (mend > 0) return t('check.sum_mend', { count: mend, passed: count('passed') });
  if (unchecked > 0) return t('check.sum_unchecked', { count: unchecked });
  if (advice > 0) return t('check.sum_advice', { count: advice });
  return t('check.sum_passed', { count: findings.length });
}

function Rule({
  request,
  of: { check },
  children,
}: Props<Finding> & { children?: ComponentChildren }) {
  return (
    <li data-check={check}>
      <p>
        <strong>{request.t(`check_rule.${check}`)}</strong>
      </p>
      {children}
    </li>
  );
}

/** The reason of a finding, its remedy, the requests and their responses. */
function Remedy({ request, of: { check, cause, exchanges } }: Props<Finding>) {
  const { t, locale } = request;
  return (
    <>
      {cause !== null && (
        <p>
          {t(`check_cause.${cause}`)} {!REMEDIES.includes(cause) && t(`check_fix.${check}`)}
        </p>
      )}
      <ul class="hint">
        {exchanges.map((exchange) => (
          <li key={exchange.step}>
            {t(`check_step.${exchange.step}`)}:{' '}
            {exchange.step !== 'slowest' && (
              <>
                <Outcome request={request} of={exchange} />,{' '}
              </>
            )}
            {durationText(exchange.duration_ms, locale)}
          </li>
        ))}
      </ul>
    </>
  );
}

/** The rules that were not checked, with each reason once. */
function Unchecked({ request, of }: Props<readonly Finding[]>) {
  const causes = new Set(of.flatMap(({ cause }) => cause ?? []));
  return (
    <>
      {[...causes].map((cause) => (
        <div key={cause}>
          <p>{request.t(`check_cause.${cause}`)}</p>
          <ul class="list">
            {of
              .filter((finding) => finding.cause === cause)
              .map((finding) => (
                <Rule key={finding.check} request={request} of={finding} />
              ))}
          </ul>
        </div>
      ))}
    </>
  );
}
