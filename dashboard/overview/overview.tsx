/** The overview: today and the last 30 days, from the counts per day. All days are in UTC. */
import { localAmount } from '../../domain/money.ts';
import { lastDays } from '../../domain/stats.ts';
import type { Counts } from '../../domain/stats.ts';
import { readStats } from '../../store/stats.ts';
import { FormField } from '../../ui/form.tsx';
import { Page, Time } from '../layout.tsx';
import type { Result, StaffRequest } from '../request.ts';
import { Reminder, isReminded } from '../staff/requirement.tsx';
import type { TextKey } from '../text.ts';
import { Declines } from './declines.tsx';
import { figuresOf, percent } from './figures.ts';
import type { Figures, Money } from './figures.ts';
import { Health, Trouble, readHealth } from './health.tsx';
import { Plot } from './plot.tsx';
import { FirstSteps, hasKey } from './steps.tsx';

const DAYS = 30;
/** The most currencies with a plot of their own. The table of figures has all. */
const MAX_PLOTS = 3;

/** `GET /` */
export async function showOverview(request: StaffRequest): Promise<Result> {
  const { t, tenant, now, services } = request;
  const days = lastDays(now, DAYS);
  const [from = '', to = ''] = [days[0], days.at(-1)];
  const [stats, endpoints, isAlone] = await Promise.all([
    readStats(services.mongo, { tenant, from, to }),
    request.may('endpoints.read') ? readHealth(request) : null,
    isReminded(request),
  ]);
  const counts = days.map((day) => stats.days.get(day) ?? {});
  const [today, month] = [figuresOf(counts.slice(-1)), figuresOf(counts)];
  const isNew = month.created === 0 && request.may('keys.read');
  return {
    page: (
      <Page request={request} title={t('menu.home')}>
        {endpoints && <Trouble request={request} endpoints={endpoints} />}
        {isNew && (
          <FirstSteps
            request={request}
            hasKey={await hasKey(request)}
            endpoints={endpoints ?? []}
          />
        )}
        <FindPayment request={request} />
        {stats.upTo && (
          <p class="notice" role="status">
            {t('overview.counting')} <Time request={request} at={stats.upTo} />
          </p>
        )}
        <Summary request={request} today={today} month={month} />
        <Plots request={request} days={days} counts={counts} month={month} />
        <Declines request={request} declined={month.declined} />
        {endpoints && <Health request={request} endpoints={endpoints} />}
        {isAlone && <Reminder request={request} />}
      </Page>
    ),
  };
}

/** The search of the list of payments. */
function FindPayment({ request: { t } }: { request: StaffRequest }) {
  return (
    <form method="get" action="/payments" role="search" class="filters">
      <FormField
        id="q"
        label={t('overview.find')}
        hint={t('payments.search_hint')}
        input={{ type: 'search' }}
      />
      <button>{t('payments.show')}</button>
    </form>
  );
}

interface SummaryProps {
  readonly request: StaffRequest;
  readonly today: Figures;
  readonly month: Figures;
}

function Summary({ request, today, month }: SummaryProps) {
  const { t, locale } = request;
  const number = new Intl.NumberFormat(locale);
  const all: [TextKey, (figures: Figures) => string][] = [
    ['overview.completed', ({ completed }) => moneyText(completed, locale)],
    ['overview.completed_count', ({ completed }) => number.format(countOf(completed))],
    ['overview.created', ({ created }) => number.format(created)],
    ['overview.conversion', (of) => percent(of.converted, of.created, locale) ?? t('none')],
    ['overview.declined', ({ declined }) => number.format(countOf(declined))],
    ['overview.refunded', ({ refunded }) => moneyText(refunded, locale)],
    ['overview.refunded_count', ({ refunded }) => number.format(countOf(refunded))],
    ['overview.refunds_failed', ({ refundsFailed }) => number.format(refundsFailed)],
  ];
  return (
    <section id="figures">
      <h2>{t('overview.today')}</h2>
      <dl class="figures">
        {all.map(([name, text]) => (
          <div key={name} id={name}>
            <dt>{t(name)}</dt>
            <dd>
              <strong>{text(today)}</strong>
            </dd>
            <dd class="hint">
              {t('overview.month')}: <b>{text(month)}</b>
            </dd>
          </div>
        ))}
      </dl>
      <p class="hint">{t('overview.utc')}</p>
    </section>
  );
}

const countOf = (all: readonly { readonly count: number }[]): number =>
  all.reduce((sum, { count }) => sum + count, 0);

/** Returns the amounts of all currencies, each on its own line. */
function moneyText(all: readonly Money[], locale: string): string {
  if (all.length === 0) return '0';
  return all.map(({ amount, currency }) => localAmount(amount, currency, locale)).join('\n');
}

interface PlotsProps {
  readonly request: StaffRequest;
  readonly days: readonly string[];
  readonly counts: readonly Counts[];
  readonly month: Figures;
}

function Plots({ request, days, counts, month }: PlotsProps) {
  const { t, locale } = request;
  const values = (name: string): number[] => counts.map((of) => of[name] ?? 0);
  const number = new Intl.NumberFormat(locale);
  return (
    <section>
      <h2>{t('overview.by_day')}</h2>
      <div class="plots">
        {month.completed.slice(0, MAX_PLOTS).map(({ currency }) => (
          <Plot
            key={currency}
            request={request}
            title={t('overview.completed_in', { currency })}
            days={days}
            series={[{ name: currency, values: values(`completed:${currency}:amount`) }]}
            show={(amount) => localAmount(amount, currency, locale)}
          />
        ))}
        <Plot
          request={request}
          title={t('overview.checkouts')}
          days={days}
          series={[
            { name: t('overview.created'), values: values('created') },
            { name: t('overview.converted'), values: values('converted') },
          ]}
          show={(count) => number.format(count)}
        />
      </div>
    </section>
  );
}
