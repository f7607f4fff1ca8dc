/** The attempts of a delivery: all as a table, and one with its request and response. */
import type { Delivery, DeliveryAttempt } from '../../domain/delivery.ts';
import { shownUrl } from '../../domain/endpoint.ts';
import { Time } from '../layout.tsx';
import { Facts, Table } from '../parts.tsx';
import type { StaffRequest } from '../request.ts';
import { durationText, Outcome } from './parts.tsx';

interface AttemptsProps {
  readonly request: StaffRequest;
  readonly of: Delivery;
}

export function AttemptTable({ request, of }: AttemptsProps) {
  const { t, locale } = request;
  const { _id: id, attempts } = of;
  if (attempts.length === 0) return <p>{t('delivery.no_attempts')}</p>;
  const head = ['attempt', 'at', 'result'] as const;
  return (
    <Table
      head={[...head.map((name) => t(`delivery.${name}`)), [t('delivery.duration'), 'number']]}
    >
      {attempts.map(({ number, at, duration_ms, status, error }) => (
        <tr key={number}>
          <td>
            <a href={`/deliveries/${id}?attempt=${number}#attempt`}>{number}</a>
          </td>
          <td>
            <Time request={request} at={at} exact />
          </td>
          <td>
            <Outcome request={request} of={{ status, error }} />
          </td>
          <td class="number">{durationText(duration_ms, locale)}</td>
        </tr>
      ))}
    </Table>
  );
}

/** Returns the attempt of that number, by default the last. Undefined if there is none. */
export function chooseAttempt(
  { attempts }: Delivery,
  number: string | string[] | undefined,
): DeliveryAttempt | undefined {
  if (number === undefined || number === '') return attempts.at(-1);
  return attempts.find((each) => String(each.number) === number);
}

/** One attempt in full: the one that the address names, else the last. */
export function AttemptDetails({ request, of }: AttemptsProps) {
  const { t, locale, ctx } = request;
  const attempt = chooseAttempt(of, ctx.query['attempt']);
  if (!attempt) return null;
  const { number, at, duration_ms, request: sent, response, timings } = attempt;
  const steps = [
    ['dns', timings?.dns],
    ['connect', timings?.connect],
    ['tls', timings?.tls],
    ['first_byte', timings?.first_byte],
  ] as const;
  return (
    <section id="attempt">
      <h2>{t('delivery.attempt_number', { number })}</h2>
      <Facts
        of={[
          [t('delivery.at'), <Time request={request} at={at} exact />],
          [t('delivery.result'), <Outcome request={request} of={attempt} />],
          [t('delivery.duration'), durationText(duration_ms, locale)],
          ...steps.flatMap(([step, ms]) =>
            typeof ms === 'number'
              ? [[t(`delivery.${step}`), durationText(ms, locale)] as const]
              : [],
          ),
          ...(sent ? [[t('delivery.sent_to'), shownUrl(sent.url)] as const] : []),
        ]}
      />
      {sent && <Headers title={t('delivery.request_headers')} of={sent.headers} />}
      {response && <Headers title={t('delivery.response_headers')} of={response.headers} />}
      {response && <ResponseBody request={request} of={response} />}
      <p>
        <a href={`/webhooks/explain?delivery=${of._id}&attempt=${number}`}>
          {t('delivery.explain')}
        </a>
      </p>
    </section>
  );
}

/** The parts of what a receiver sent that are shown, in characters. It may send anything. */
const SHOWN_HEADERS = 60;
const SHOWN_VALUE = 300;
const SHOWN_RESPONSE = 4_000;

function Headers({
  title,
  of,
}: {
  title: string;
  of: readonly (readonly [name: string, value: string])[];
}) {
  return (
    <>
      <h3>{title}</h3>
      <pre>
        {of
          .slice(0, SHOWN_HEADERS)
          .map(([name, value]) => `${name}: ${value.slice(0, SHOWN_VALUE)}`)
          .join('\n')}
      </pre>
    </>
  );
}

function ResponseBody({
  request,
  of,
}: {
  request: StaffRequest;
  of: NonNullable<DeliveryAttempt['response']>;
}) {
  const { t } = request;
  const { body, truncated } = of;
  if (body === '') return <p class="hint">{t('delivery.empty')}</p>;
  return (
    <>
      <h3>{t('delivery.response')}</h3>
      <pre>{body.slice(0, SHOWN_RESPONSE)}</pre>
      {(truncated || body.length > SHOWN_RESPONSE) && <p class="hint">{t('delivery.cut')}</p>}
    </>
  );
}
